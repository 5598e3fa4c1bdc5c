"""What docs/add_a_method.md promises: one file, and the method is everywhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"
EXAMPLE = EXAMPLES / "nearest_mean.py"
PAGE = ROOT / "docs" / "add_a_method.md"


@pytest.fixture(scope="module")
def researcher(tmp_path_factory):
    """A copy of the package with the example dropped in; what runs Python there."""
    home = tmp_path_factory.mktemp("house")
    for name in ("solvers", "explorer"):  # with what is compiled already
        shutil.copytree(ROOT / name, home / name)
    for name in ("assets", "sample_data", "pyproject.toml"):
        (home / name).symlink_to(ROOT / name)
    contract = Path("tests", "methods", "test_contract.py")
    (home / contract).parent.mkdir(parents=True)
    shutil.copy(ROOT / contract, home / contract)
    shutil.copy(ROOT / "tests" / "each.py", home / "tests")
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


# One process does all, since starting it takes longer than what it does.
ASKED = """
import sys, pytest, solvers
from explorer.commands.cli import main
from explorer.commands import run
run._draw = lambda *_: None  # test_run asks for what is drawn
for arguments in {commands}:
    assert main(arguments) == 0
new = {{name: solvers.all_methods()[name] for name in {names}}}
solvers.all_methods = new.copy
sys.exit(pytest.main({tests}))
"""


def asked(commands, names, *tests):
    """What runs commands of thriftscope, then tests of the methods of these names."""
    tests = ["-q", "-x", "--noconftest", *tests]
    return "-c", ASKED.format(commands=commands, names=names, tests=tests)


def test_it_is_listed_traced_and_keeps_the_contract_and_its_example_is_true(
    researcher, tmp_path
):
    run = ["run", "--data=breast_cancer", "--methods=nearest_mean", "--budget=10"]
    ran = researcher(
        *asked(
            [["methods"], [*run, f"--out={tmp_path}"]],
            ["nearest_mean"],
            "--doctest-modules",
            "tests/methods/test_contract.py",
            "solvers/methods/nearest_mean.py",
        )
    )
    said = ran.stdout
    assert ran.returncode == 0, said + ran.stderr
    assert "nearest_mean         Nearest mean: budget (Runtime budget)" in said
    assert "\nNearest mean: F1 0." in said
    assert (tmp_path / "frontier.csv").read_text("utf-8").count("nearest_mean") > 20
    assert "passed" in said
    assert "failed" not in said


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The other examples in a package of their own; what runs Python beside it."""
    home = tmp_path_factory.mktemp("site")
    for name in ("duel.py", "ladder.py"):
        shutil.copy(EXAMPLES / name, home)
    info = home / "duel-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: duel\nVersion: 1.0\n")
    group, entry = '[project.entry-points."thriftscope.methods"]', "duel:DuelClassifier"
    assert f'    {group}\n    duel = "{entry}"\n' in PAGE.read_text("utf-8")
    (info / "entry_points.txt").write_text(
        f"[thriftscope.methods]\nduel = {entry}\nladder = ladder:LadderClassifier\n"
    )

    def python(*arguments):
        paths = os.pathsep.join([str(ROOT), str(home)])
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            timeout=300,
        )

    return python


def test_a_method_of_its_own_package_runs_on_three_classes_and_keeps_the_contract(
    package, tmp_path
):
    X, y = load_iris(return_X_y=True, as_frame=True)
    table = tmp_path / "iris.csv"
    X.assign(kind=np.array(["a", "b", "c"])[y]).to_csv(table, index=False)
    run = ["run", f"--table={table}", "--target=kind", "--methods=duel,ladder"]
    ran = package(
        *asked(
            [[*run, f"--out={tmp_path / 'out'}"]],
            ["duel", "ladder"],
            "tests/methods/test_contract.py",
            "docs/examples/duel.py",
            "docs/examples/ladder.py",
        )
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "\nDuel " in ran.stdout
    assert "ladder is left out" in ran.stderr
    points = pd.read_csv(tmp_path / "out" / "frontier.csv")
    assert set(points["method"]) == {"duel"}
    assert points["test_f1"].max() > 0.9
    assert "passed" in ran.stdout
    assert "failed" not in ran.stdout
