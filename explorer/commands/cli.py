"""The command ``thriftscope``: serve the app, trace frontiers, list the methods."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from solvers import ThriftscopeError, all_methods
from solvers.errors import reason_of
from solvers.methods import unavailable_methods

from .adopt import add_adopt
from .desktop import add_desktop
from .export import add_export
from .measure import add_measure
from .run import add_run
from .serve import add_serve
from .trace import add_trace


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except ThriftscopeError as error:
        sys.stderr.write(f"thriftscope: {error}\n")
        return 2
    except OSError as error:
        of = f": {error.filename}" if error.filename else ""
        sys.stderr.write(f"thriftscope: {reason_of(error)}{of}\n")
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
    add_run(commands)
    add_adopt(commands)
    add_measure(commands)
    add_export(commands)
    add_trace(commands)
    listing = commands.add_parser("methods", help="list the methods and their knobs")
    listing.set_defaults(run=_list_methods)
    return parser


def _list_methods(_: argparse.Namespace) -> None:
    for name, method in all_methods().items():
        knobs = ", ".join(f"{key} ({knob.label})" for key, knob in method.knobs.items())
        sys.stdout.write(f"{name:20} {method.title}: {knobs}\n")
    for name, sentence in unavailable_methods().items():
        sys.stdout.write(f"{name:20} {sentence}\n")
