"""Questions that a Dask cluster answers, one by one, for a process that serves many.

A sweep knows all of its tasks; here a question comes when somebody asks it, and nobody
may wait for its answer any more when it is half done.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import logging
import math
import pickle
import threading
import time
import uuid
from collections.abc import Callable, Generator, Hashable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures import Future as Awaited
from contextlib import closing
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from ..checks import library, versions
from ..datasets.base import Dataset
from ..errors import ThriftscopeError, shown
from ..numerics.threads import one_thread

_CONNECT_SECONDS = 10
# Somebody waits for it, and the answer can be computed without.
_RECONNECT_SECONDS = 2
# A scheduler that went away is looked for again after so long.
_AWAY_SECONDS = 30
# So long nothing new is waited for, at most, before the caller has its turn.
_POLL_SECONDS = 0.02
# Workers tell so often how far they are.
_TELL_SECONDS = 0.2
# A worker that was killed is started again within a few seconds.
_EMPTY_SECONDS = 10
_TOPIC = "thriftscope"
# Of these a worker has the same versions, or its points could be others.
_SAME = ("thriftscope", "numpy", "scipy", "scikit-learn")
# What a scheduler says of tasks whose modules it does not have.
UNREADABLE = "deserialization of the task graph"
# A table travels to the scheduler once; dask warns of more than 10 MB.
LARGE = "distributed.admin.large-graph-warning-threshold"
# Tells of a scheduler that is gone by a traceback; whoever asked is told by a sentence.
CLIENT_LOG = "distributed.client"


class ClusterError(ThriftscopeError):
    """A cluster cannot answer; the question may be computed elsewhere."""


def connected(
    distributed: Any, scheduler: str, seconds: float | None = None, **options: Any
) -> Any:
    """Return a client of a scheduler, or refuse with a sentence."""
    seconds = _CONNECT_SECONDS if seconds is None else seconds
    try:
        return distributed.Client(
            scheduler, timeout=seconds, set_as_default=False, **options
        )
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"No Dask scheduler answers at {shown(scheduler)}; start one with "
            "'dask scheduler', and give the address that it prints."
        ) from error


def is_told(record: logging.LogRecord) -> bool:
    """Return whether a record is no error: these are told otherwise."""
    return record.levelno < logging.ERROR


class Cluster:
    """Workers of a Dask scheduler, to which one question after the other goes.

    Parameters
    ----------
    scheduler : str
        Its address, such as "tcp://10.0.0.1:8786". It is trusted: objects travel there
        and back by pickle.

    Raises
    ------
    ClusterError
        If none answers there.
    """

    def __init__(self, scheduler: str) -> None:
        self.scheduler = scheduler
        self._distributed, dask = (
            library(name, "cluster", "Computing on a cluster", ClusterError)
            for name in ("distributed", "dask")
        )
        dask.config.set({LARGE: "1 GB"})
        self._news = threading.Condition()
        self._n_news = 0
        self._asked: WeakSet[ClusterQuestion] = WeakSet()
        self._connecting = threading.Lock()
        self._away_until = 0.0
        self._looked_at, self._empty_since = 0.0, math.inf
        logging.getLogger(CLIENT_LOG).addFilter(is_told)
        self._connect(_CONNECT_SECONDS)

    @property
    def n_workers(self) -> int:
        """How many processes compute there now."""
        try:
            return len(self._client.scheduler_info()["workers"])
        except OSError as error:  # of the connection
            raise self._lost() from error

    def stream(
        self,
        work: Callable[..., Generator[Any, None, None]],
        *arguments: Any,
        key: Hashable | None = None,
        expects: int = 1,
        priority: int = 0,
    ) -> ClusterQuestion:
        """Return what some work yields, computed by one of the workers.

        Parameters
        ----------
        work : generator function
            At the top of a module. It yields items, and floats that say how much of
            all is done. Linear algebra runs in one thread in it.
        *arguments
            What it is given. A data set travels once, however often it is asked of,
            without its pipeline and raw samples.
        key : hashable, optional
            What tells the question from all others, by values alone: of several that
            ask the same at the same time, in one process or in more, one is computed.
        expects : int, default=1
            How many items are about to come, for how much of all is done.
        priority : int, default=0
            Higher ones come first.

        Returns
        -------
        ClusterQuestion
            It yields None while nothing is new, floats that say how much is done, and
            all items at the end. Closing it gives the question up: where nobody else
            waits for it, the worker stops at its next item.

        Notes
        -----
        The scheduler gives the question of a worker that died to another one.
        """
        return ClusterQuestion(self, work, arguments, key, expects, priority)

    def close(self) -> None:
        """Leave the scheduler."""
        self._client.close()
        logging.getLogger(CLIENT_LOG).removeFilter(is_told)

    def _connect(self, seconds: float) -> None:
        self._client = connected(self._distributed, self.scheduler, seconds)
        self._client.subscribe_topic(_TOPIC, self._hear)
        # A root task each: it can be repeated, scattered data could be lost.
        self._tables: WeakKeyDictionary[Dataset, Any] = WeakKeyDictionary()

    def _running(self) -> Any:
        """Return the client, connected anew if the scheduler had gone away."""
        with self._connecting:
            if self._client.status == "running":
                return self._client
            now = time.monotonic()
            if now >= self._away_until:
                self._away_until = now + _AWAY_SECONDS
                if self._client.status == "closed":
                    self._connect(_RECONNECT_SECONDS)
                    return self._client
        raise self._lost()

    def _check(self, client: Any) -> None:
        """Refuse if the scheduler has gone away, or has had no worker for long."""
        if client is not self._client or client.status != "running":
            raise self._lost()
        now = time.monotonic()
        if now - self._looked_at > _EMPTY_SECONDS / 5:
            self._looked_at = now
            is_empty = not self.n_workers
            self._empty_since = min(now, self._empty_since) if is_empty else math.inf
        if now - self._empty_since > _EMPTY_SECONDS:
            raise ClusterError(
                f"The Dask scheduler at {shown(self.scheduler)} has no workers; "
                f"start some with 'dask worker {self.scheduler}'."
            )

    def _lost(self) -> ClusterError:
        return ClusterError(
            f"The Dask scheduler at {shown(self.scheduler)} has stopped or cannot be "
            "reached; start it again at this address."
        )

    def _held(self, client: Any, argument: Any) -> Any:
        if not isinstance(argument, Dataset):
            return argument
        held = self._tables.get(argument)
        if held is None:
            held = self._tables[argument] = client.submit(
                _itself, portable(argument), pure=False
            )
        return held

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        _, told = event
        with self._news:
            for question in self._asked:
                if question.key == told["key"]:
                    question.told = told["items"], told["share"]
        self._tell()

    def _tell(self) -> None:
        with self._news:
            self._n_news += 1
            self._news.notify_all()

    def _wait(self, seen: int, looked_at: float) -> int:
        """Wait a moment for what has not been seen; return what has.

        Counted from the last look: many that wait in turn hold a thread no longer
        than one does.
        """
        with self._news:
            left = looked_at + _POLL_SECONDS - time.monotonic()
            if self._n_news == seen and left > 0:
                self._news.wait(left)
            return self._n_news


class ClusterQuestion:
    """A question to a cluster, as ``Cluster.stream`` returns it."""

    def __init__(
        self,
        cluster: Cluster,
        work: Callable[..., Generator[Any, None, None]],
        arguments: tuple[Any, ...],
        key: Hashable | None,
        expects: int,
        priority: int,
    ) -> None:
        self._cluster, self._work, self._arguments = cluster, work, arguments
        self._is_shared, self._expects = key is not None, expects
        self._priority = priority
        told = uuid.uuid4().hex if key is None else _digest((work, key, _versions()))
        self.key = f"thriftscope-{told}"
        self.told = 0, 0.0  # How many items its worker has, and what share is done
        self._client: Any = None
        self._future: Any = None
        self._got: Awaited[Any] | None = None

    def begin(self) -> None:
        """Ask, if it was not asked yet: what comes is waited for later."""
        if self._future is not None:
            return
        cluster = self._cluster
        self._client = client = cluster._running()
        with cluster._news:
            cluster._asked.add(self)
        # What several ask is asked with all of it, or they would not ask the same.
        given = [
            portable(one) if self._is_shared else cluster._held(client, one)
            for one in self._arguments
        ]
        self._future = future = client.submit(
            *(_worked, _versions(), self._work, *given),
            key=self.key,
            priority=self._priority,
        )

        async def fetched() -> Any:
            return await client.gather(future, asynchronous=True)

        self._got = asyncio.run_coroutine_threadsafe(
            fetched(), client.loop.asyncio_loop
        )
        self._got.add_done_callback(lambda _: cluster._tell())

    def __iter__(self) -> Iterator[Any]:
        """Yield None, shares and items; begin, if need be."""
        try:
            self.begin()
            items, error = yield from self._outcome()
        finally:
            self.close()
        yield from items
        if error is not None:
            raise error

    def close(self) -> None:
        """Give it up; others that ask the same go on."""
        future, self._future, self._got = self._future, None, None
        with self._cluster._news:
            self._cluster._asked.discard(self)
        if future is not None:
            future.release()  # Which ends what fetches it as well

    def _outcome(self) -> Any:
        seen, told, looked_at = -1, 0.0, 0.0
        assert self._got is not None
        while not self._got.done():
            self._cluster._check(self._client)
            n_items, share = self.told
            share = max(share, min(1.0, n_items / max(1, self._expects)))
            yield share if share > told else None
            told = max(told, share)
            seen = self._cluster._wait(seen, looked_at)
            looked_at = time.monotonic()
        distributed = self._cluster._distributed
        closed = distributed.comm.CommClosedError
        try:
            return self._got.result()
        except distributed.KilledWorker as error:
            raise ThriftscopeError(
                "Every worker of the cluster that was given this died; use workers "
                "with more memory, or try fewer rows or features."
            ) from error
        except (CancelledError, asyncio.CancelledError, closed) as error:
            raise self._cluster._lost() from error
        except (ImportError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and UNREADABLE not in str(error):
                raise
            raise ClusterError(
                "The cluster lacks a module that this needs; install there what is "
                "installed here, in the same versions."
            ) from error


def _worked(
    asked_by: dict[str, str],
    work: Callable[..., Generator[Any, None, None]],
    *arguments: Any,
) -> tuple[list[Any], ThriftscopeError | None]:
    """Return the items of some work, and why there are no more; on a worker.

    `asked_by`: `_versions` of who asks.
    """
    for name, there in asked_by.items():
        if there != (here := versions()[name]):
            return [], ClusterError(
                f"A worker of the cluster has {name} {here} where {there} is asked "
                "for, and its points could be others; install the same versions on "
                "all of them."
            )
    distributed: Any = library("distributed", "cluster", "A worker")
    worker = distributed.get_worker()
    key = worker.get_current_task()
    items: list[Any] = []
    share, told_at = 0.0, time.monotonic()
    try:
        with one_thread(), closing(work(*arguments)) as found:
            for item in found:
                if isinstance(item, float):
                    share = item
                else:
                    items.append(item)
                if not _is_wanted(worker, key):
                    # Forgotten, or done again for who has asked in this very moment.
                    raise distributed.Reschedule
                if time.monotonic() - told_at > _TELL_SECONDS:
                    told_at = time.monotonic()
                    told = {"key": key, "items": len(items), "share": share}
                    worker.log_event(_TOPIC, told)
    except ThriftscopeError as error:
        return items, error
    return items, None


def _versions() -> dict[str, str]:
    """Return the versions on which points depend, of what is installed here."""
    found = versions()
    return {name: found[name] for name in _SAME}


def _is_wanted(worker: Any, key: str) -> bool:
    task = worker.state.tasks.get(key)
    return task is not None and task.state != "cancelled"


def _itself(table: Any) -> Any:
    return table


def portable(argument: Any) -> Any:
    """Return an argument as it goes to another process.

    Of a data set without functions and raw samples: they are not needed there, and may
    not travel.
    """
    if not isinstance(argument, Dataset):
        return argument
    return replace(argument, pipeline=None, samples=None)


def _digest(asked: Any) -> str:
    """Return a name for what is asked, by its values alone: a server's or another's."""
    text = io.BytesIO()
    pickler = pickle.Pickler(text, protocol=5)
    pickler.fast = True  # No references: whether two strings are one does not count
    pickler.dump(asked)
    return hashlib.sha256(text.getvalue()).hexdigest()
