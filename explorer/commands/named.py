"""What options name: several things with commas, a module where the command is run."""

from __future__ import annotations

import argparse
import csv
import importlib
import io
import math
import sys
from pathlib import Path
from typing import Any

from solvers.errors import HypergraphError, PipelineError, shown

from ..document.units import typed_number


def comma_names(text: str) -> list[str]:
    """Return names that were given with commas between, as a line of CSV has them.

    A name that has commas itself stands in quotes: ``age,"height, cm"``.
    """
    rows = csv.reader(io.StringIO(text), skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]


def number_option(text: str) -> float:
    """Return the number of an option; what may be two numbers is none."""
    try:
        number = math.inf if text == "inf" else typed_number(text)
    except HypergraphError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if number is None:
        raise argparse.ArgumentTypeError(f"{shown(text)} is no number")
    return number


def import_from_here() -> None:
    """Let modules be imported from where the command is run."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)


def load_named(address: str, wanted: str) -> tuple[str, str, Any]:
    """Return a module's name, a name in it and what stands there, None if nothing.

    `wanted`: what the address should name, for the sentence that refuses it.
    """
    module_name, _, name = address.partition(":")
    if not module_name or not name:
        raise PipelineError(
            f"{shown(address)} names no {wanted}; write module:name, such as "
            f"features:{wanted}."
        )
    import_from_here()
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise PipelineError(
            f"Module {shown(module_name)} cannot be imported ({error}); run the "
            "command where it lies, or install it."
        ) from error
    return module_name, name, getattr(module, name, None)
