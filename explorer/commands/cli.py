"""The command ``thriftscope``: serve the app, trace frontiers, list the methods."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from solvers.errors import ThriftscopeError, reason_of

# Each is a file of its name.
COMMANDS = ("serve", "desktop", "run", "adopt", "measure", "export", "trace")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    given = sys.argv[1:] if arguments is None else arguments
    options = _parser(given[0] if given else "").parse_args(given)
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


def _parser(asked: str) -> argparse.ArgumentParser:
    """Return the parser of the command that is asked for, or of all."""
    parser = argparse.ArgumentParser(
        prog="thriftscope",
        description="Which features can you afford to compute before you must answer?",
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    # Others are not imported: a server that starts listens at once.
    for name in (asked,) if asked in COMMANDS else COMMANDS:
        module = import_module(f".{name}", __package__)
        getattr(module, f"add_{name}")(commands)
    listing = commands.add_parser("methods", help="list the methods and their knobs")
    listing.set_defaults(run=_list_methods)
    return parser


def _list_methods(_: argparse.Namespace) -> None:
    from solvers.methods import all_methods, unavailable_methods

    for name, method in all_methods().items():
        knobs = ", ".join(f"{key} ({knob.label})" for key, knob in method.knobs.items())
        sys.stdout.write(f"{name:20} {method.title}: {knobs}\n")
    for name, sentence in unavailable_methods().items():
        sys.stdout.write(f"{name:20} {sentence}\n")
