"""The command ``thriftscope``: serve the app, trace frontiers, list the methods."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from solvers import Dataset, Frontier, FrontierPoint, ThriftscopeError, all_methods
from solvers.datasets import all_datasets, read_table
from solvers.errors import DataError
from solvers.interchange import read_hypergraph
from solvers.methods import unavailable_methods

from ..export import files as export
from ..pages.frontier.streams import TraceRequest, trace_methods
from ..widgets.text import point_text
from .desktop import add_desktop
from .measure import add_measure
from .serve import add_serve
from .sweep import add_sweep_options, is_sweep, run_sweep

__all__ = ["main"]

DEFAULT_METHODS = "acafh,forward_selection,reweighted_l1,l1"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the command line by default.

    Returns
    -------
    int
        0 if all went well, 2 if something was refused.
    """
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except ThriftscopeError as error:
        sys.stderr.write(f"thriftscope: {error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"thriftscope: {error.strerror}: {error.filename}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="thriftscope",
        description="Which features can you afford to compute before you must answer?",
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    add_serve(commands)
    add_desktop(commands)
    _add_run(commands)
    add_measure(commands)
    listing = commands.add_parser("methods", help="list the methods and their knobs")
    listing.set_defaults(run=_list_methods)
    return parser


def _add_run(commands: Any) -> None:
    run = commands.add_parser("run", help="trace frontiers without the app")
    data = run.add_mutually_exclusive_group(required=True)
    data.add_argument("--table", type=Path, help="CSV or Parquet file")
    data.add_argument("--data", help=f"bundled: {', '.join(all_datasets())}")
    run.add_argument("--target", help="column of the labels, with --table")
    run.add_argument("--hypergraph", type=Path, help="HIF JSON or incidence CSV file")
    run.add_argument("--methods", default=DEFAULT_METHODS, help="names, with commas")
    run.add_argument(
        "--budget", type=float, default=math.inf, help="in the costs' unit"
    )
    run.add_argument("--accounting", choices=["mean", "p95", "max"], default="mean")
    run.add_argument("--threshold", choices=["tuned", "default"], default="tuned")
    run.add_argument("--seed", type=int, default=0)
    run.add_argument("--out", type=Path, required=True, help="folder for the results")
    add_sweep_options(run)
    run.set_defaults(run=_run)


# --------------------------------------------------------------------------------- run


def _run(options: argparse.Namespace) -> None:
    names = _named_methods(options)
    if is_sweep(options) or "," in (options.data or ""):
        listed = _names(options.data) if options.data else [_dataset(options)]
        run_sweep(options, names, listed)
        return
    dataset = _dataset(options)
    options.out.mkdir(parents=True, exist_ok=True)
    request = TraceRequest(
        dataset, {name: {} for name in names}, options.threshold, options.seed
    )
    frontier = Frontier(_traced(request), options.accounting)
    _write(options, dataset, frontier)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _named_methods(options: argparse.Namespace) -> list[str]:
    names = _names(options.methods)
    for name in names:
        if name in unavailable_methods():
            raise DataError(unavailable_methods()[name])
    unknown = [name for name in names if name not in all_methods()]
    if unknown or not names:
        raise DataError(
            f"There is no method {(unknown or [''])[0]!r}; choose from "
            f"{', '.join(all_methods())}."
        )
    return names


def _dataset(options: argparse.Namespace) -> Dataset:
    if options.data:
        if options.data not in all_datasets():
            raise DataError(
                f"There is no data set {options.data!r}; choose from "
                f"{', '.join(all_datasets())}."
            )
        return all_datasets()[options.data]()
    if not options.target:
        raise DataError("No label column is named; name it with --target.")
    if not options.hypergraph:
        return read_table(options.table, options.target)
    described = read_hypergraph(options.hypergraph)
    for note in described.notes:
        sys.stdout.write(f"{note}\n")
    return read_table(options.table, options.target, hypergraph=described.hypergraph)


def _traced(request: TraceRequest) -> list[FrontierPoint]:
    points = []
    with tqdm(unit=" points", desc="tracing", file=sys.stderr) as bar:
        for item in trace_methods(request):
            if item.point is None:
                continue
            points.append(item.point)
            bar.set_postfix_str(item.method, refresh=False)
            bar.update()
    return points


def _write(options: argparse.Namespace, dataset: Dataset, frontier: Frontier) -> None:
    out: Path = options.out
    (out / "frontier.csv").write_text(export.frontier_csv(frontier), encoding="utf-8")
    (out / "hypergraph.json").write_text(
        export.hypergraph_hif(dataset), encoding="utf-8"
    )
    best = frontier.best_within(options.budget)
    for note in dataset.notes:
        sys.stdout.write(f"{note}\n")
    if best is None:
        cheapest = min(point.charged(frontier.accounting) for point in frontier)
        raise DataError(
            f"No model fits a budget of {options.budget:g} {dataset.unit}; the "
            f"cheapest costs {cheapest:g}. The frontier is in {out / 'frontier.csv'}."
        )
    selection = export.selection_json(best, dataset)
    (out / "selection.json").write_text(selection, encoding="utf-8")
    (out / "estimator.skops").write_bytes(export.estimator_skops(best, dataset))
    sys.stdout.write(
        f"{point_text(best, dataset, frontier.accounting)}\nWritten to {out}\n"
    )


# ----------------------------------------------------------------------------- methods


def _list_methods(_: argparse.Namespace) -> None:
    for name, method in all_methods().items():
        knobs = ", ".join(f"{key} ({knob.label})" for key, knob in method.knobs.items())
        sys.stdout.write(f"{name:20} {method.title}: {knobs}\n")
    for name, sentence in unavailable_methods().items():
        sys.stdout.write(f"{name:20} {sentence}\n")
