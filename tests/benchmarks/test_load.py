"""What the load benchmarks note is JSON, and whole."""

import json

from benchmarks.load.loop_watch import noted
from benchmarks.load.read_watch import readings
from benchmarks.load.sliders import spread


def test_a_move_that_was_never_answered_is_no_number():
    found = spread([0.1, 0.2, float("inf")], 1000.0)
    assert found == {"median": 200.0, "p95": None, "p99": None, "most": None, "n": 3}
    json.dumps(found, allow_nan=False)


def test_nothing_has_no_spread():
    assert spread([], 1000.0) == {"n": 0}


def test_a_reading_that_still_runs_has_no_ending(tmp_path):
    noted = tmp_path / "readings.jsonl"
    assert readings(noted) == (0, [])
    ended = {"ending": "read", "seconds": 1.5}
    lines = [{"began": 1.0}, ended, {"began": 2.0}]
    noted.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert readings(noted) == (2, [ended])


def test_what_kept_the_loop_before_is_left_out(tmp_path):
    path = tmp_path / "gaps.jsonl"
    assert noted(path, 0.0) == []
    lines = [{"at": 1.0, "late": 0.2}, {"at": 3.0, "callback": 0.1, "what": "f"}]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert noted(path, 2.0) == lines[1:]
