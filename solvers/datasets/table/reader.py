"""A data set from any table with a column of labels."""

from __future__ import annotations

import itertools
import warnings
import zlib
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...costs.hypergraph import FeatureHypergraph
from ...costs.interchange import MAX_BYTES, Source
from ...errors import DataWarning, listed, shown
from ...numerics.arrays import Floats
from ...values import FileMarks, MarksGiven
from ..base import Dataset
from ..columns.coding import decoded_column
from ..columns.schema import Column, Gaps
from ..freed_memory import LARGE, give_back_memory
from ..rows import RowRoles
from .assembly import TableOptions, assembled, sparse_dataset
from .files import TableFile, framed_table, opened_table
from .prices import Missing, prices_given


def read_table(
    source: Source | TableFile,
    label: str,
    *,
    sheet: str | None = None,
    has_header: bool = True,
    name: str | None = None,
    hypergraph: FeatureHypergraph | None = None,
    costs: Mapping[str, float] | Source | None = None,
    unit: str | None = "us",
    positive: Any = None,
    leave_out: Collection[str] = (),
    free: Collection[str] = (),
    missing: Missing = "refuse",
    kinds: Mapping[str, Any] | None = None,
    gaps: Gaps = "fill",
    group: str | None = None,
    time: str | None = None,
    part: str | None = None,
    weight: str | None = None,
    marks: MarksGiven = None,
    max_bytes: int = MAX_BYTES,
) -> Dataset:
    r"""Read a data set from a table: CSV, Excel, Arrow, Parquet, or sparse rows.

    Columns of every kind are kept: numbers, categories, dates; a column stays one
    feature, however many numbers encode it. Left out are columns of one value, of texts
    of many values and of names of rows. Gaps are filled, rows without a label dropped.
    What became of what is told in the notes of the data set.

    Parameters
    ----------
    source : path, bytes or TableFile
        The file or its content, or what ``open_table`` returned. CSV is UTF-8 with a
        header, its cells parted by commas, semicolons, tabs or bars, as its first lines
        tell; numbers may have decimal commas. Of a workbook (.xlsx; the extra
        ``excel``) one sheet is read, formulas as last computed. Sparse rows (SVMlight
        text, or an ``.npz`` of ``scipy.sparse.save_npz``) that would not fit into
        memory with their zeros stay sparse: ``Dataset.X`` is then a CSR array.
    label : str
        The column that says which class a row is of.
    sheet : str, optional
        Of an Excel workbook, where several sheets hold something.
    has_header : bool, default=True
        Whether the first line of a CSV file names the columns; else they are called
        "column 1", "column 2", ...
    name : str, optional
        Name of the data set; the name of the file by default.
    hypergraph : FeatureHypergraph, optional
        What the columns cost, matched by name; the columns take its order.
    costs : mapping of str to float, path or bytes, optional
        Instead of a hypergraph, the cost of each column: as a mapping, or as a CSV
        file with the header ``feature,cost_us``. With neither, each column costs 1
        and the unit is "features".
    unit : str or None, default="us"
        Unit of `costs` where they name none; None where a file has to.
    positive : object, optional
        The label that counts as positive, or its text. By default the one of two that
        says yes (1, true, ja), or else the rarer one.
    leave_out : collection of str, default=()
        Columns to leave out.
    free : collection of str, default=()
        Columns that are there anyway and cost nothing.
    missing : {"refuse", "free", "drop"}, default="refuse"
        What becomes of columns that hypergraph or costs do not describe: the table is
        refused, or they cost nothing, or they are left out. Unless it is refused,
        described features without a column are left out too.
    kinds : mapping of str to str or mapping, optional
        Kinds of columns, or fields of ``Column``, where what is detected does not suit.
    gaps : {"fill", "value", "drop"}, default="fill"
        What becomes of missing values, see ``Column``.
    group, time, part, weight : str, optional
        Columns that say of each row what it belongs to (never on both sides of a
        split), when it was (earlier ones train), which part it is of ("train",
        "validation", "test") and how much it counts. No method learns from them.
    marks : FileMarks or mapping, optional
        What marks a gap, and what parts decimals and in which order dates stand where
        columns do not tell it themselves: ``{"gaps": ["-"], "decimal": ","}``.
    max_bytes : int, default=MAX_BYTES
        The most to read.

    Returns
    -------
    Dataset

    Raises
    ------
    InterchangeError
        If the file is no table, broken or too large.
    DataError
        If the table cannot be learned from, or does not match its costs.
    HypergraphError
        If the costs are no costs.

    Examples
    --------
    >>> rows = b"peak,mean,kind\n" + b"1.5,2,bad\n2.5,1,good\n" * 4
    >>> dataset = read_table(rows, "kind", costs={"peak": 3.0, "mean": 0.5})
    >>> dataset.X.shape, dataset.positive, dataset.unit
    ((8, 2), 'good', 'us')
    """
    options = TableOptions(
        label=label,
        name=name,
        positive=positive,
        leave_out=leave_out,
        free=free,
        missing=missing,
        kinds=kinds or {},
        gaps=gaps,
        roles={"group": group, "time": time, "part": part, "weight": weight},
    )
    file = opened_table(source, max_bytes, sheet, has_header=has_header, marks=marks)
    decimal = file.marks.decimal
    priced = prices_given(hypergraph, costs, unit, max_bytes, decimal)
    make = assembled if file.sparse is None else sparse_dataset
    dataset = make(file, priced, options)
    del file
    if dataset.n_samples * dataset.n_features > LARGE:
        give_back_memory()
    return dataset


