"""A sweep that is killed leaves no worker behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import until

SWEEP = """
import sys
from solvers.frontier.sweep import sweep
from tests.frontier.sweep.worlds import EndlessClassifier, tiny
from tests.waiting import until
list(sweep([EndlessClassifier(folder=sys.argv[1])], [tiny()], range(2), n_workers=2))
"""
ROOT = Path(__file__).parents[2]


def runs(process):
    state = Path(f"/proc/{process}/stat")
    try:
        return state.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_end_with_the_sweep_that_was_killed(tmp_path):
    command = [sys.executable, "-c", SWEEP, str(tmp_path)]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    sweep = subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": path}, stderr=subprocess.DEVNULL
    )
    try:
        until(lambda: len(list(tmp_path.iterdir())) == 2 or sweep.poll() is not None)
        workers = [int(told.stem) for told in tmp_path.iterdir()]
    finally:
        sweep.kill()
        sweep.wait()
    assert len(workers) == 2
    until(lambda: not any(map(runs, workers)))
