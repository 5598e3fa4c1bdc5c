"""Where the heavy questions are computed: beside, or by a cluster that all pages share.

    path = computed(trace_method, "l1", params, dataset)

is `trace_method("l1", params, dataset)`, in a process beside the one that serves; by a
cluster, where the server was started with the address of a Dask scheduler. Where that
goes away, questions are answered as before.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .beside import beside
from .waiting import WAITING

if TYPE_CHECKING:
    from solvers.frontier.cluster import Cluster

logger = logging.getLogger(__name__)
Work = Callable[..., Generator[Any, None, None]]

_cluster: Cluster | None = None


def use_cluster(scheduler: str) -> Cluster:
    """Have heavy questions computed by the workers of a Dask scheduler from now on.

    Raises `ClusterError` if none answers at this address.
    """
    global _cluster
    from solvers.frontier.cluster import Cluster

    _cluster = Cluster(scheduler)
    return _cluster


def leave_cluster() -> None:
    """Compute here again."""
    global _cluster
    if _cluster is not None:
        _cluster.close()
        _cluster = None


def computed(
    work: Work,
    *arguments: Any,
    key: Hashable | None = None,
    expects: int = 1,
    priority: int = 0,
) -> Iterator[Any]:
    """Return what some work yields, on the cluster if there is one.

    `work`, `key`, `expects`, `priority`: as of `Cluster.stream`.
    """
    if _cluster is None:
        return beside(work, *arguments)
    return _Elsewhere(_cluster, work, arguments, key, expects, priority)


class _Elsewhere:
    """The answer of a cluster; or, where it has none, that of this process."""

    def __init__(
        self,
        cluster: Cluster,
        work: Work,
        arguments: tuple[Any, ...],
        key: Hashable | None,
        expects: int,
        priority: int,
    ) -> None:
        self._work, self._arguments = work, arguments
        self._question = cluster.stream(
            work, *arguments, key=key, expects=expects, priority=priority
        )
        self._items = self._answer()

    def __iter__(self) -> _Elsewhere:
        return self

    def __next__(self) -> Any:
        return next(self._items)

    def begin(self) -> None:
        """Ask the cluster before the answer is waited for."""
        try:
            self._question.begin()
        except Exception:  # the boundary: it is asked again, and fails there
            logger.debug("not asked ahead", exc_info=True)

    def close(self) -> None:
        """Give it up."""
        self._items.close()
        self._question.close()

    def _answer(self) -> Generator[Any, None, None]:
        from solvers.frontier.cluster import ClusterError

        try:
            for item in self._question:
                yield WAITING if item is None else item
        except ClusterError as error:
            # Its items come at the very end: none has come by now.
            logger.warning("%s Computed here instead.", error)
            yield from self._work(*self._arguments)


def begin_ahead(streams: Iterable[Iterator[Any]]) -> None:
    """Begin what a cluster can compute before it is waited for."""
    for stream in streams:
        if isinstance(stream, _Elsewhere):
            stream.begin()


def give_up(streams: Iterable[Iterator[Any]]) -> None:
    """Give up what a cluster has begun and nobody waits for any more."""
    for stream in streams:
        if isinstance(stream, _Elsewhere):
            stream.close()
