"""The examples of the documentation run, each by itself, and name all that there is."""

import pathlib
import re
import subprocess
import sys

import pytest

import mohawk_hair as mh

REPOSITORY = pathlib.Path(__file__).parents[2]


def examples():
    for page in ["docs/python.md", "python/README.md"]:
        text = (REPOSITORY / page).read_text()
        for code in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S):
            line = text[: code.start()].count("\n") + 2
            yield pytest.param(code.group(1), id=f"{page}:{line}")


@pytest.mark.parametrize("code", examples())
def test_examples_run(code):
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_everything_is_in_the_table():
    table = (REPOSITORY / "docs/python.md").read_text().split("## What there is")[1]
    names = set(mh.__all__) - {"Sample", "Measures", "Spectrum", "Surface", "__version__"}
    for owner in [mh.Head, mh.Groom, mh.Simulation]:
        names |= {name for name in vars(owner) if not name.startswith("_")}
    assert [name for name in sorted(names) if not re.search(rf"\b{name}\b", table)] == []
