"""The part of ``thriftscope run`` that sweeps over data sets, seeds and folds."""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
from tqdm import tqdm

from solvers import (
    Dataset,
    Frontier,
    ThriftscopeError,
    all_methods,
    free_scores,
    split_dataset,
)
from solvers.costs.interchange import guarded, write_text
from solvers.errors import DataError, reason_of, shown
from solvers.frontier.bands import Band, compare_bands, frontier_band
from solvers.frontier.evaluation import Split
from solvers.frontier.free_answer import free_answer
from solvers.frontier.sweep import (
    SweepPoint,
    SweepRefusal,
    plan_sweep,
    sweep,
    sweep_frontiers,
)

from ..widgets.text import unit_text
from .data_options import positive_text, table_text


class PointFile:
    """A CSV file that grows by one row a point, each on disk before the next comes.

    The parameters of all methods have a column from the start; where other data have
    further prices or scores, the file is written anew with a column for each.
    """

    def __init__(self, path: Path, methods: Iterable[str]) -> None:
        self._path = path
        self._file = path.open("a", encoding="utf-8", newline="")
        known = all_methods()
        names = dict.fromkeys(knob for name in methods for knob in known[name].knobs)
        self._params = [f"param_{name}" for name in names]
        self._writer: csv.DictWriter[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # every row is flushed, or was told of, by itself
            self._file.close()

    def write(self, row: Mapping[str, Any]) -> None:
        """Append a point, as ``row()`` gives it, and flush it."""
        if self._writer is None:
            self._file.truncate(0)  # what a run before has left, until there is a point
            self._writer = csv.DictWriter(
                self._file, self._columns(row), lineterminator="\n"
            )
            self._writer.writeheader()
        try:
            if new := [name for name in row if name not in self._writer.fieldnames]:
                self._widen(new)
            self._writer.writerow({name: guarded(row[name]) for name in row})
            self._file.flush()
        except OSError as error:
            raise ThriftscopeError(
                f"{shown(self._file.name)} cannot be written ({reason_of(error)}); the "
                "points before this one are in it: make room, and run again."
            ) from error

    def _widen(self, names: list[str]) -> None:
        """Write the file anew with further columns, beside and then in its place."""
        self._file.close()
        wider = self._path.with_name(f"{self._path.name}.wider")
        with self._path.open(encoding="utf-8", newline="") as before:
            rows = csv.DictReader(before)
            columns = [*(rows.fieldnames or ()), *names]
            with wider.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, columns, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
        wider.replace(self._path)
        self._file = self._path.open("a", encoding="utf-8", newline="")
        self._writer = csv.DictWriter(self._file, columns, lineterminator="\n")

    def _columns(self, row: Mapping[str, Any]) -> list[str]:
        others = [name for name in row if not name.startswith("param_")]
        after = others.index("method") + 1
        return [*others[:after], *self._params, *others[after:]]


_MOST_SEEDS = 10_000
# Test rows over training rows of the usual split; data that are drawn anew overlap
# less, so this errs on the side of noise.
_OVERLAP = 0.5


def add_sweep_options(run: argparse.ArgumentParser) -> None:
    """Add the options that make a run a sweep."""
    sweeping = run.add_argument_group(
        "sweep",
        "over several data sets (names with commas), seeds or folds; results go to "
        "OUT/points as they arrive, and the same command goes on where it stopped",
    )
    sweeping.add_argument("--seeds", help="such as 0,1,2 or 0-9, instead of --seed")
    sweeping.add_argument("--folds", type=int, help="test on each of so many folds")
    sweeping.add_argument(
        "--redraw", action="store_true", help="draw generated data anew with each seed"
    )
    sweeping.add_argument("--workers", type=int, help="processes on this machine")
    sweeping.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="let the workers of this Dask scheduler compute, as in tcp://10.0.0.1:8786",
    )


def is_sweep(options: argparse.Namespace) -> bool:
    """Return whether a run was asked for more than one frontier of each method."""
    asked = (options.seeds, options.folds, options.workers, options.scheduler)
    return options.redraw or any(value is not None for value in asked)


