"""Every method's frontier and time, on several data sets and seeds, above the floors.

``python -m benchmarks.frontiers`` measures; ``--minutes 30`` stops after the frontier
that is being traced then, and the same command goes on: what is finished is kept in
``build/frontiers``, with the version of the code that traced it. Seeds come one after
the other, so that everybody has the same ones whenever it stops. It writes
``benchmarks/results/frontiers.json`` from the seeds that all methods have finished,
from which ``python -m docs.tables`` makes ``docs/results.md``. What was traced with
other code of a method or of a data set is traced again.

Training is timed, scoring is not. Each seed draws the rows (or, of a bundled table,
which of them are used), the split and the method's own chances. Costs are shares of
the full cost. Points are chosen on validation rows, thresholds are tuned there, and
test rows are reported. The answer that computes nothing is free for everybody.
"""

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from benchmarks.floors import FLOORS
from benchmarks.frontier_summary import ACCOUNTING, summary
from benchmarks.machine import code_version, machine
from benchmarks.sources import is_current, sources_of
from solvers import Dataset, ThriftscopeError, all_datasets, all_methods
from solvers.frontier.evaluation import resolve_method
from solvers.frontier.sweep import SweepPoint, plan_sweep, sweep
from solvers.frontier.sweep.parts import part_path

RESULTS = Path(__file__).parent / "results" / "frontiers.json"
POINTS = Path(__file__).parents[1] / "build" / "frontiers"
# What splits, scores and charges, for all methods alike.
SHARED = ("solvers.frontier.evaluation", "solvers.frontier.bands")
SEEDS = tuple(range(10))
BUDGETS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class World:
    """A data set of the comparison, and how many rows of it one seed uses.

    Parameters
    ----------
    n_samples : int
        Rows, of which a half to a quarter train.
    is_drawn : bool
        Whether each seed draws rows of its own; else it uses a sample of the same.
    is_linear : bool
        Whether the labels are those of a linear function of the features, but for
        noise: what a linear method can be right about.
    options : mapping
        More of what the generator is told.
    """

    n_samples: int
    is_drawn: bool
    is_linear: bool
    options: Mapping[str, int] = field(default_factory=dict)


# Few rows, and half of the features that the generators have by default, so that ten
# seeds of every method fit into half an hour of one processor.
WORLDS = {
    "breast_cancer": World(569, is_drawn=False, is_linear=False),
    "signals": World(1000, is_drawn=False, is_linear=False),
    "regions": World(1000, is_drawn=True, is_linear=False),
    "gaussian": World(1000, True, is_linear=True, options={"n_features": 50}),
    "sources": World(1000, True, is_linear=True, options={"n_sources": 10}),
}
VARIANTS = {
    "cegb, coupled": ("cegb", {"charge": "coupled"}),
    "cegb, lazy": ("cegb", {"charge": "lazy"}),
}


def contenders() -> dict:
    """Return every method on the menu, its variants and the floors."""
    found = {name: method() for name, method in all_methods().items()}
    for label, (name, params) in VARIANTS.items():
        if name in found:
            found[label] = all_methods()[name](**params)
    return {**found, **FLOORS}


def drawn(name: str, seed: int) -> Dataset:
    """Return the rows of one seed."""
    world = WORLDS[name]
    if world.is_drawn:
        told = {"n_samples": world.n_samples, "random_state": seed, **world.options}
        return replace(all_datasets()[name](**told), name=name)
    data = all_datasets()[name]()
    order = np.random.default_rng(seed).permutation(data.n_samples)
    rows = np.sort(order[: world.n_samples])
    return replace(data, X=data.X[rows], y=data.y[rows], pipeline=None, samples=None)


# --------------------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Task:
    """One frontier of the comparison."""

    dataset: str
    seed: int
    method: str


def planned(datasets, methods, seeds) -> list[Task]:
    """Return all frontiers: every method on every data set before the next seed."""
    return [
        Task(name, seed, label)
        for seed in seeds
        for name in datasets
        for label in methods
    ]


