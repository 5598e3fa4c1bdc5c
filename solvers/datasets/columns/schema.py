"""What each column of a table is: its kind, its values, what becomes of its gaps."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from ...checks import refuse_namesakes
from ...errors import DataError, InterchangeError, listed, shown
from ...values import GAP_MARKS, FileMarks, ValueForm, form_from

Kind: TypeAlias = Literal[
    "number",
    "yes/no",
    "category",
    "ordered",
    "code",
    "date",
    "time",
    "hashed",
    "text",
    "identifier",
    "unusable",
]
Gaps: TypeAlias = Literal["fill", "value", "drop"]
Encoding: TypeAlias = Literal["one column a value", "mean of the label"]

#: Kinds whose values are listed: the code of a value is its place in the list.
LISTED = ("yes/no", "category", "ordered", "code", "hashed")
#: Kinds that no method learns from.
LEFT_OUT = ("text", "identifier", "unusable")
_MAX_LISTED = 100_000


@dataclass(frozen=True)
class Column:
    """A column as people have it: one feature, whatever it takes to encode it.

    Parameters
    ----------
    name : str
        Its name.
    kind : {"number", "yes/no", "category", "ordered", "code", "date", "time", \
            "hashed", "text", "identifier", "unusable"}, default="number"
        A code is a whole number that names something; "hashed" is text of many values
        put into a few buckets. The last three are left out.
    values : tuple of str, default=()
        The values of a kind that has a list of them, in their order.
    parts : tuple of {"age", "month", "weekday", "hour", "minute", "sine", "cosine"}, \
            default=()
        What is taken from a date, or from a time of day: its minute, and where it
        stands in the circle of a day.
    gaps : {"fill", "value", "drop"}, default="fill"
        "fill": by the median or the most frequent value, beside a column that tells
        where; "value": a gap is a value of its own; "drop": such rows are left out.
    has_gaps : bool, default=False
        Whether there are any.
    encoding : {"one column a value", "mean of the label"}, default="one column a value"
        How categories and codes become numbers.
    form : ValueForm, optional
        How words are read as numbers or dates: by default as files write them.
    """

    name: str
    kind: Kind = "number"
    values: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    gaps: Gaps = "fill"
    has_gaps: bool = False
    encoding: Encoding = "one column a value"
    form: ValueForm | None = None

    def __post_init__(self) -> None:
        for what, value, allowed in [
            ("kind", self.kind, get_args(Kind)),
            ("treatment of gaps", self.gaps, get_args(Gaps)),
            ("encoding", self.encoding, get_args(Encoding)),
        ]:
            if value not in allowed:
                raise DataError(
                    f"Column {shown(self.name)} has the {what} {shown(value)}; use one "
                    f"of {', '.join(allowed)}."
                )

    @property
    def is_listed(self) -> bool:
        """Whether the column has a list of values."""
        return self.kind in LISTED

    @property
    def is_left_out(self) -> bool:
        """Whether no method learns from the column."""
        return self.kind in LEFT_OUT

    @property
    def is_plain(self) -> bool:
        """Whether the column is its own encoding."""
        return not (self.has_gaps or self.form) and (
            self.kind == "number"
            or (self.kind == "yes/no" and self.values in (("0", "1"), _TRUTH))
        )


_TRUTH = ("False", "True")


@dataclass(frozen=True)
class TableSchema:
    """The columns that methods learn from, in the order of the features.

    Parameters
    ----------
    columns : tuple of Column
        With distinct names.
    gap_marks : tuple of str, optional
        What stands in cells that hold nothing.

    Raises
    ------
    DataError
        If a name stands twice.
    """

    columns: tuple[Column, ...]
    gap_marks: tuple[str, ...] = GAP_MARKS

    def __post_init__(self) -> None:
        refuse_namesakes(self.names, "column")

    def __sklearn_clone__(self) -> TableSchema:
        """Return itself: a value needs no copies."""
        return self

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def is_plain(self) -> bool:
        """Whether every column is its own encoding."""
        return all(column.is_plain for column in self.columns)

    def take(self, columns: Sequence[int]) -> TableSchema:
        """Return the schema of some columns, by their places."""
        taken = tuple(self.columns[j] for j in columns)
        return dataclasses.replace(self, columns=taken)

    def renamed(self, names: Sequence[str]) -> TableSchema:
        """Return the schema with other names."""
        pairs = zip(self.columns, names, strict=True)
        named = tuple(dataclasses.replace(column, name=name) for column, name in pairs)
        return dataclasses.replace(self, columns=named)

    def to_json(self) -> str:
        """Return the kinds as a file holds them, one object a column."""
        described = {column.name: _data_of(column) for column in self.columns}
        marks = FileMarks(self.gap_marks).data
        data = {"columns": described, **({"marks": marks} if marks else {})}
        return json.dumps(data, indent=2, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> TableSchema:
        """Return the schema that a text holds."""
        columns = tuple(Column(**_typed(n, c)) for n, c in read_kinds(text).items())
        return cls(columns, FileMarks.of(json.loads(text).get("marks")).gaps)


def _data_of(column: Column) -> dict[str, Any]:
    """Return the kind of a column, and what is not as it is by default."""
    found: dict[str, Any] = {"kind": column.kind}
    for field in dataclasses.fields(column):
        value = getattr(column, field.name)
        if field.name not in ("name", "kind") and value != field.default:
            found[field.name] = value.data if field.name == "form" else value
    return found


def read_kinds(text: str) -> dict[str, dict[str, Any]]:
    """Return what a file of kinds says of each column.

    Parameters
    ----------
    text : str
        JSON: ``{"columns": {"cp": {"kind": "category"}, "ca": "code"}}``, or what
        stands there under "columns" alone. Whatever it does not say is detected.

    Returns
    -------
    dict of str to dict of str to object
        Fields of ``Column`` by the name of the column.

    Raises
    ------
    InterchangeError
        If the text is no such JSON.
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InterchangeError(
            f"The file of kinds is not JSON ({shown(str(error))}); write "
            '{"columns": {"name": {"kind": "category"}}}.'
        ) from error
    if not isinstance(given, Mapping):
        raise InterchangeError(
            f"The file of kinds holds {shown(text.strip())}; write "
            '{"columns": {"name": {"kind": "category"}}}.'
        )
    columns = given.get("columns")
    return checked_kinds(columns if isinstance(columns, Mapping) else given)


