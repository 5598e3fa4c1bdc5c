"""``thriftscope measure``: a hypergraph with costs measured on this machine."""

from __future__ import annotations

import argparse
import json
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from solvers import FeaturePipeline, write_hif
from solvers.datasets.table.bounds import DAMAGES
from solvers.datasets.table.sparse_files import read_array, read_arrays
from solvers.errors import DataError, PipelineError, listed, reason_of, shown
from solvers.features.timing import Measurement

from ..widgets.text import unit_text
from .named import load_named

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
        help="raw samples: .json or .jsonl (a list; lists of numbers become arrays), "
        ".npy (one a row), or .npz (one array for each input)",
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
        notes = "".join(f"{note}\n" for note in last.notes)
        sys.stdout.write(f"{cost_table(last)}\n{notes}Written to {options.out}\n")


def load_pipeline(address: str, kinds: tuple[type, ...] = (FeaturePipeline,)) -> Any:
    """Return the pipeline that a module holds, imported from where one is.

    `address`: ``module:name``; the name may be that of a function that returns it.
    `kinds`: what it may be.
    """
    module_name, name, found = load_named(address, "pipeline")
    made = found() if callable(found) and not isinstance(found, type) else found
    if not isinstance(made, kinds):
        raise PipelineError(
            f"{shown(name)} of module {shown(module_name)} is a "
            f"{type(made).__name__}; name a "
            f"{' or a '.join(kind.__name__ for kind in kinds)}, or a function that "
            "returns one."
        )
    return made


def read_samples(path: Path, inputs: tuple[str, ...] | None) -> list[Any]:
    """Return raw samples from a file; no pickle is read.

    `inputs`: what each sample has to give; whatever the file gives if None, bare if
    that is one thing.
    """
    name = shown(path.name)
    if path.stat().st_size > MAX_BYTES:
        raise DataError(
            f"{name} has {path.stat().st_size >> 20} MB; up to "
            f"{MAX_BYTES >> 20} MB are read: a few hundred samples are enough."
        )
    ending = path.suffix.lower()
    if ending not in (".json", ".jsonl", ".npy", ".npz"):
        raise DataError(
            f"{name} is no file of samples; give .json, .jsonl, .npy or .npz."
        )
    try:
        read = _read_json(path) if ending.startswith(".js") else _read_arrays(path)
    except (*DAMAGES, RecursionError) as error:
        reason = reason_of(error)
        raise DataError(f"{name} cannot be read ({reason}); mend it.") from error
    return _as_samples(read, inputs, name)


def _read_json(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    if path.suffix.lower() == ".json":
        read = json.loads(text)
    else:
        read = [json.loads(line) for line in text.splitlines() if line.strip()]
    if isinstance(read, Mapping):  # one list for each input
        return {
            name: [_as_array(value) for value in column]
            if isinstance(column, list)
            else column
            for name, column in read.items()
        }
    return [_as_array(sample) for sample in read] if isinstance(read, list) else read


def _as_array(value: Any) -> Any:
    """Return lists of numbers as arrays, as feature functions take them."""
    if isinstance(value, Mapping):
        return {name: _as_array(inner) for name, inner in value.items()}
    if not isinstance(value, list):
        return value
    try:
        array = np.asarray(value)
    except ValueError:  # lists of different lengths stay lists, of arrays
        return [_as_array(inner) for inner in value]
    return array if array.dtype.kind in "biuf" else value


def _read_arrays(path: Path) -> Any:
    with path.open("rb") as file:
        if path.suffix.lower() == ".npy":
            array = read_array(file, path.stat().st_size, path.name)
            return list(array) if array.ndim else []
        with zipfile.ZipFile(file) as archive:
            arrays = read_arrays(archive)
    return {name: list(np.atleast_1d(array)) for name, array in arrays.items()}


def _as_samples(read: Any, inputs: tuple[str, ...] | None, name: str) -> list[Any]:
    """Rows as they are; of columns, one mapping a row."""
    if isinstance(read, Mapping) and inputs is None:
        rows = _as_samples(read, tuple(read), name)
        return [row[next(iter(read))] for row in rows] if len(read) == 1 else rows
    if isinstance(read, Mapping):
        inputs = inputs or ()
        missing = [wanted for wanted in inputs if wanted not in read]
        if missing:
            raise DataError(
                f"{name} lacks input {shown(missing[0])}; it gives "
                f"{listed(list(read))}."
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


def cost_table(measured: Measurement) -> str:
    """Return measured costs as lines for a terminal, the costliest first."""
    hypergraph = measured.hypergraph
    lines = [
        f"{measured.machine}: {measured.n_samples} samples, {measured.repeats} repeats",
        f"{'component':32} {'cost':>12} {'spread':>10}  {unit_text(hypergraph.unit)}",
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
