"""``thriftscope export``: the model of a run as what runs elsewhere."""

from __future__ import annotations

import argparse
import json
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from solvers import FeaturePipeline
from solvers.bayes import classifier_from_json
from solvers.costs.interchange import read_bytes, write_text
from solvers.datasets import open_table
from solvers.datasets.columns import Column, TableSchema
from solvers.datasets.columns.coding import coded_table
from solvers.datasets.table.bounds import DAMAGES
from solvers.deploy import measure_python, policy_from
from solvers.errors import InterchangeError, reason_of, shown
from solvers.features.tracing import TracedExtractor

from ..export import load_estimator
from ..export.deployed import DeployForm, deployed_files
from ..export.files import MAX_UNPACKED
from ..session.footprint import python_text
from .measure import load_pipeline
from .named import comma_names

_ESTIMATOR, _SELECTION = "estimator.skops", "selection.json"


def add_export(commands: Any) -> None:
    """Add the command to a parser."""
    export = commands.add_parser(
        "export", help="the model of a run as a Python file, C99 or an offline page"
    )
    export.add_argument(
        "results",
        type=Path,
        help="folder that `thriftscope run` wrote, the app's bundle, a .skops file, or "
        "a trimmed classifier (.json), whose features cost one each",
    )
    export.add_argument("--format", choices=get_args(DeployForm), required=True)
    export.add_argument("--out", type=Path, required=True, help="folder for the files")
    export.add_argument(
        "--trusted",
        default="",
        help="further types that the estimator may hold, with commas",
    )
    export.add_argument(
        "--rows",
        type=Path,
        help="CSV of raw rows: C's README then says how many instructions one takes, "
        "and of a Python file it is said how long",
    )
    export.add_argument(
        "--pipeline",
        metavar="module:pipeline",
        help="where the FeaturePipeline or the traced extractor is: a Python file then "
        "takes raw samples",
    )
    export.set_defaults(run=_export)


def _export(options: argparse.Namespace) -> None:
    found = {} if _is_network(options.results) else run_files(options.results)
    if found:
        trusted = comma_names(options.trusted)
        estimator = load_estimator(found[_ESTIMATOR], trusted=trusted)
    else:
        text = read_bytes(options.results).decode("utf-8", "replace")
        estimator = classifier_from_json(text)
    selection = _selection(found.get(_SELECTION))
    name = str(selection.get("data", options.results.stem))
    worth = selection.get("worth", [])
    notes = [str(note) for note in worth] if isinstance(worth, list) else []
    rows = None if options.rows is None else _rows(options.rows, estimator)
    where = options.pipeline
    kinds = (FeaturePipeline, TracedExtractor)
    pipeline = None if where is None else load_pipeline(where, kinds)
    files = deployed_files(
        estimator,
        options.format,
        notes,
        name,
        is_measured=True,
        rows=rows,
        pipeline=pipeline,
    )
    options.out.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        write_text(text, options.out / file)
    sys.stdout.write(f"Written to {options.out}: {', '.join(files)}\n")
    if options.format == "python" and rows is not None:
        policy = policy_from(estimator)
        time = measure_python(policy, rows)
        if time is not None:
            sys.stdout.write(f"{python_text(policy, time, 'this machine')}\n")


def _is_network(results: Path) -> bool:
    """Return whether it is the classifier of a network, as Trimming writes it."""
    return results.suffix == ".json" and results.is_file()


def _rows(path: Path, estimator: Any) -> NDArray[np.float64]:
    """Return rows of a table as the exported policy asks for their features."""
    import pyarrow as pa  # half a second, which the other commands do without

    policy = policy_from(estimator)
    columns = []
    for name, value in zip(policy.features, policy.kinds, strict=True):
        kind = "category" if value.kind == "listed" else value.kind
        columns.append(Column(name, kind, values=value.words, form=value.form))
    marks = policy.gap_marks
    rows = pa.table(open_table(path, marks={"gaps": marks}).columns)
    return coded_table(TableSchema(tuple(columns), marks), rows)


def run_files(results: Path) -> Mapping[str, bytes]:
    """Return what a folder, an archive or a file has of a run."""
    if results.is_dir():
        names = (_ESTIMATOR, _SELECTION)
        found = {n: read_bytes(results / n) for n in names if (results / n).is_file()}
    else:
        content = read_bytes(results)
        found = _of_bundle(results) or {_ESTIMATOR: content}
    if _ESTIMATOR not in found:
        raise InterchangeError(
            f"{shown(str(results))} holds no {_ESTIMATOR}; give a folder that "
            "`thriftscope run` wrote, or the app's bundle with a chosen point."
        )
    return found


def _of_bundle(path: Path) -> dict[str, bytes]:
    """Return what the app's bundle has; nothing for another file.

    A saved estimator is an archive as well, of other members.
    """
    if not zipfile.is_zipfile(path):
        return {}
    try:
        with zipfile.ZipFile(path) as archive:
            members = set(archive.namelist())
            if "README.md" not in members:
                return {}
            wanted = [n for n in (_ESTIMATOR, _SELECTION) if n in members]
            unpacked = sum(archive.getinfo(n).file_size for n in wanted)
            if unpacked > MAX_UNPACKED:
                raise ValueError(f"it unpacks to {unpacked:,} bytes")
            return {n: archive.read(n) for n in wanted}
    except DAMAGES as error:
        raise InterchangeError(
            f"{shown(path.name)} is no bundle of the app, or only a part of one "
            f"({reason_of(error)}); save it again."
        ) from error


def _selection(content: bytes | None) -> Mapping[str, Any]:
    if content is None:
        return {}
    try:
        told = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InterchangeError(
            f"{_SELECTION} is not JSON ({shown(str(error))}); run again to write it."
        ) from error
    if not isinstance(told, dict):
        raise InterchangeError(
            f"{_SELECTION} is {shown(told)}, no object; run again to write it."
        )
    return told