def checked_kinds(columns: Any) -> dict[str, dict[str, Any]]:
    """Return what is said of columns as fields by name; refuse what says nothing."""
    if not isinstance(columns, Mapping):
        raise InterchangeError(
            f"The kinds of columns are {shown(columns)}; give a mapping of names to "
            "kinds."
        )
    return {name: _described(name, column) for name, column in columns.items()}


#: What a person may say of how a column's words are read, as `guessed_form` has it.
WRITTEN = ("decimal", "percent", "order", "clock")
_FIELDS = tuple(f.name for f in dataclasses.fields(Column) if f.name != "name")


def _described(name: str, given: Any) -> dict[str, Any]:
    told = {"kind": given} if isinstance(given, str) else given
    if not isinstance(told, Mapping) or not told.keys() <= {*_FIELDS, *WRITTEN}:
        raise InterchangeError(
            f"Column {shown(name)} is described as {shown(given)}; give its kind, or "
            f"an object with some of {', '.join([*_FIELDS, *WRITTEN])}."
        )
    _typed(name, {key: value for key, value in told.items() if key not in WRITTEN})
    return dict(told)


def _typed(name: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a column, lists as tuples; refuse others' types."""
    fields: dict[str, Any] = {"name": name, **told}
    for key in ("values", "parts"):
        words = fields.get(key, ())
        if not isinstance(words, list | tuple) or len(words) > _MAX_LISTED:
            raise InterchangeError(
                f"The {key} of column {shown(name)} are {shown(words)}; give a list of "
                "texts."
            )
        fields[key] = tuple(str(word) for word in words)
        if len(set(fields[key])) < len(words):
            raise InterchangeError(
                f"The {key} of column {shown(name)} name one twice: {listed(words)}."
            )
    if not isinstance(fields.get("has_gaps", False), bool):
        raise InterchangeError(
            f"has_gaps of column {shown(name)} is {shown(fields['has_gaps'])}; write "
            "true or false."
        )
    form = fields.get("form")
    fields["form"] = form_from(form) if isinstance(form, Mapping) else form
    if not isinstance(fields["form"], ValueForm | None):
        raise InterchangeError(
            f"The form of column {shown(name)} is {shown(form)}; give an object such "
            'as {"kind": "number", "decimal": ","}.'
        )
    Column(**fields)
    return fields
