"""What a figure of the paper is: what it claims, how its rows are made and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from ...errors import ThriftscopeError, shown

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Axes:
    """Which columns of the rows are drawn, and what they are called."""

    x: str  #: Column along the horizontal axis
    y: tuple[str, ...]  #: Columns that are drawn against it, one picture each
    series: str  #: Column with one line for each of its values
    #: What every column is called, with its unit; in the order of the table
    headings: Mapping[str, str]
    panels: tuple[str, ...] = ()  #: Columns with one picture for each of their values
    #: Columns that are drawn by powers of ten
    logarithmic: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PaperFigure:
    """A figure of the paper, to be measured again."""

    name: str  #: Short name, for links
    title: str  #: Its number in the paper and what it shows
    published: str  #: What the paper claims of it, in our own words
    sizes: str  #: The paper's sizes, and ours by default
    #: Returns the iterator of rows; takes sizes, all with defaults
    rows: Callable[..., Iterator[Any]]
    #: Takes rows and returns what they say, one sentence each
    measured: Callable[[Sequence[Any]], list[str]]
    axes: Axes  #: How it is drawn
    #: Columns whose values change from one step of the work to the next
    step: tuple[str, ...]
    n_steps: int  #: How many steps there are by default

    def share_done(self, rows: Iterable[Any]) -> float:
        """Return how much of the default work some rows stand for.

        Parameters
        ----------
        rows : iterable of dataclass
            The rows so far.

        Returns
        -------
        float
            From 0 to 1.
        """
        steps = {tuple(getattr(row, name) for name in self.step) for row in rows}
        return min(1.0, len(steps) / self.n_steps)


def figure_table(rows: Iterable[Any]) -> pd.DataFrame:
    """Return the rows of a figure as a table.

    Parameters
    ----------
    rows : iterable of dataclass
        Rows of one figure, also while they are still being computed.

    Returns
    -------
    pandas.DataFrame
        One line a row, one column a field.

    Raises
    ------
    ThriftscopeError
        If something else than rows is given.
    """
    import pandas as pd

    found = list(rows)
    for row in found:
        if not is_dataclass(row) or isinstance(row, type):
            raise ThriftscopeError(
                f"A row of a figure is a {type(row).__name__}; give what figure_2 to "
                "figure_10 yield."
            )
    columns = [field.name for field in fields(found[0])] if found else []
    return pd.DataFrame([asdict(row) for row in found], columns=columns)


def check_sizes(name: str, values: Sequence[float], low: float, high: float) -> None:
    """Refuse an empty sequence of sizes, and sizes out of range."""
    if not len(values):
        raise ThriftscopeError(f"{name} is empty; give one value or more.")
    for value in values:
        if not low <= value <= high:
            raise ThriftscopeError(
                f"{name} holds {shown(value)}; give values from {low:g} to {high:g}."
            )