def run_sweep(
    options: argparse.Namespace,
    methods: Sequence[str],
    datasets: Sequence[Dataset | str],
) -> None:
    """Sweep, and write points, one table of them and their bands."""
    seeds = [options.seed] if options.seeds is None else parse_seeds(options.seeds)
    for one in datasets:
        if isinstance(one, Dataset):  # somebody's table: nothing is lost in silence
            splits = [split_dataset(one, seed) for seed in seeds]
            sys.stdout.write(table_text(splits[0]) + _trivial_text(splits))
    plan: dict[str, Any] = {
        "n_folds": options.folds,
        "redraw": options.redraw,
        "accounting": options.accounting,
        "threshold": options.threshold,
    }
    out: Path = options.out
    refused: list[SweepRefusal] = []
    points = sweep(
        methods,
        datasets,
        seeds,
        **plan,
        out=out / "points",
        scheduler=options.scheduler,
        n_workers=options.workers,
        refused=refused,
    )
    n_tasks = len(plan_sweep(methods, datasets, seeds, **plan))
    with PointFile(out / "frontier.csv", methods) as file:
        swept = _watched(points, n_tasks, file)
    swept = _complete(swept, refused)
    frontiers = sweep_frontiers(swept, options.accounting, relative=options.redraw)
    bands = {key: frontier_band(runs) for key, runs in frontiers.items()}
    write_text(
        _band_table(bands).to_csv(index=False, lineterminator="\n"), out / "bands.csv"
    )
    units = {point.dataset: point.unit for point in swept}
    for dataset, unit in units.items():
        runs = {
            name: found for (data, name), found in frontiers.items() if data == dataset
        }
        unit = "of the full cost" if options.redraw else unit_text(unit)
        sys.stdout.write(
            "\n".join(_summary(dataset, runs, options.budget, unit)) + "\n"
        )
    sys.stdout.write(f"Written to {out}\n")


def _trivial_text(splits: Sequence[Split]) -> str:
    """Return what is positive, and what one answer for every row scores on average."""
    positive, answer = positive_text(splits[0]), free_answer(splits[0], "f1")
    scores = [free_scores(split)["test"] for split in splits]
    of = f"{len(splits)} splits" if len(splits) > 1 else "the split of that seed"
    trivial = f"Calling every row {answer} scores {np.mean(scores):.3f} on {of}."
    return "\n".join([*([positive] if positive else []), trivial, ""])


def parse_seeds(text: str) -> list[int]:
    """Return seeds as a person writes them.

    Examples
    --------
    >>> parse_seeds("0,5-7")
    [0, 5, 6, 7]
    """
    seeds: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()):
            raise DataError(
                f"The seeds are {shown(text)}; write them like 0,1,2 or 0-9."
            )
        seeds += range(
            int(first), min(int(last or first), int(first) + _MOST_SEEDS) + 1
        )
    return seeds


def _watched(points: Any, n_tasks: int, file: PointFile) -> list[SweepPoint]:
    swept: list[SweepPoint] = []
    with tqdm(
        total=n_tasks, unit=" frontiers", desc="sweeping", file=sys.stderr, leave=False
    ) as bar:
        for _, of_task in groupby(
            points, key=lambda p: (p.dataset, p.method, p.seed, p.fold)
        ):
            for point in of_task:
                file.write(point.row())
                swept.append(point)
            bar.set_postfix_str(swept[-1].method, refresh=False)
            bar.update()
    return swept


def _complete(
    swept: list[SweepPoint], refused: Sequence[SweepRefusal]
) -> list[SweepPoint]:
    """Return the points of methods that took every run of a data set; name the rest."""
    left_out: dict[tuple[str, str], str] = {}
    for refusal in refused:
        left_out.setdefault((refusal.dataset, refusal.method), refusal.sentence)
    for (dataset, method), sentence in left_out.items():
        sys.stderr.write(f"{method} is left out on {dataset}: {sentence}\n")
    kept = [p for p in swept if (p.dataset, p.method) not in left_out]
    if not kept:
        raise DataError("None of the methods takes the data; choose others.")
    return kept


def _band_table(bands: dict[tuple[str, str], Band]) -> pd.DataFrame:
    tables = [
        pd.DataFrame(
            {
                "dataset": guarded(dataset),  # of a table, the name of its file
                "method": method,
                "cost": band.costs,
                "mean_test_f1": band.mean,
                "standard_error": band.standard_error,
                "runs": band.n_runs,
            }
        )
        for (dataset, method), band in bands.items()
    ]
    return pd.concat(tables, ignore_index=True)


def _summary(
    dataset: str, runs: dict[str, list[Frontier]], budget: float, unit: str
) -> list[str]:
    """Return lines on what the budget buys with each method, best first."""
    at = {name: frontier_band(found, [budget]) for name, found in runs.items()}
    # A method of which some run buys nothing has no mean: it is last.
    ranked = sorted(at, key=lambda name: -np.nan_to_num(at[name].mean[0], nan=-np.inf))
    within = "at any cost" if math.isinf(budget) else f"within {budget:g} {unit}"
    n_runs = at[ranked[0]].n_runs
    lines = [f"{dataset}: mean test F1 {within}, over {n_runs} run(s)"]
    for name in ranked:
        mean, error = at[name].mean[0], at[name].standard_error[0]
        spread = "" if math.isnan(error) else f" ± {error:.3f}"
        bought = "not every run buys something" if math.isnan(mean) else f"{mean:.3f}"
        lines.append(f"  {name:20} {bought}{spread}")
    if n_runs > 1 and len(ranked) > 1:
        judged = compare_bands(at[ranked[0]], at[ranked[1]], overlap=_OVERLAP)
        noise = " within noise" if judged.within_noise[0] else " beyond noise"
        lines.append(f"  The first two differ by {judged.mean[0]:.3f}:{noise}.")
    return lines
