"""Runs the notebooks beside it, as `scripts/test-python` does; with --write it keeps what they show."""

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def main() -> None:
    for path in sorted(Path(__file__).parent.glob("*.ipynb")):
        began = time.monotonic()
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
        if "--write" in sys.argv:
            nbformat.write(notebook, path)
        print(f"{path.name}: {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main()
