"""What docs/add_a_method.md promises: one file, and the method is everywhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs" / "examples" / "nearest_mean.py"


@pytest.fixture(scope="module")
def researcher(tmp_path_factory):
    """A copy of the package with the example dropped in; what runs Python there."""
    home = tmp_path_factory.mktemp("house")
    leave = shutil.ignore_patterns("__pycache__")
    for name in ("solvers", "explorer"):
        shutil.copytree(ROOT / name, home / name, ignore=leave)
    for name in ("assets", "sample_data", "pyproject.toml"):
        (home / name).symlink_to(ROOT / name)
    contract = Path("tests", "methods", "test_contract.py")
    (home / contract).parent.mkdir(parents=True)
    shutil.copy(ROOT / contract, home / contract)
    shutil.copy(EXAMPLE, home / "solvers" / "methods")

    def python(*arguments):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=home,
            env={**os.environ, "PYTHONPATH": str(home)},
            capture_output=True,
            text=True,
            timeout=300,
        )

    return python


def test_it_is_on_the_list(researcher):
    listed = researcher("-m", "explorer", "methods").stdout
    assert "nearest_mean         Nearest mean: budget (Runtime budget)" in listed


def test_it_is_on_a_frontier(researcher, tmp_path):
    run = researcher(
        "-m",
        "explorer",
        "run",
        "--data=breast_cancer",
        "--methods=nearest_mean",
        "--budget=10",
        f"--out={tmp_path}",
    )
    assert run.stdout.startswith("Nearest mean: F1 0."), run.stdout + run.stderr
    assert (tmp_path / "frontier.csv").read_text("utf-8").count("nearest_mean") > 20


def test_it_keeps_the_contract_and_its_example_is_true(researcher):
    checked = researcher(
        "-m",
        "pytest",
        "-q",
        "-x",
        "--doctest-modules",
        "tests/methods/test_contract.py",
        "solvers/methods/nearest_mean.py",
        "-k",
        "nearest_mean or NearestMean",
    )
    assert checked.returncode == 0, checked.stdout
    assert "failed" not in checked.stdout
