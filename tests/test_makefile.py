"""`make test` runs every part, and fails where one did."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.each import each

ROOT = Path(__file__).parents[1]
PARTS = ["unit", "kernels", "browser"]
BESIDE = ["check", "audit", "newest"]
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


RUN = [f"part {part}" for part in (*PARTS, *BESIDE)]


def test_all_parts_run_in_turn_and_what_ran_beside_them_is_told_after_them(make_test):
    assert make_test() == (0, RUN)


@each("failing", [["check"], ["unit", "browser"], ["browser", "audit"]])
def test_a_part_that_fails_keeps_none_from_running_and_is_named(make_test, failing):
    code, lines = make_test(*failing)
    assert code != 0
    assert lines == [*RUN, f"Failed: {' '.join(failing)}."]
