"""What `make quick` leaves out is there, and is told by the durations of a run."""

from pathlib import Path

from tests.slow_files import SECONDS, slow_files, slow_in


def test_every_file_that_is_left_out_is_there():
    root = Path(__file__).parents[1]
    assert [file for file in slow_files() if not (root / file).exists()] == []


def test_durations_of_a_file_are_added_up():
    most = 0.6 * SECONDS
    log = [
        f"{most:.2f}s call     tests/a/test_b.py::test_c[1.0]",
        f"{most:.2f}s setup    tests/a/test_b.py::test_d",
        f"{most:.2f}s call     tests/test_e.py::test_f",
        f"{9 * most:.2f}s call     solvers/errors.py::solvers.errors.listed",
        "tests/test_e.py::test_f PASSED",
    ]
    assert slow_in(log) == ["tests/a/test_b.py"]
