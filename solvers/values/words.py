"""Words as people write them: gaps, yes and no, units."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, shown
from .base import ValueForm, any_of
from .reading import folded

#: What cells hold where they hold nothing, trimmed; a reader may be given others.
GAP_MARKS: tuple[str, ...] = (
    *("", "?", "NA", "N/A", "n/a", "#N/A", "#NA", "NaN", "nan", "-nan"),
    *("-NaN", "NULL", "null", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!"),
)

# In English and its files; German, French, Spanish and Italian, Portuguese, Dutch, the
# Nordic languages, Polish, Czech, Hungarian, Finnish, Turkish, Russian; of workbooks.
_NO_YES = """\
no yes, n y, false true, f t, 0 1, nein ja, n j, falsch wahr, non oui, faux vrai, no sí,
no si, no sì, falso verdadero, falso vero, não sim, nao sim, falso verdadeiro, nee ja,
onwaar waar, nej ja, nei ja, falskt sant, nie tak, ne ano, nem igen, ei kyllä,
hayır evet, нет да, Нет Да, НЕТ ДА"""
_PAIRS = tuple(tuple(pair.split()) for pair in _NO_YES.replace("\n", " ").split(","))
# Behind a comma in the brackets stands more: height (cm, required)
_UNIT = re.compile(
    r"(?P<name>.*?\S)\s*[(\[]\s*(?P<unit>[^\d\s()\[\],][^\s()\[\],]*)\s*"
    r"(,[^()\[\]]*)?[)\]]"
)


def trimmed(word: str, marks: Collection[str] = GAP_MARKS) -> str | None:
    """Return the word of a cell without blanks around it; None of a gap.

    Quotes and what stands behind a backslash are the file's, and undone by its reader.

    Parameters
    ----------
    word : str
        As it stands in the cell.
    marks : collection of str, optional
        The words of a gap.

    Returns
    -------
    str or None

    Examples
    --------
    >>> trimmed(" ? "), trimmed(' "a"'), trimmed("-", marks=["-"])
    (None, '"a"', None)
    """
    text = word.strip()
    return None if text in marks else text or None


@dataclass(frozen=True)
class YesNoForm(ValueForm):
    """How a column says no, 0, and yes, 1; capitals do not matter.

    Read are also ``no`` and ``yes``, ``false`` and ``true``, ``0`` and ``1``.

    Parameters
    ----------
    no, yes : str
        The column's own words.

    Examples
    --------
    >>> form = YesNoForm("nein", "ja")
    >>> form.read("Ja"), form.read("0"), form.read("maybe")
    (1.0, 0.0, None)
    """

    kind: ClassVar[str] = "yes/no"

    no: str = "no"
    yes: str = "yes"

    def __post_init__(self) -> None:
        if folded(self.no) == folded(self.yes):
            raise DataError(
                f"No and yes are both {shown(self.no)}; give two different words."
            )

    def _printed(self) -> dict[str, Any]:
        own = folded(self.no), folded(self.yes)
        also = (("no", "false", "0"), ("yes", "true", "1"))
        return {
            "patterns": [
                any_of([word, *(other for other in others if other not in own)])
                for word, others in zip(own, also, strict=True)
            ]
        }

    def read_all(self, words: Sequence[str | None]) -> NDArray[np.float64]:
        """Return 0 for no, 1 for yes, NaN for neither.

        Parameters
        ----------
        words : sequence of str or None, shape (n_words,)
            As they stand in cells.

        Returns
        -------
        ndarray of float, shape (n_words,)
        """
        known = {word: self.read(word) for word in {*words} if word is not None}
        found = [None if word is None else known[word] for word in words]
        return np.array(found, dtype=float)

    def write(self, value: float) -> str:
        """Return the word for no or yes.

        Parameters
        ----------
        value : float
            0 or 1.

        Returns
        -------
        str
        """
        return self.yes if value else self.no


def yes_no_form(words: Sequence[str]) -> YesNoForm | None:
    """Return how a column says yes and no; None where it holds anything else.

    Parameters
    ----------
    words : sequence of str
        Its distinct words, trimmed, without gaps; both have to be there.

    Returns
    -------
    YesNoForm or None

    Examples
    --------
    >>> yes_no_form(["Ja", "nein", "ja"])
    YesNoForm(no='nein', yes='Ja')
    >>> yes_no_form(["yes", "perhaps"])
    """
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(folded(word), word)
        if len(first) > 2:
            return None
    for no, yes in _PAIRS:
        if first.keys() == {no, yes}:
            return YesNoForm(first[no], first[yes])
    return None


def unit_in(header: str) -> tuple[str, str]:
    """Return a column's name and the unit that stands behind it in brackets.

    Parameters
    ----------
    header : str
        As it stands in the file.

    Returns
    -------
    tuple of str
        Name and unit; the unit is empty where none is told.

    Examples
    --------
    >>> unit_in("Cost (USD)"), unit_in("time [ms]"), unit_in("height (cm, required)")
    (('Cost', 'USD'), ('time', 'ms'), ('height', 'cm'))
    >>> unit_in("rank (of all)"), unit_in("n (2020)")
    (('rank (of all)', ''), ('n (2020)', ''))
    """
    match = _UNIT.fullmatch(header.strip())
    return (match["name"], match["unit"]) if match else (header.strip(), "")
