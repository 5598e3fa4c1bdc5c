"""``thriftscope trace``: what an extractor's features share, found and priced."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solvers import FeaturePipeline, write_hif
from solvers.errors import PipelineError, shown
from solvers.features.tracing import TracedExtractor, TraceProgress, tracing

from .measure import cost_table, read_samples
from .named import load_named


def add_trace(commands: Any) -> None:
    """Add the command to a parser."""
    trace = commands.add_parser(
        "trace", help="find what an extractor's features share, as a priced hypergraph"
    )
    trace.add_argument(
        "extractor",
        metavar="module:function",
        help="a function of a raw sample, or a dictionary or a list of functions",
    )
    trace.add_argument(
        "--samples",
        type=Path,
        required=True,
        help="raw samples: .json, .jsonl, .npy or .npz, as for measure",
    )
    trace.add_argument(
        "--inside",
        metavar="PACKAGE",
        action="extend",
        nargs="+",
        default=[],
        help="packages whose functions are watched, besides the module itself",
    )
    trace.add_argument("--out", type=Path, required=True, help="HIF JSON to write")
    trace.set_defaults(run=_trace)


def _trace(options: argparse.Namespace) -> None:
    extractor = _load_extractor(options.extractor)
    samples = read_samples(options.samples, None)
    traced = _followed(tracing(extractor, samples, inside=options.inside or None))
    write_hif(traced.hypergraph(), options.out)
    sys.stdout.write(f"{_report(traced)}\nWritten to {options.out}\n")


def _load_extractor(address: str) -> Any:
    module, name, found = load_named(address, "function")
    if found is None:
        raise PipelineError(
            f"Module {shown(module)} has no {shown(name)}; name a function of a raw "
            "sample, or a dictionary or a list of functions."
        )
    if isinstance(found, FeaturePipeline):
        raise PipelineError(
            f"{shown(name)} is a FeaturePipeline, which declares what it shares; use "
            "thriftscope measure."
        )
    return found


def _followed(steps: Iterator[TraceProgress]) -> TracedExtractor:
    """Return what tracing ends with, telling on the way how long it still takes."""
    last = None
    for last in steps:
        left = last.seconds_left
        told = "" if left is None else f", about {max(left, 1):.0f} s left"
        sys.stderr.write(f"\r{f'{last.stage}: {last.share:.0%}{told}':60}")
    sys.stderr.write("\n")
    if last is None or last.extractor is None:
        raise PipelineError("Tracing has ended early; start it again.")
    return last.extractor


def _report(traced: TracedExtractor) -> str:
    lines = [cost_table(traced.measurement)]
    if traced.shared:
        lines += ["", "Shared:", *(f"  {one}" for one in traced.shared)]
    if traced.notes:
        lines += ["", "Noted:", *(f"  {note}" for note in traced.notes)]
    return "\n".join(lines)
