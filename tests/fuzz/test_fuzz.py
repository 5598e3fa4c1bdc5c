"""A short run of ``make fuzz``: every loader, in a child with bounds."""

import subprocess
import sys
from functools import partial
from pathlib import Path

from tests.fuzz.loaders import loaders
from tests.fuzz.refusal import refusal


def test_every_loader_reads_its_seed():
    for name, loader in loaders().items():
        assert refusal(partial(loader.read, loader.seed)) is None, name


def test_broken_files_of_every_loader_are_read_or_refused():
    run = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--files=2", "--seed=1"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert len(run.stdout.splitlines()) == len(loaders()) >= 20