class Points:
    """Frontiers that are finished, on disk, with the version of what traced them."""

    def __init__(self, folder: Path, methods: dict) -> None:
        self.folder, self.methods = folder, methods
        self._notes_file = folder / "notes.jsonl"
        self._notes: dict[Task, dict] | None = None
        self._data: tuple[tuple[str, int] | None, Dataset | None] = (None, None)

    def is_kept(self, task: Task) -> bool:
        """Return whether a frontier is there, traced with the code of now."""
        known = self.notes().get(task, {}).get("sources")
        return is_current(known) and self._path(task).exists()

    def trace(self, task: Task) -> str:
        """Trace a frontier that is not kept yet, and say how that went."""
        started = time.process_time()
        self._path(task).unlink(missing_ok=True)  # of other code
        try:
            list(self.read(task))
            said = "done"
        except ThriftscopeError as error:
            said = str(error)
        took = time.process_time() - started
        note = {"code": code_version(), "sources": self.sources(task)}
        note |= {"took": took, "said": said}
        with self._notes_file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(vars(task) | note) + "\n")
        self.notes()[task] = note
        return said

    def sources(self, task: Task) -> dict:
        """Return the code that a frontier depends on, but for what all depend on."""
        maker = all_datasets()[task.dataset]
        own = {type(self.methods[task.method]).__module__, maker.__module__}
        return sources_of(own, but_of=SHARED)

    def read(self, task: Task) -> Iterator[SweepPoint]:
        """Return the points of a frontier, traced where they are not kept yet."""
        given = (
            {task.method: self.methods[task.method]},
            [self._rows(task)],
            [task.seed],
        )
        return sweep(*given, accounting=ACCOUNTING, out=self.folder, n_workers=1)

    def notes(self) -> dict[Task, dict]:
        """Return the last note on every frontier that was tried."""
        if self._notes is None:
            self._notes = {}
            is_there = self._notes_file.exists()
            text = self._notes_file.read_text("utf-8") if is_there else ""
            for told in map(json.loads, text.splitlines()):
                task = Task(told.pop("dataset"), told.pop("seed"), told.pop("method"))
                self._notes[task] = told
        return self._notes

    def _rows(self, task: Task) -> Dataset:
        key = (task.dataset, task.seed)
        if self._data[0] != key:
            self._data = (key, drawn(*key))
        return self._data[1]

    def _path(self, task: Task) -> Path:
        given = (
            {task.method: self.methods[task.method]},
            [self._rows(task)],
            [task.seed],
        )
        (found,) = plan_sweep(*given, accounting=ACCOUNTING)
        return part_path(self.folder, found)


def measure(tasks: list[Task], points: Points, minutes: float) -> None:
    """Trace what is not there yet, until the minutes are over."""
    started, refused = time.perf_counter(), _refused(points)
    points.folder.mkdir(parents=True, exist_ok=True)
    for task in tasks:
        if (task.dataset, task.method) in refused or points.is_kept(task):
            continue
        if time.perf_counter() - started > 60.0 * minutes:
            print("stopped: the minutes are over; the same command goes on")
            return
        said = points.trace(task)
        if said != "done":
            refused[task.dataset, task.method] = said
        seconds = time.perf_counter() - started
        print(f"{seconds:7.1f} s: {task.dataset}, {task.seed}, {task.method}: {said}")


def _refused(points: Points) -> dict[tuple[str, str], str]:
    """Return why methods have no points on a data set, as the code of now says."""
    return {
        (task.dataset, task.method): note["said"]
        for task, note in points.notes().items()
        if note["said"] != "done" and note["code"] == code_version()
    }


# ------------------------------------------------------------------------- the results


def results_of(datasets, methods, seeds, points: Points) -> dict:
    """Return the results of every seed that all methods have finished."""
    notes, refused = points.notes(), _refused(points)
    found = {
        "environment": machine(),
        "code": sorted({note["code"] for note in notes.values()}),
        "sources": sources_of(SHARED),
        "budgets": list(BUDGETS),
        "accounting": ACCOUNTING,
        "datasets": {},
    }
    for name in datasets:
        skipped = {m: refused[name, m] for m in methods if (name, m) in refused}
        running = [m for m in methods if m not in skipped]
        whole = [
            seed
            for seed in seeds
            if all(points.is_kept(Task(name, seed, m)) for m in running)
        ]
        if whole:
            rows = [
                p for s in whole for m in running for p in points.read(Task(name, s, m))
            ]
            told = _told(name, whole, rows, methods, skipped)
            for m in running:
                told["methods"][m] |= _of_code([notes[Task(name, s, m)] for s in whole])
            found["datasets"][name] = told
    return found


def _of_code(notes: list[dict]) -> dict:
    """Return with which code a method's frontiers were traced: all with the same."""
    commits = sorted({note["code"] for note in notes})
    return {"code": commits, "sources": notes[0]["sources"]}


def _told(name: str, seeds, points: list[SweepPoint], methods, skipped) -> dict:
    world = WORLDS[name]
    full = [p.full_cost for p in points if p.number == 0]
    return {
        "seeds": seeds,
        "rows": world.n_samples,
        "linear": world.is_linear,
        "unit": points[0].unit,
        "full cost": {"mean": float(np.mean(full))},
        "methods": summary(points, BUDGETS, redrawn=world.is_drawn, methods=methods),
        "skipped": skipped,
    }


def chosen(names, known) -> dict:
    for name in names:
        if name not in known:
            resolve_method(name)  # says what is known, or what is missing
    return {name: known[name] for name in names}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="+", default=list(WORLDS))
    parser.add_argument("--methods", nargs="+", help="all, their variants and floors")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS))
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--points", type=Path, default=POINTS)
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    known = contenders()
    methods = chosen([*options.methods, *FLOORS], known) if options.methods else known
    points = Points(options.points, methods)
    tasks = planned(options.datasets, methods, options.seeds)
    measure(tasks, points, options.minutes)
    found = results_of(options.datasets, methods, options.seeds, points)
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
