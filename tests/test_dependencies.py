"""What Thriftscope and its tests need is pinned as installed, and fits together."""

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

from tests.each import each

CONSTRAINTS = Path(__file__).parents[1] / "constraints.txt"
# Comes with the interpreter.
UNPINNED = {"pip", "setuptools", "wheel"}


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned():
    lines = CONSTRAINTS.read_text("utf-8").splitlines()
    entries = [line.split("==") for line in lines if "==" in line]
    return {normal(name): version.split(";")[0].strip() for name, version in entries}


def needed(name, extras=()):
    """Installed versions of all that a package needs, and what they need."""
    found, waiting = {}, [(name, frozenset(extras))]
    seen = set(waiting)
    while waiting:
        name, extras = waiting.pop()
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue  # needed on another system only
        found[normal(name)] = package.version
        for line in package.requires or ():
            wanted = Requirement(line)
            marker, chosen = wanted.marker, extras or {""}
            if marker is None or any(marker.evaluate({"extra": e}) for e in chosen):
                step = normal(wanted.name), frozenset(wanted.extras)
                if step not in seen:
                    seen.add(step)
                    waiting.append(step)
    return found


@each("extras", [(), ("test",)], ids=["app", "test"])
def test_all_that_is_needed_is_pinned_at_its_version(extras):
    versions = pinned()
    found = needed("thriftscope", extras)
    assert len(found) > 30
    odd = {
        name: (version, versions.get(name))
        for name, version in found.items()
        if name not in UNPINNED | {"thriftscope"} and versions.get(name) != version
    }
    assert not odd, odd


def test_what_is_installed_fits_together():
    command = [sys.executable, "-m", "pip", "check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
