"""What the documentation shows is what happens, and every public item shows something."""

import doctest
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
import terzo

README = Path(__file__).parent.parent / "README.md"
#: What people import, and what that needs.
MODULES = {"terzo": "matplotlib", "terzo.pettingzoo": "pettingzoo", "terzo.gymnasium": "gymnasium", "terzo.openspiel": "pyspiel"}


def public_items(module):
    """The names that a module exports, and what its classes have."""
    for name in module.__all__:
        item = getattr(module, name)
        if isinstance(item, str):
            continue
        yield name, item
        if inspect.isclass(item):
            for member, value in vars(item).items():
                if not member.startswith("_") and (inspect.isroutine(value) or inspect.isdatadescriptor(value)):
                    yield f"{name}.{member}", getattr(item, member)


def run(tests, name):
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in tests:
        runner.run(test)
    assert runner.failures == 0, name
    return runner.tries


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.filterwarnings("ignore")
def test_every_public_item_has_an_example_and_it_holds(name, monkeypatch, tmp_path):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.chdir(tmp_path)
    pytest.importorskip(MODULES[name])
    module = importlib.import_module(name)
    texts = {name: module.__doc__}
    texts.update({f"{name}.{item}": value.__doc__ for item, value in public_items(module)})
    assert not [item for item, text in texts.items() if ">>>" not in (text or "")]
    parser = doctest.DocTestParser()
    run([parser.get_doctest(text, {}, item, None, 0) for item, text in texts.items()], name)


def test_the_stubs_name_what_is_there():
    stub = (Path(terzo.__file__).parent / "_terzo.pyi").read_text()
    for kind in (terzo.Game, terzo.Position, terzo.Solution, terzo.MoveValue, terzo.Analysis, terzo.Clock):
        text = re.search(rf"^class {kind.__name__}:\n((?:    .*\n|\n)*)", stub, re.M).group(1)
        told = set(re.findall(r"def (\w+)\(", text))
        there = {name for name in vars(kind) if not name.startswith("__")}
        assert {name for name in told if not name.startswith("__")} == there, kind.__name__


def test_the_readme_can_be_typed_in(tmp_path):
    """All its blocks of Python, in their order, as one program; and the sessions in it as doctests."""
    for name in ("pandas", "matplotlib", "pettingzoo"):
        pytest.importorskip(name)
    text = README.read_text()
    sessions = doctest.DocTestParser().get_doctest(text, {}, "README", str(README), 0)
    assert run([sessions], "README") > 10
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    programs = [block for block in blocks if ">>>" not in block]
    assert programs
    program = tmp_path / "readme.py"
    program.write_text("import matplotlib; matplotlib.use('Agg')\n" + "\n".join(programs))
    ended = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
