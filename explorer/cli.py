"""The command ``thriftscope``: serve the app, trace frontiers, list the methods."""

from __future__ import annotations

import argparse
import math
import os
import signal
import socket
import subprocess
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

from . import export
from .measure_command import add_measure
from .state.tracing import TraceRequest, trace_methods
from .sweep_command import add_sweep_options, is_sweep, run_sweep
from .text import point_text

__all__ = ["main"]

DEFAULT_METHODS = "acafh,forward_selection,reweighted_l1,l1"
# An upload arrives in chunks of 10 MB; one message may not be larger than this.
MAX_MESSAGE_BYTES = 24 * 1024 * 1024


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
    _add_serve(commands)
    _add_run(commands)
    add_measure(commands)
    listing = commands.add_parser("methods", help="list the methods and their knobs")
    listing.set_defaults(run=_list_methods)
    return parser


def _add_serve(commands: Any) -> None:
    serve = commands.add_parser("serve", help="serve the app and open it in a browser")
    serve.add_argument("--port", type=int, default=5006)
    serve.add_argument("--address", default="127.0.0.1", help="where to listen")
    serve.add_argument("--num-procs", type=int, default=1, help="processes that serve")
    serve.add_argument("--no-browser", action="store_true", help="open no browser")
    serve.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="HOST[:PORT]",
        help="host under which people reach the app, where it is not this one",
    )
    serve.set_defaults(run=_serve)


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


# ------------------------------------------------------------------------------- serve


def _serve(options: argparse.Namespace) -> None:
    _refuse_taken_port(options.address, options.port)
    # Everything a page needs comes from this server, whatever the environment says.
    os.environ["BOKEH_RESOURCES"] = "server"
    command = _panel_command(options)
    if options.num_procs > 1:
        _serve_in_group(command)
        return
    from panel.command import main as panel

    sys.argv = command
    panel()


def _panel_command(options: argparse.Namespace) -> list[str]:
    page = str(Path(__file__).with_name("app.py"))
    names = {options.address, "localhost", "127.0.0.1"}
    origins = [f"{name}:{options.port}" for name in sorted(names)]
    return [
        "panel",
        "serve",
        page,
        "--warm",
        f"--port={options.port}",
        f"--address={options.address}",
        f"--num-procs={options.num_procs}",
        f"--websocket-max-message-size={MAX_MESSAGE_BYTES}",
        *(f"--allow-websocket-origin={o}" for o in [*origins, *options.allow_origin]),
        *([] if options.no_browser else ["--show"]),
    ]


def _refuse_taken_port(address: str, port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            raise DataError(
                f"Port {port} of {address} cannot be listened on "
                f"({error.strerror}); choose another with --port."
            ) from error


def _serve_in_group(command: list[str]) -> None:
    """Serve in several processes that end together: forked workers would stay."""
    server = subprocess.Popen([sys.executable, "-m", *command], start_new_session=True)

    def stop(number: int, _: Any) -> None:
        os.killpg(server.pid, signal.SIGTERM)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    server.wait()


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
