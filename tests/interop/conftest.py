"""What the tests of files of strands share."""

import os
import subprocess

import pytest


@pytest.fixture
def mohawk():
    """Runs the program that MOHAWK names, and returns what it writes."""

    def run(*arguments):
        command = [os.environ["MOHAWK"], *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def convert(mohawk):
    """Converts a file of strands to another."""
    return lambda source, target, *flags: mohawk("convert", source, "-o", target, *flags)
