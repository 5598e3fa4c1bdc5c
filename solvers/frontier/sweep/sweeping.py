"""The sweep itself: points in order, whoever computes them and however often.

What finished before is read, not computed; the points of a run are a frontier again.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...checks import check_count, eager
from ...decisions.row_costs import Accounting
from ...errors import ThriftscopeError, shown
from ..free_answer import free_scores
from ..frontier import Frontier, FrontierPoint
from ..scoring import ThresholdRule
from .parts import part_path, read_part, stored_digest, write_part
from .tasks import Datasets, Methods, SweepPoint, SweepRefusal, SweepTask, plan_sweep
from .workers import finished_on_cluster, finished_on_this_machine


@eager
def sweep(
    methods: Methods,
    datasets: Datasets,
    seeds: Iterable[int] = (0,),
    *,
    n_folds: int | None = None,
    redraw: bool = False,
    accounting: Accounting = "mean",
    threshold: ThresholdRule = "tuned",
    out: str | Path | None = None,
    scheduler: str | None = None,
    n_workers: int | None = None,
    refused: list[SweepRefusal] | None = None,
) -> Iterator[SweepPoint | None]:
    """Yield the frontier points of many methods, data sets and seeds.

    Parameters
    ----------
    methods, datasets, seeds, n_folds, redraw, accounting, threshold
        As in `plan_sweep`.
    out : str or Path, optional
        Folder that keeps the points of every finished task in a Parquet file, whatever
        the order. What is there already is not computed again.
    scheduler : str, optional
        Address of a Dask scheduler, such as "tcp://10.0.0.1:8786", whose workers
        compute. Without it nothing is connected to.
    n_workers : int, optional
        Processes on this machine, one for each processor by default.
    refused : list, optional
        Takes a `SweepRefusal` for each task whose method cannot take the data, and the
        others go on; without it the first such task ends the sweep.

    Yields
    ------
    SweepPoint
        In the order of `plan_sweep` and of each path: the same points whoever
        computes, but for their training times. Closing the iterator stops the workers.

    Raises
    ------
    ThriftscopeError
        Before the first point, if something is unknown, stands twice or does not fit,
        or `out` holds results of another sweep; later, if a task fails.

    Examples
    --------
    >>> points = list(sweep(["l1"], ["breast_cancer"], seeds=[0, 1], n_workers=1))
    >>> sorted({(point.method, point.seed) for point in points})
    [('l1', 0), ('l1', 1)]
    """
    if n_workers is not None:
        check_count("n_workers", n_workers, 1)
    tasks = plan_sweep(
        methods,
        datasets,
        seeds,
        n_folds=n_folds,
        redraw=redraw,
        accounting=accounting,
        threshold=threshold,
    )
    store = None if out is None else _Store(Path(out), tasks)
    stored = frozenset() if store is None else store.stored
    missing = {i: task for i, task in enumerate(tasks) if i not in stored}
    finished = (
        finished_on_this_machine(missing, n_workers)
        if scheduler is None
        else finished_on_cluster(missing, scheduler)
    )
    yield None  # checked
    waiting: dict[int, list[SweepPoint]] = {}
    try:
        for place in range(len(tasks)):
            if store is not None and place in store.stored:
                yield from store.read(place)
                continue
            while place not in waiting:
                arrived, outcome = next(finished)
                if isinstance(outcome, ThriftscopeError):
                    if refused is None:
                        raise outcome
                    refused.append(_refusal(tasks[arrived], outcome))
                    waiting[arrived] = []
                    continue
                waiting[arrived] = _swept(tasks[arrived], outcome)
                if store is not None:
                    store.write(arrived, waiting[arrived])
            yield from waiting.pop(place)
    finally:
        with warnings.catch_warnings():
            # That tasks are dropped is what is wanted of a sweep that is given up.
            warnings.filterwarnings("ignore", ".* have been cancelled", UserWarning)
            finished.close()


def _swept(task: SweepTask, points: Sequence[FrontierPoint]) -> list[SweepPoint]:
    hypergraph, floor = task.dataset.hypergraph, free_scores(task.split())
    return [
        SweepPoint(
            task.dataset.name,
            task.method,
            task.seed,
            task.fold,
            number,
            hypergraph.total_cost,
            hypergraph.unit,
            point,
            floor,
        )
        for number, point in enumerate(points)
    ]


class _Store:
    """A folder of finished tasks."""

    def __init__(self, folder: Path, tasks: Sequence[SweepTask]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._paths = [part_path(folder, task) for task in tasks]
        self._digests = [task.digest() for task in tasks]
        self.stored = frozenset(
            place for place, task in enumerate(tasks) if self._has(place, task)
        )

    def _has(self, place: int, task: SweepTask) -> bool:
        digest = stored_digest(self._paths[place])
        if digest is not None and digest != self._digests[place]:
            raise ThriftscopeError(
                f"{shown(str(self._paths[place]))} holds {task} of another sweep, with "
                "other parameters or data; choose another folder, or remove the file."
            )
        return digest is not None

    def read(self, place: int) -> list[SweepPoint]:
        return read_part(self._paths[place])

    def write(self, place: int, points: Sequence[SweepPoint]) -> None:
        write_part(self._paths[place], points, self._digests[place])


def _refusal(task: SweepTask, why: ThriftscopeError) -> SweepRefusal:
    return SweepRefusal(task.dataset.name, task.method, task.seed, task.fold, str(why))


def sweep_frontiers(
    points: Iterable[SweepPoint],
    accounting: Accounting = "mean",
    *,
    relative: bool = False,
) -> dict[tuple[str, str], list[Frontier]]:
    """Return the frontiers of each method on each data set.

    Parameters
    ----------
    points : iterable of SweepPoint
        In any order.
    accounting : {"mean", "p95", "max"}, default="mean"
        Which cost over rows is the axis.
    relative : bool, default=False
        Whether costs are shares of the full cost, as for data drawn anew, whose full
        costs differ.

    Returns
    -------
    dict of (str, str) to list of Frontier
        By data set and method, as they first appear; one for each run, by seed and
        fold, and so the same runs in the same places for every method. Each knows what
        the free answer scores on its rows.

    Raises
    ------
    ThriftscopeError
        If a method lacks runs that another one has on the same data.
    """
    runs: dict[tuple[str, str], dict[tuple[int, int], list[FrontierPoint]]] = {}
    floors: dict[tuple[str, int, int], Mapping[str, float]] = {}
    for swept in points:
        fold = -1 if swept.fold is None else swept.fold
        of_method = runs.setdefault((swept.dataset, swept.method), {})
        scale = swept.full_cost if relative and swept.full_cost > 0 else 1.0
        floors[swept.dataset, swept.seed, fold] = swept.floor
        of_method.setdefault((swept.seed, fold), []).append(_scaled(swept.point, scale))
    _refuse_missing_runs({key: set(found) for key, found in runs.items()})
    return {
        key: [
            Frontier(found[run], accounting, floor=floors[key[0], *run])
            for run in sorted(found)
        ]
        for key, found in runs.items()
    }


def _scaled(point: FrontierPoint, scale: float) -> FrontierPoint:
    if scale == 1.0:
        return point
    validation = point.validation_cost or point.cost
    return replace(
        point,
        cost={name: cost / scale for name, cost in point.cost.items()},
        validation_cost={name: cost / scale for name, cost in validation.items()},
    )


def _refuse_missing_runs(runs: dict[tuple[str, str], set[tuple[int, int]]]) -> None:
    for (dataset, method), found in runs.items():
        wanted = set.union(
            *(have for (data, _), have in runs.items() if data == dataset)
        )
        if found != wanted:
            seed, fold = min(wanted - found)
            where = f"seed {seed}" + (f", fold {fold}" if fold >= 0 else "")
            raise ThriftscopeError(
                f"There are no points of {method} on {dataset} with {where}, which "
                "other methods have; finish the sweep first."
            )
