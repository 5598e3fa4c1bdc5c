"""Who computes the tasks: this process, others on this machine, or a Dask cluster.

Each yields (place of the task, its outcome) as tasks finish, in any order, each once.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import fields
from typing import Any, TypeAlias

from joblib import Parallel, cpu_count, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

from ...checks import library
from ...datasets.base import Dataset
from ...errors import ThriftscopeError
from ..cluster import CLIENT_LOG, LARGE, UNREADABLE, connected, is_told
from ..frontier import FrontierPoint
from .orphans import end_with_parent
from .tasks import SweepTask, attempt_task

# A task ends with its points, or with why there are none.
Outcome: TypeAlias = "list[FrontierPoint] | ThriftscopeError"
Finished: TypeAlias = "Generator[tuple[int, Outcome], None, None]"

# So many deaths of workers in a row without a finished task are no accident.
_DEATHS = 3


def finished_on_this_machine(
    tasks: Mapping[int, SweepTask], n_workers: int | None = None
) -> Finished:
    """Yield results of processes on this machine.

    `n_workers`: how many processes, one for each processor by default; with 1 it is
    this one.
    """
    n_jobs = min(n_workers or cpu_count(), len(tasks))
    if n_jobs <= 1:
        for place, task in tasks.items():
            yield place, attempt_task(task)
        return
    waiting = dict(tasks)
    deaths = 0
    while waiting:
        # Results of a worker that dies with others' in hand are computed again.
        finished = _pool(n_jobs)(
            delayed(_placed)(place, task) for place, task in list(waiting.items())
        )
        try:
            for place, outcome in finished:
                deaths = 0
                del waiting[place]
                yield place, outcome
        except TerminatedWorkerError as error:
            deaths += 1
            if deaths == _DEATHS:
                raise ThriftscopeError(
                    f"Workers died {deaths} times in a row, last with {len(waiting)} "
                    f"tasks left, among them {next(iter(waiting.values()))}; use fewer "
                    "workers or a machine with more memory, and run it again: what "
                    "was written is kept."
                ) from error
        finally:
            finished.close()


def _pool(n_jobs: int) -> Callable[..., Any]:
    # No memory map: nothing is pickled to disk. One task at a time: fair and ordered.
    return Parallel(
        n_jobs,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        max_nbytes=None,
        initializer=_begin,
        # Workers of an earlier sweep go on only if they would find the same modules.
        initargs=(os.getpid(), tuple(sys.path)),
    )


def _begin(parent: int, paths: tuple[str, ...]) -> None:
    """Find modules where the parent does, and end with it."""
    sys.path[:] = paths
    end_with_parent(parent)


def _placed(place: int, task: SweepTask) -> tuple[int, Outcome]:
    return place, attempt_task(task)


def finished_on_cluster(tasks: Mapping[int, SweepTask], scheduler: str) -> Finished:
    """Yield results of the workers of a Dask scheduler.

    `scheduler`: its address, such as "tcp://10.0.0.1:8786". It is trusted: objects
    travel there and back.

    Notes
    -----
    The scheduler gives the tasks of a worker that died to another one, and computes
    results again that were lost with it.
    """
    distributed, dask = (
        library(name, "cluster", "A sweep on a cluster", ThriftscopeError)
        for name in ("distributed", "dask")
    )
    client = connected(distributed, scheduler)
    with _untold(CLIENT_LOG), client, dask.config.set({LARGE: "1 GB"}):
        # One root task a table: it can be repeated, scattered data could be lost.
        tables = {id(task.dataset): task.dataset for task in tasks.values()}
        held = {
            key: client.submit(_itself, table, pure=False)
            for key, table in tables.items()
        }
        places = {
            client.submit(
                _run_on, held[id(task.dataset)], _without_table(task), pure=False
            ): place
            for place, task in tasks.items()
        }
        try:
            for future in distributed.as_completed(places, loop=client.loop):
                yield (
                    places[future],
                    _result(distributed, future, tasks[places[future]]),
                )
        finally:
            with suppress(OSError):  # Nobody is there any more.
                client.cancel([*places, *held.values()])


def _result(distributed: Any, future: Any, task: SweepTask) -> Outcome:
    try:
        return future.result()
    except distributed.KilledWorker as error:
        raise ThriftscopeError(
            f"{task}: every worker that was given this task died; use workers with "
            "more memory, and run it again: what was written is kept."
        ) from error
    except (CancelledError, distributed.comm.CommClosedError) as error:
        raise ThriftscopeError(
            f"{task}: the scheduler stopped or lost the task; start it again, and run "
            "the sweep again: what was written is kept."
        ) from error
    except (ImportError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and UNREADABLE not in str(error):
            raise
        raise ThriftscopeError(
            f"{task}: the cluster lacks a module that the task needs; install there "
            "what is installed here, in the same versions."
        ) from error


@contextmanager
def _untold(name: str) -> Iterator[None]:
    """Keep errors out of a log, where they are told otherwise."""
    log = logging.getLogger(name)
    log.addFilter(is_told)
    try:
        yield
    finally:
        log.removeFilter(is_told)


def _itself(table: Any) -> Any:
    return table


def _without_table(task: SweepTask) -> dict[str, Any]:
    named = (field.name for field in fields(task) if field.name != "dataset")
    return {name: getattr(task, name) for name in named}


def _run_on(dataset: Dataset, described: dict[str, Any]) -> Outcome:
    return attempt_task(SweepTask(dataset=dataset, **described))
