"""Tables with labels and prices, each from a maker of its own.

A file that lists a function ``make_<name>`` in its ``__all__`` is found by itself.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType

from ..errors import DataError, shown
from ..values.knobs import Knob
from .base import Dataset
from .breast_cancer import make_breast_cancer
from .columns import Column, TableEncoder, TableSchema, read_kinds
from .digit_images import make_digit_images
from .digits import make_digits
from .gait import make_gait
from .gaussian import make_gaussian
from .heart import make_heart
from .limits import charging, within_limits
from .motions import make_motions
from .published import make_published
from .regions import make_regions
from .scenes import make_scenes
from .signals import make_signals
from .sources import make_sources
from .table import (
    ColumnPlan,
    ColumnPreview,
    TableFile,
    TablePreview,
    from_frame,
    head_table,
    open_table,
    opening_table,
    planned_columns,
    preview_table,
    read_table,
    reading_options,
    sheet_names,
    usual_positive,
    written_table,
)

__all__ = [
    "Column",
    "ColumnPlan",
    "ColumnPreview",
    "Dataset",
    "TableEncoder",
    "TableFile",
    "TablePreview",
    "TableSchema",
    "all_datasets",
    "charging",
    "dataset_options",
    "from_frame",
    "head_table",
    "make_breast_cancer",
    "make_digit_images",
    "make_digits",
    "make_gait",
    "make_gaussian",
    "make_heart",
    "make_motions",
    "make_published",
    "make_regions",
    "make_scenes",
    "make_signals",
    "make_sources",
    "open_table",
    "opening_table",
    "planned_columns",
    "preview_table",
    "read_kinds",
    "read_table",
    "reading_options",
    "sheet_names",
    "usual_positive",
    "within_limits",
    "written_table",
]


@cache
def _makers() -> tuple[tuple[str, ModuleType], ...]:
    modules = [
        importlib.import_module(f"{__name__}.{info.name}")
        for info in pkgutil.iter_modules(__path__)
    ]
    return tuple(
        (name.removeprefix("make_"), module)
        for module in modules
        for name in getattr(module, "__all__", ())
        if name.startswith("make_")
    )


def all_datasets() -> dict[str, Callable[..., Dataset]]:
    """Return the maker of every data set by its short name.

    Returns
    -------
    dict of str to callable
        Sorted by name. Without arguments each gives its data set in less than a second.
    """
    makers = {name: getattr(module, f"make_{name}") for name, module in _makers()}
    return dict(sorted(makers.items()))


def dataset_options(name: str) -> Mapping[str, Knob]:
    """Return what a data set's maker may be asked for, beside ``random_state``.

    Parameters
    ----------
    name : str
        Short name.

    Returns
    -------
    mapping of str to Knob
        Empty where there is nothing to choose.

    Raises
    ------
    DataError
        If there is no such data set.
    """
    modules = dict(_makers())
    if name not in modules:
        raise DataError(
            f"There is no data set {shown(name)}; choose from "
            f"{', '.join(sorted(modules))}."
        )
    return getattr(modules[name], "OPTIONS", {})
