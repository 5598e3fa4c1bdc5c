"""No version that is pinned has a fault that the world knows of.

Asks the service that pip-audit asks. Where it cannot be reached nothing was audited,
and the test says so instead of passing.
"""

import json
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
CONSTRAINTS = Path(__file__).parents[1] / "constraints.txt"
QUIET = ("--quiet", "--disable-pip-version-check")
SECONDS = 240


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """An environment of its own: what audits is no part of what is audited."""
    folder = tmp_path_factory.mktemp("audit")
    venv.create(folder, with_pip=True)
    path = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if run(path, "pip", "install", *QUIET, "pip-audit").returncode:
        pytest.skip("not audited: pip-audit could not be installed")
    return path


def run(python, *arguments):
    return subprocess.run(
        [python, "-m", *arguments], capture_output=True, text=True, timeout=SECONDS
    )


def test_no_pinned_version_has_a_known_fault(python):
    options = ["--no-deps", "--disable-pip", "--format=json", "--progress-spinner=off"]
    told = run(python, "pip_audit", *options, "--requirement", CONSTRAINTS)
    try:
        packages = json.loads(told.stdout)["dependencies"]
    except ValueError:
        pytest.skip(f"not audited: {told.stderr.strip().splitlines()[-1:]}")
    audited = [package for package in packages if "vulns" in package]
    faults = {p["name"]: [v["id"] for v in p["vulns"]] for p in audited if p["vulns"]}
    assert not faults
    if len(audited) < len(packages):
        unknown = len(packages) - len(audited)
        pytest.skip(f"not audited: {unknown} of {len(packages)} packages")
