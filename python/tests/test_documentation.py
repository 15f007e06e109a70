"""What the documentation shows is what happens."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
import terzo

README = Path(__file__).parent.parent / "README.md"
NEEDS = {"terzo.pettingzoo": "pettingzoo", "terzo.gymnasium": "gymnasium", "terzo.openspiel": "pyspiel", "terzo._spaces": "gymnasium"}
MODULES = ["terzo", *(f"terzo.{module.name}" for module in pkgutil.iter_modules(terzo.__path__) if module.name != "_terzo")]
WRITTEN_IN_RUST = [terzo.Game, terzo.Position, terzo.Solution, terzo.MoveValue, terzo.Analysis, terzo.Clock,
                   terzo.features, terzo.playouts, terzo.solve]


def run(text_or_tests, name):
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in text_or_tests:
        runner.run(test)
    assert runner.failures == 0, name
    return runner.tries


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_modules_hold(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    module = importlib.import_module(name)
    run(doctest.DocTestFinder(exclude_empty=True).find(module, name), name)


def test_examples_of_what_is_written_in_rust_hold():
    parser, found = doctest.DocTestParser(), []
    for item in WRITTEN_IN_RUST:
        texts = {item.__name__: item.__doc__}
        if isinstance(item, type):
            texts.update({f"{item.__name__}.{name}": member.__doc__ for name, member in vars(item).items()})
        for name, text in texts.items():
            if text and ">>>" in text:
                found.append(parser.get_doctest(text, {}, name, None, 0))
    assert run(found, "terzo._terzo") > 30


def test_every_public_item_says_what_it_is():
    for name in terzo.__all__:
        assert getattr(terzo, name).__doc__, name
    for kind in (terzo.Game, terzo.Position, terzo.Player, terzo.Records, terzo.TournamentResult):
        for name, member in vars(kind).items():
            if not name.startswith("_") and name not in ("name", "random"):
                assert member.__doc__, f"{kind.__name__}.{name}"


def test_the_stubs_name_what_is_there():
    stub = (Path(terzo.__file__).parent / "_terzo.pyi").read_text()
    for kind in (terzo.Game, terzo.Position, terzo.Solution, terzo.MoveValue, terzo.Analysis, terzo.Clock):
        text = re.search(rf"^class {kind.__name__}:\n((?:    .*\n|\n)*)", stub, re.M).group(1)
        told = set(re.findall(r"def (\w+)\(", text))
        there = {name for name in vars(kind) if not name.startswith("__")}
        assert {name for name in told if not name.startswith("__")} == there, kind.__name__


def test_the_readme_can_be_typed_in(tmp_path):
    """All its blocks of Python, in their order, as one program; and the sessions in it as doctests."""
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
