"""The stubs say what there is, and all of it is documented."""

import inspect
import pathlib
import re
import subprocess
import sys

import mohawk_hair as mh


def test_stubs_are_those_of_the_module(tmp_path):
    # The extension makes a list of its own names.
    allowed = tmp_path / "allowed"
    allowed.write_text("mohawk_hair._mohawk.__all__\n")
    command = [sys.executable, "-m", "mypy.stubtest", "mohawk_hair", "--allowlist", str(allowed)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_version_is_that_of_the_program():
    manifest = (pathlib.Path(__file__).parents[2] / "Cargo.toml").read_text()
    assert mh.__version__ == re.search(r'^version = "(.*)"', manifest, re.M).group(1)


def test_everything_public_is_documented():
    for name in set(mh.__all__) - {"NECK", "STEP_SECONDS", "__version__"}:
        thing = getattr(mh, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and thing.__module__ == "mohawk_hair":
            for member, value in vars(thing).items():
                # Attributes of plain records are in the text of their class.
                if not member.startswith("_") and f"{member}:" not in inspect.getdoc(thing):
                    assert inspect.getdoc(value), f"{name}.{member}"


def test_users_are_typed(tmp_path):
    program = tmp_path / "user.py"
    program.write_text(
        "import numpy as np\n"
        "import mohawk_hair as mh\n"
        "from numpy.typing import NDArray\n"
        "found = mh.sample(np.eye(3), [[0, 1, 2]], count=5)\n"
        "points: NDArray[np.float32] = found.points\n"
        "picture: NDArray[np.uint8] = mh.render(mh.Head().grow(), size=(64, 64))\n"
        "positions: NDArray[np.float32] = mh.Simulation(scene='swing').play(3)\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    wrong = program.read_text() + "number: int = found.points\nmh.sample(3)\n"
    program.write_text(wrong)
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1 and done.stdout.count("error:") >= 2, done.stdout
