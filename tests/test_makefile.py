"""`make test` runs every part, and fails where one did."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ["check", "unit", "kernels", "browser"]
# Stands for make: writes down what it is asked for, and fails where it is told to.
STANDS_IN = 'echo "part $2"; case " $FAILING " in *" $2 "*) exit 1;; esac\n'


@pytest.fixture
def make_test(tmp_path):
    """Run `make test` with parts that fail as told; return its code and its lines."""
    if shutil.which("make") is None:
        pytest.skip("there is no make")
    (tmp_path / "bin").mkdir()
    for name in ("bin/python", ".app", ".test"):  # nothing is to be set up
        (tmp_path / name).touch()
    script = tmp_path / "make.sh"
    script.write_text(STANDS_IN)

    def run(*failing):
        done = subprocess.run(
            ["make", "test", f"VENV={tmp_path}", f"MAKE=sh {script}"],
            env={"PATH": "/usr/bin:/bin", "FAILING": " ".join(failing)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout.splitlines()

    return run


def in_turn(lines):
    """The lines without the audit's, which runs beside all others."""
    assert lines.count("part audit") == 1
    return [line for line in lines if line != "part audit"]


def test_all_parts_run_in_turn_beside_the_audit(make_test):
    code, lines = make_test()
    assert code == 0
    assert in_turn(lines) == [f"part {part}" for part in PARTS]


@pytest.mark.parametrize(
    "failing", [["check"], ["unit", "browser"], ["browser", "audit"]]
)
def test_a_part_that_fails_keeps_none_from_running_and_is_named(make_test, failing):
    code, lines = make_test(*failing)
    assert code != 0
    assert in_turn(lines) == [
        *(f"part {part}" for part in PARTS),
        f"Failed: {' '.join(failing)}.",
    ]
