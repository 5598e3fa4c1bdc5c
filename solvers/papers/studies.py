"""A study: a figure or a table of a paper, computed again, with what the paper claims.

It yields rows, and its claims (`solvers.papers.claims`) are data that rows bear out or
not::

    @study("CSMN Fig. 2", pair="seed", pairs="seeds")
    def figure_2(n_seeds: int = 4) -> Iterator[Row]: ...

    ahead = Ahead("LOGREG", of="CSMN", by="-cost", at={"alpha": 0.0})
    figure_2.claims = [Claim("LOGREG performs well.", "drawn", ahead)]
"""

from __future__ import annotations

import functools
import json
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ThriftscopeError, shown
from .claims import Claim, StudyTable
from .verdicts import Finding, verdict

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


@dataclass(eq=False, repr=False)
class Study:
    """A figure or table of a paper, to be computed again; calling it gives its rows."""

    rows: Callable[..., Iterator[Any]]  #: Takes sizes, all with defaults
    key: str  #: Its paper and number
    pair: tuple[str, ...]  #: Columns that tell independent pairs of rows apart
    pairs: str  #: What the pairs are called
    who: str = "method"  #: The column that says whose number a row holds
    labels: Mapping[str, str] | None = None  #: What columns are called
    #: Makes of rows those that claims speak of, where they speak of others
    derive: Callable[[list[Any]], list[Any]] = list
    name: str = ""  #: Short name, for links
    title: str = ""  #: Its number in the paper and what it shows
    published: str = ""  #: What the paper says of it, in our own words
    sizes: str = ""  #: The paper's sizes, and ours by default
    #: Takes rows and returns what they show, one sentence each
    describe: Callable[[Sequence[Any]], list[str]] = lambda rows: []
    axes: Axes | None = None  #: How it is drawn
    #: Sizes at which it takes seconds, for a first look
    quick: Mapping[str, Any] = field(default_factory=dict)
    #: Columns whose values change from one step of the work to the next
    step: tuple[str, ...] = ()
    n_steps: int = 1  #: How many steps there are by default
    also: Study | None = None  #: Whose claims belong to it
    claims: Sequence[Claim] = ()  #: What the paper says that rows may bear out

    def __call__(self, *args: Any, **sizes: Any) -> Iterator[Any]:
        """Return the rows as they are computed."""
        return self.rows(*args, **sizes)

    def judge(self, rows: Iterable[Any]) -> list[Finding]:
        """Return what came out of each claim, by all rows of the study."""
        table = StudyTable(
            self.derive(list(rows)), self.pair, self.pairs, self.who, self.labels or {}
        )
        place = self.key.partition(" ")[2]
        return [claim.found(table, place) for claim in self.claims]

    def findings(self) -> list[Finding]:
        """Compute the study at its default sizes, and return what came out."""
        own = self.judge(self.rows())
        return own if self.also is None else own + self.also.findings()

    def measured(self, rows: Sequence[Any]) -> list[str]:
        """Return what all rows show, and what follows for the claims; in sentences."""
        return [*self.describe(rows), *(verdict([one]) for one in self.judge(rows))]

    def share_done(self, rows: Iterable[Any]) -> float:
        """Return how much of the default work some rows stand for, from 0 to 1."""
        steps = {tuple(getattr(row, name) for name in self.step) for row in rows}
        return min(1.0, len(steps) / self.n_steps)


def study(
    key: str, *, pair: str | tuple[str, ...], pairs: str, **facts: Any
) -> Callable[[Callable[..., Iterator[Any]]], Study]:
    """Return what makes a study of a function that yields its rows.

    `facts`: further fields of `Study`.
    """

    def made(rows: Callable[..., Iterator[Any]]) -> Study:
        columns = (pair,) if isinstance(pair, str) else pair
        found = Study(rows, key, columns, pairs, **facts)
        functools.update_wrapper(found, rows)
        return found

    return made


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
    columns = [one.name for one in fields(found[0])] if found else []
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


RECORDED = Path(__file__).parent / "recorded.json"


def findings(key: str) -> tuple[Finding, ...] | None:
    """Return the findings of a figure that were recorded last.

    Parameters
    ----------
    key : str
        A key of ``computed()``.

    Returns
    -------
    tuple of Finding or None
        None where the figure was not computed yet.
    """
    found = _recorded().get(key)
    return found and tuple(Finding(**one) for one in found["findings"])


def record(
    key: str, found: Sequence[Finding], code: str, path: Path = RECORDED
) -> None:
    """Keep the findings of a figure, with the version of the code that computed them.

    `key`: of ``computed()``; `path`: where the record is.
    """
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    kept[key] = {"code": code, "findings": [asdict(finding) for finding in found]}
    text = json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", "utf-8")
    _recorded.cache_clear()


@cache
def _recorded() -> dict[str, Any]:
    return json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}


@cache
def studies() -> dict[str, Study]:
    """Return all studies, by paper and number.

    Found by walking the package: a study is declared in its own file alone.
    """
    package = import_module(__package__)
    modules = pkgutil.walk_packages(package.__path__, f"{__package__}.")
    return {
        one.key: one
        for module in modules
        for one in vars(import_module(module.name)).values()
        if isinstance(one, Study)
    }


def computed() -> dict[str, Callable[[], Sequence[Finding]]]:
    """Return what computes the findings of each figure, by paper and number."""
    found = studies()
    parts = [one.also for one in found.values()]
    return {key: one.findings for key, one in found.items() if one not in parts}
