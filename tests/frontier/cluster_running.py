"""A Dask scheduler with workers, in processes of their own."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

from tests.waiting import until

# Workers are forked from a process that has imported what they need: one that takes
# the place of a dead one is there at once.
WORKERS = """
from multiprocessing import set_forkserver_preload
import dask
dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
from distributed.cli.dask_worker import main
from distributed.utils import get_mp_context
get_mp_context()  # says what it would have imported
asked = ["tests.frontier.sweep.worlds", "explorer.pages.frontier.queries"]
set_forkserver_preload(["distributed", *asked])
main()
"""


def _started(*program):
    return subprocess.Popen(
        [sys.executable, *program],
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
        "-m", "distributed.cli.dask_scheduler", "--host=127.0.0.1", "--port=0",
        "--no-dashboard", f"--scheduler-file={described}",
    )  # fmt: skip
    started = [scheduler]
    try:
        until(lambda: _is_whole(described))
        if n_workers:
            started.append(_started(
                "-c", WORKERS, f"--scheduler-file={described}", "--no-dashboard",
                "--nthreads=1", f"--nworkers={n_workers}",
                f"--local-directory={folder}",
            ))  # fmt: skip
        yield described, scheduler
    finally:
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
