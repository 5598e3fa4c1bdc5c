"""Tables with labels and prices, each from a maker of its own.

A file of makers/ that lists a function ``make_<name>`` is found by itself.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType

from ..checks import refuse_unknown
from ..errors import DataError
from ..values.knobs import Knob
from . import makers
from .base import Dataset, charging, pricing, within_limits
from .columns import Column, TableEncoder, TableSchema, read_kinds
from .makers.breast_cancer import make_breast_cancer
from .makers.cube import make_cube
from .makers.digit_images import make_digit_images
from .makers.digits import make_digits
from .makers.gait import make_gait
from .makers.gaussian import make_gaussian
from .makers.heart import make_heart
from .makers.motions import make_motions
from .makers.pima import make_pima
from .makers.published import make_published
from .makers.regions import make_regions
from .makers.scenes import make_scenes
from .makers.signals import make_signals
from .makers.sources import make_sources
from .makers.thyroid import make_thyroid
from .options import Facts
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
    "Facts",
    "TableEncoder",
    "TableFile",
    "TablePreview",
    "TableSchema",
    "all_datasets",
    "charging",
    "dataset_facts",
    "dataset_is_here",
    "dataset_options",
    "from_frame",
    "head_table",
    "make_breast_cancer",
    "make_cube",
    "make_digit_images",
    "make_digits",
    "make_gait",
    "make_gaussian",
    "make_heart",
    "make_motions",
    "make_pima",
    "make_published",
    "make_regions",
    "make_scenes",
    "make_signals",
    "make_sources",
    "make_thyroid",
    "open_table",
    "opening_table",
    "planned_columns",
    "preview_table",
    "pricing",
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
        importlib.import_module(f"{makers.__name__}.{info.name}")
        for info in pkgutil.iter_modules(makers.__path__)
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
        Sorted by name. Without arguments each gives its data set in less than a second,
        or says what to install where its rows are not bundled.
    """
    found = {name: getattr(module, f"make_{name}") for name, module in _makers()}
    return dict(sorted(found.items()))


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
    return getattr(_maker(name), "OPTIONS", {})


def dataset_facts(name: str) -> Facts:
    """Return what is known of a data set before it is made.

    Parameters
    ----------
    name : str
        Short name.

    Returns
    -------
    Facts
        Rows, classes, where prices come from, licence, and what others published.

    Raises
    ------
    DataError
        If there is no such data set.

    Examples
    --------
    >>> print(dataset_facts("thyroid"))
    7,200 rows, 3 classes, published prices
    """
    facts: Facts = _maker(name).FACTS
    return facts


def dataset_is_here(name: str) -> bool:
    """Return whether a data set can be made without installing anything.

    Parameters
    ----------
    name : str
        Short name.

    Returns
    -------
    bool

    Raises
    ------
    DataError
        If there is no such data set.

    Examples
    --------
    >>> dataset_is_here("thyroid")
    True
    """
    is_here: Callable[[], bool] = getattr(_maker(name), "is_here", lambda: True)
    return is_here()


def _maker(name: str) -> ModuleType:
    modules = dict(_makers())
    refuse_unknown(name, sorted(modules), "data set", DataError)
    return modules[name]
