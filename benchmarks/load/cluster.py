"""A Dask cluster on this machine, of whose workers one is killed on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Workers", "workers"]

WAIT_SECONDS = 120


class Workers:
    """Workers of a scheduler, and what they have done."""

    def __init__(self, address: str, processes: list[subprocess.Popen], client: Any):
        self.address = address
        self._processes, self._client = processes, client

    def kill_one(self) -> None:
        """Kill a worker, and what would start it again."""
        os.killpg(self._processes[-1].pid, signal.SIGKILL)

    def n_answered(self) -> int:
        """Return how many questions were answered."""
        return int(self._client.run_on_scheduler(_n_answered))


def _n_answered(dask_scheduler: Any) -> int:
    asked = dask_scheduler.task_prefixes.get("thriftscope")
    return 0 if asked is None else asked.state_counts["memory"]


@contextmanager
def workers(n_workers: int) -> Iterator[Workers]:
    """Start a scheduler and so many workers of one thread each."""
    from distributed import Client

    with tempfile.TemporaryDirectory() as folder:
        described = Path(folder) / "scheduler.json"
        told = (f"--scheduler-file={described}", "--no-dashboard")
        alone = ("--nthreads=1", "--nworkers=1", f"--local-directory={folder}")
        started = [_started("scheduler", *told, "--host=127.0.0.1", "--port=0")]
        try:
            started += [_started("worker", *told, *alone) for _ in range(n_workers)]
            with Client(scheduler_file=str(described), timeout=WAIT_SECONDS) as client:
                client.wait_for_workers(n_workers, timeout=WAIT_SECONDS)
                yield Workers(client.scheduler.address, started, client)
        finally:
            for process in started:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _started(program: str, *options: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{program}", *options],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
