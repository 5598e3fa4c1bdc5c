"""A Dask scheduler with workers, in processes of their own."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

from tests.waiting import until


def _started(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _is_whole(described):
    """Whether what describes a scheduler is there, and not half of it."""
    return described.exists() and described.read_text("utf-8").strip().endswith("}")


@contextmanager
def running(folder, n_workers):
    """A scheduler with workers: what describes it, and its process."""
    described = folder / "scheduler.json"
    scheduler = _started(
        "dask_scheduler", "--host=127.0.0.1", "--port=0", "--no-dashboard",
        f"--scheduler-file={described}",
    )  # fmt: skip
    started = [scheduler]
    try:
        until(lambda: _is_whole(described))
        started += [
            _started(
                "dask_worker", f"--scheduler-file={described}", "--no-dashboard",
                "--nthreads=1", "--nworkers=1", f"--local-directory={folder}",
            )
            for _ in range(n_workers)
        ]  # fmt: skip
        yield described, scheduler
    finally:
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
