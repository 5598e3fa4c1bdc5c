"""``thriftscope measure``: a hypergraph with costs measured on this machine."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from solvers import FeaturePipeline, write_hif
from solvers.errors import DataError, PipelineError
from solvers.timing import Measurement

__all__ = ["add_measure", "load_pipeline", "read_samples"]

MAX_BYTES = 512 * 1024 * 1024
MAX_LISTED = 40


def add_measure(commands: Any) -> None:
    """Add the command to a parser."""
    measure = commands.add_parser(
        "measure", help="measure a feature pipeline's costs into a hypergraph"
    )
    measure.add_argument(
        "pipeline", metavar="module:pipeline", help="where the FeaturePipeline is"
    )
    measure.add_argument(
        "--samples",
        type=Path,
        required=True,
        help="raw samples: .json or .jsonl (a list), .npy (one a row), or .npz (one "
        "array for each input)",
    )
    measure.add_argument("--out", type=Path, required=True, help="HIF JSON to write")
    measure.add_argument("--repeats", type=int, default=15, help="times a sample")
    measure.set_defaults(run=_measure)


def _measure(options: argparse.Namespace) -> None:
    pipeline = load_pipeline(options.pipeline)
    samples = read_samples(options.samples, pipeline.inputs)
    last: Measurement | None = None
    for last in pipeline.measuring(samples, options.repeats):
        sys.stderr.write(f"\rrepeat {last.repeats} of {options.repeats}")
    sys.stderr.write("\n")
    if last is not None:
        write_hif(last.hypergraph, options.out)
        sys.stdout.write(f"{_report(last)}\nWritten to {options.out}\n")


def load_pipeline(address: str) -> FeaturePipeline:
    """Return the pipeline that a module holds, imported from where one is.

    `address`: ``module:name``; the name may be that of a function that returns it.
    """
    module_name, _, name = address.partition(":")
    if not module_name or not name:
        raise PipelineError(
            f"{address!r} names no pipeline; write module:name, such as "
            "features:pipeline."
        )
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise PipelineError(
            f"Module {module_name!r} cannot be imported ({error}); run the command "
            "where it lies, or install it."
        ) from error
    found = getattr(module, name, None)
    made = found() if callable(found) and not isinstance(found, type) else found
    if not isinstance(made, FeaturePipeline):
        raise PipelineError(
            f"{name!r} of module {module_name!r} is a {type(made).__name__}; name a "
            "FeaturePipeline, or a function that returns one."
        )
    return made


def read_samples(path: Path, inputs: tuple[str, ...]) -> list[Any]:
    """Return raw samples from a file; no pickle is read."""
    if path.stat().st_size > MAX_BYTES:
        raise DataError(
            f"{path.name} has {path.stat().st_size >> 20} MB; up to "
            f"{MAX_BYTES >> 20} MB are read: a few hundred samples are enough."
        )
    ending = path.suffix.lower()
    if ending not in (".json", ".jsonl", ".npy", ".npz"):
        raise DataError(
            f"{path.name} is no file of samples; give .json, .jsonl, .npy or .npz."
        )
    try:
        read = _read_json(path) if ending.startswith(".js") else _read_arrays(path)
    except (ValueError, OSError, EOFError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise DataError(f"{path.name} cannot be read ({error}); mend it.") from error
    return _as_samples(read, inputs, path.name)


def _read_json(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    if path.suffix.lower() == ".json":
        return json.loads(text)
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _read_arrays(path: Path) -> Any:
    with np.load(path, allow_pickle=False) as read:
        if isinstance(read, np.ndarray):
            return list(read)
        return {name: list(read[name]) for name in read.files}


def _as_samples(read: Any, inputs: tuple[str, ...], name: str) -> list[Any]:
    """Rows as they are; of columns, one mapping a row."""
    if isinstance(read, Mapping):
        missing = [wanted for wanted in inputs if wanted not in read]
        if missing:
            raise DataError(
                f"{name} lacks input {missing[0]!r}; it gives {', '.join(read)}."
            )
        columns = [read[wanted] for wanted in inputs]
        if not all(isinstance(column, list) for column in columns):
            raise DataError(f"{name} must give a list for each input.")
        if len({len(column) for column in columns}) > 1:
            raise DataError(f"{name} gives its inputs in different numbers; even them.")
        return [
            dict(zip(inputs, row, strict=True)) for row in zip(*columns, strict=True)
        ]
    if not isinstance(read, list) or not read:
        raise DataError(f"{name} holds no list of samples; give at least one sample.")
    return read


def _report(measured: Measurement) -> str:
    hypergraph = measured.hypergraph
    lines = [
        f"{measured.machine}: {measured.n_samples} samples, {measured.repeats} repeats",
        f"{'component':32} {'cost':>12} {'spread':>10}  {hypergraph.unit}",
    ]
    order = np.argsort(-hypergraph.component_costs, kind="stable")
    lines += [
        f"{hypergraph.components[i][:32]:32} {hypergraph.component_costs[i]:12.3f} "
        f"{measured.spread[i]:10.3f}"
        for i in order[:MAX_LISTED]
    ]
    if len(order) > MAX_LISTED:
        lines.append(f"... and {len(order) - MAX_LISTED} more components")
    lines.append(f"{'all features':32} {hypergraph.total_cost:12.3f}")
    return "\n".join(lines)