def from_frame(
    frame: Any,
    target: str,
    *,
    name: str = "frame",
    hypergraph: FeatureHypergraph | None = None,
    costs: Mapping[str, float] | Source | None = None,
    unit: str | None = "us",
    positive: Any = None,
    leave_out: Collection[str] = (),
    free: Collection[str] = (),
    missing: Missing = "refuse",
    kinds: Mapping[str, Any] | None = None,
    gaps: Gaps = "fill",
    group: str | None = None,
    time: str | None = None,
    part: str | None = None,
    weight: str | None = None,
    marks: MarksGiven = None,
) -> Dataset:
    """Return a data set of a DataFrame.

    Parameters
    ----------
    frame : DataFrame
        Of pandas, polars or Arrow, or anything that has the Arrow PyCapsule interface
        or the dataframe interchange protocol. It is read as its CSV file would be: a
        text such as "NA" or "?" is a gap. Durations are numbers of days.
    target : str
        The column that says which class a row is of.
    name : str, default="frame"
        Name of the data set.
    hypergraph, costs, unit, positive, leave_out, free, missing, kinds, gaps : optional
        As for ``read_table``.
    group, time, part, weight : str, optional
        As for ``read_table``.
    marks : FileMarks or mapping, optional
        As for ``read_table``.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        If the frame cannot be learned from, or does not match its costs.
    HypergraphError
        If the costs are no costs.

    Warns
    -----
    DataWarning
        If columns are left out that nobody named in `leave_out`.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = {"age": [40, 50, None, 61] * 3, "pain": ["dull", "none", "sharp"] * 4}
    >>> dataset = from_frame(pd.DataFrame({**rows, "ill": [0, 1] * 6}), "ill")
    >>> [(column.name, column.kind) for column in dataset.schema]
    [('age', 'number'), ('pain', 'category')]
    """
    table = framed_table(frame, name, marks)
    dataset = read_table(
        table,
        target,
        name=name,
        hypergraph=hypergraph,
        costs=costs,
        unit=unit,
        positive=positive,
        leave_out=leave_out,
        free=free,
        missing=missing,
        kinds=kinds,
        gaps=gaps,
        group=group,
        time=time,
        part=part,
        weight=weight,
    )
    told = {target, *leave_out, group, time, part, weight}
    kept = {*dataset.feature_names, *told}
    lost = [] if missing == "drop" else [n for n in table.columns if n not in kept]
    if lost:
        warnings.warn(
            f"Left out of {shown(name)}: {listed(lost)}; the notes of the data set say "
            "why. Name them in leave_out, or say their kinds.",
            DataWarning,
            stacklevel=2,
        )
    return dataset


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


def _written(column: Column, codes: Floats) -> NDArray:
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
