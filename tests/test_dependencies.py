"""What is installed is what is pinned, and fits together."""

import re
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

CONSTRAINTS = Path(__file__).parents[1] / "constraints.txt"
# Come with the interpreter, or are this project.
UNPINNED = {"pip", "setuptools", "thriftscope", "wheel"}


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned():
    lines = CONSTRAINTS.read_text("utf-8").splitlines()
    entries = [line.split("==") for line in lines if "==" in line]
    return {normal(name): version.split(";")[0].strip() for name, version in entries}


def test_everything_installed_is_pinned_at_its_version():
    versions = pinned()
    found = {normal(d.metadata["Name"]): d.version for d in distributions()}
    odd = {
        name: (version, versions.get(name))
        for name, version in found.items()
        if name not in UNPINNED and versions.get(name) != version
    }
    assert not odd, odd


def test_what_is_installed_fits_together():
    command = [sys.executable, "-m", "pip", "check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
