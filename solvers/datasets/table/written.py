"""A data set as the table that it would be read from."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Collection
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...values import FileMarks
from ..base import Dataset
from ..columns.coding import decoded_column
from ..columns.schema import Column
from ..rows import RowRoles
from .files import TableFile

__all__ = ["reading_options", "written_table"]


def written_table(dataset: Dataset) -> TableFile:
    """Return the rows of a data set as people have them.

    Parameters
    ----------
    dataset : Dataset
        Any, whatever it was made from.

    Returns
    -------
    TableFile
        Its features, its labels and the roles of its rows, one column each.

    Examples
    --------
    >>> from solvers.datasets import make_heart, read_table
    >>> heart = make_heart()
    >>> again = read_table(
    ...     written_table(heart), **reading_options(heart), hypergraph=heart.hypergraph
    ... )
    >>> bool(np.array_equal(again.X, heart.X, equal_nan=True))
    True
    """
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for j, name in enumerate(dataset.feature_names):
        column = dataset.schema.columns[j] if dataset.schema else Column(name)
        columns[name] = pa.array(_written(column, dataset.X[:, j]), from_pandas=True)
    options = reading_options(dataset)
    columns[options["label"]] = pa.array(dataset.y)
    for role, values in _roles(dataset):
        columns[options[role]] = pa.array(values)
    chunked = {name: pa.chunked_array([column]) for name, column in columns.items()}
    marks = FileMarks.of(options.get("marks"))
    return TableFile(chunked, dataset.n_samples, 0, dataset.name, marks=marks)


def reading_options(dataset: Dataset) -> dict[str, Any]:
    """Return how a written table is to be read, so that the same data set comes back.

    Parameters
    ----------
    dataset : Dataset
        The one that is written.

    Returns
    -------
    dict of str to object
        Arguments of ``read_table``; of costs they say nothing.

    Examples
    --------
    >>> from solvers.datasets import make_gaussian
    >>> reading_options(make_gaussian())
    {'label': 'label', 'positive': 1, 'kinds': {}}
    """
    names = {*dataset.feature_names}
    options: dict[str, Any] = {"label": _free_name("label", names)}
    positive = dataset.positive
    is_numpy = isinstance(positive, np.generic)
    options["positive"] = positive.item() if is_numpy else positive
    options["kinds"] = {
        column.name: _told(column) for column in dataset.schema or () if _told(column)
    }
    marks = FileMarks(dataset.schema.gap_marks).data if dataset.schema else {}
    if marks:
        options["marks"] = marks
    for role, _ in _roles(dataset):
        options[role] = _free_name(role, {*names, options["label"]})
    return options


def _roles(dataset: Dataset) -> list[tuple[str, NDArray]]:
    found = [
        (role.name, getattr(dataset.roles, role.name, None))
        for role in fields(RowRoles)
    ]
    return [(name, values) for name, values in found if values is not None]


def _told(column: Column) -> dict[str, Any]:
    """Return what has to be said of a column: all that is not as it would be."""
    told = {
        field.name: getattr(column, field.name)
        for field in fields(column)
        if field.name != "name" and getattr(column, field.name) != field.default
    }
    listed = {k: list(v) if isinstance(v, tuple) else v for k, v in told.items()}
    if column.form is not None:
        listed["form"] = column.form.data
    return listed if column.is_plain else {"kind": column.kind, **listed}


def _written(column: Column, codes: NDArray[np.float64]) -> NDArray:
    if column.kind != "hashed":
        return decoded_column(column, codes)
    # Of the texts of a bucket none is known any more: any that falls into it will do.
    n = len(column.values)
    words = np.array([*(_word_of_bucket(k, n) for k in range(n)), None], dtype=object)
    return words[np.where(np.isnan(codes), -1, codes).astype(int)]


def _word_of_bucket(bucket: int, n: int) -> str:
    return next(
        str(k) for k in itertools.count() if zlib.crc32(str(k).encode()) % n == bucket
    )


def _free_name(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name
