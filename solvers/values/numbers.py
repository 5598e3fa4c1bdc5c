"""Numbers as people write them: a column decides what its points and commas are."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError, shown
from .base import (
    ALONE,
    MOSTLY,
    AmbiguousCellError,
    Beside,
    Layout,
    ShapedWords,
    ValueForm,
    any_of,
)
from .reading import folded, is_too_long, numbers_of

Percent: TypeAlias = Literal["never", "marked", "always", "either"]

#: How amounts of a currency are marked; small letters will do as well.
CURRENCIES: Mapping[str, tuple[str, ...]] = {
    "USD": ("$", "US$", "USD"),
    "EUR": ("€", "EUR", "Euro"),
    "GBP": ("£", "GBP"),
    "JPY": ("¥", "JPY", "円"),
    "CNY": ("CN¥", "CNY", "RMB", "元"),
    "INR": ("₹", "INR", "Rs.", "Rs"),
    "CHF": ("CHF", "Fr.", "SFr."),
    "SEK, NOK, DKK": ("kr", "kr.", "SEK", "NOK", "DKK"),
    "PLN": ("zł", "PLN"),
    "CZK": ("Kč", "CZK"),
    "HUF": ("Ft", "HUF"),
    "RUB": ("₽", "RUB"),
    "UAH": ("₴", "UAH"),
    "TRY": ("₺", "TRY", "TL"),
    "KRW": ("₩", "KRW"),
    "ILS": ("₪", "ILS"),
    "VND": ("₫", "VND"),
    "PHP": ("₱", "PHP"),
    "THB": ("฿", "THB"),
    "NGN": ("₦", "NGN"),
    "BRL": ("R$", "BRL"),
    "CAD": ("C$", "CA$", "CAD"),
    "AUD": ("A$", "AU$", "AUD"),
    "NZD": ("NZ$", "NZD"),
    "HKD": ("HK$", "HKD"),
    "SGD": ("S$", "SGD"),
    "MXN": ("MX$", "MXN"),
    "ZAR": ("ZAR",),
}
_CODE_OF = {word.lower(): code for code, words in CURRENCIES.items() for word in words}

_SEVERAL = 5  # distinct words that all end with 0 have not done so by accident
_EXACT = 2**53  # whole numbers up to it are floats


_MONEY = any_of([*_CODE_OF])
# What may be a number: the marks around its digits are looked at, whatever they say.
_LIKELY = re.compile(
    rf"(?P<before>{_MONEY} *)?(?P<open>\( *)?[+-]?(?:(?P<inside>{_MONEY}) *)?[+-]?"
    r"(?P<digits>(?:[.,]?[0-9][0-9., ']*)?[.,]?[0-9][.,]?(?:e[+-]?[0-9]+)?)"
    rf"(?P<percent> *%)?(?: *(?P<behind>{_MONEY}))?(?: *\))?(?: *(?P<after>{_MONEY}))?"
    rf"|(?P<ahead>{_MONEY}) *-|- *(?P<aback>{_MONEY})"
)


@dataclass(frozen=True)
class NumberForm(ValueForm):
    """How a column writes numbers.

    Digits are those of ASCII. Written are also ``5.``, ``.5``, ``+5``, ``-5`` with the
    sign of a printer, ``1e5``; not ``1_000``, ``0x1f`` or ``inf``.

    Parameters
    ----------
    decimal : {".", ","}, default="."
        What parts the decimals.
    thousands : {"", ",", ".", " ", "'"}, default=""
        What may stand between groups of digits: a blank of any width, an apostrophe of
        either form.
    indian : bool, default=False
        Whether groups before the last three digits are of two: ``12,34,567``.
    currency : str, default=""
        What may mark an amount of money, before or behind it; all that mark the same
        currency do.
    percent : {"never", "marked", "always", "either"}, default="never"
        "marked": every number is marked by ``%``, and a hundredth of what it says;
        "always": it may go without saying; "either": where no mark stands, the number
        is itself.
    accounting : bool, default=False
        Whether ``(12.00)`` is -12 and, of money, ``$ -`` is 0.
    unit : str, default=""
        As the header tells it.

    Raises
    ------
    DataError
        If a mark is none of these, or one stands for two things.

    Examples
    --------
    >>> form = NumberForm(",", ".", currency="€")
    >>> form.read("1.234,50 €"), form.read("1234,5"), form.read("1,234.50")
    (1234.5, 1234.5, None)
    >>> form.write(-1234.5)
    '-1.234,5 €'
    """

    kind: ClassVar[str] = "number"

    decimal: str = "."
    thousands: str = ""
    indian: bool = False
    currency: str = ""
    percent: Percent = "never"
    accounting: bool = False
    unit: str = ""

    def __post_init__(self) -> None:
        for what, value, allowed in [
            ("decimal", self.decimal, (".", ",")),
            ("thousands", self.thousands, ("", ",", ".", " ", "'")),
            ("percent", self.percent, get_args(Percent)),
        ]:
            if value not in allowed:
                raise DataError(
                    f"The form of a number has {what} {shown(value)}; use one of "
                    f"{', '.join(map(shown, allowed))}."
                )
        if self.decimal == self.thousands:
            raise DataError(
                f"The form of a number has {shown(self.decimal)} for decimals and for "
                "thousands; use two marks."
            )
        if self.currency and self.currency.lower() not in _CODE_OF:
            raise DataError(
                f"The form of a number has the currency {shown(self.currency)}; use "
                "one such as '$', '€' or 'CHF'."
            )

    def _printed(self) -> dict[str, Any]:
        bare = {"marked": "zero", "always": "percent"}.get(self.percent, "number")
        return {
            "patterns": list(self._patterns()),
            "decimal": self.decimal,
            "thousands": self.thousands,
            "bare": bare,
        }

    def _patterns(self) -> Iterator[str]:
        """Yield how a number is written, with the marks around its digits."""
        values = [rf"(?P<digits>{_digits(self, is_bare=self.percent != 'always')})"]
        if self.percent != "never":
            values.append(rf"(?P<digits>{_digits(self)}) *(?P<percent>%)")
        money = ""
        if self.currency:
            money = any_of(CURRENCIES[_CODE_OF[self.currency.lower()]])
        before, behind = (f"(?:{money} *)?", f"(?: *{money})?") if money else ("", "")
        for value in values:
            yield rf"(?P<sign>[+-])?{before}{value}{behind}"
            if money:
                yield rf"{money} *(?P<sign>[+-]){value}{behind}"
            if self.accounting:
                yield (rf"{before}(?P<open>\() *{before}{value}{behind} *\){behind}")
        if money and self.accounting:
            yield f"{money} *(?P<nil>-)"
            yield f"(?P<nil>-) *{money}"

    def _values(self, layout: Layout) -> Any:
        parts = layout.parts
        start, stop = layout.match.span("digits") if "digits" in parts else (0, 0)
        digits = [text[start:stop] or "0" for text in layout.texts]
        return numbers_of(digits, parts, self.printed)

    def write(self, value: float) -> str:
        """Return a word that reads as a number, with all of its digits.

        Parameters
        ----------
        value : float
            A finite one.

        Returns
        -------
        str
        """
        exact = Decimal(repr(abs(float(value))))
        is_percent = self.percent in ("marked", "always")
        exact = exact.scaleb(2) if is_percent else exact
        if exact and not is_percent and not -7 <= exact.adjusted() < 21:
            word = f"{exact:e}".replace("e+", "e").replace(".", self.decimal)
        else:
            whole, _, places = f"{exact:f}".partition(".")
            places = places.rstrip("0")
            word = self._grouped(whole) + (self.decimal + places if places else "")
        word += "%" * is_percent
        sign = "-" if math.copysign(1.0, value) < 0 else ""
        is_ahead = self.currency and not self.currency[-1].isalpha()
        if is_ahead and self.decimal == ".":
            return f"{sign}{self.currency}{word}"
        return f"{sign}{word} {self.currency}".rstrip()

    def _grouped(self, whole: str) -> str:
        """Return the digits of a whole number in their groups."""
        if not self.thousands or len(whole) <= 3:
            return whole
        size, (head, groups) = 2 if self.indian else 3, (whole[:-3], [whole[-3:]])
        while head:
            head, groups = head[:-size], [head[-size:], *groups]
        return self.thousands.join(groups)


def plain_number(word: str) -> float | None:
    """Return the number of a file that programs write; None where a word says none.

    The form is ``NumberForm()``, whatever the language: a decimal point, and no marks.

    Parameters
    ----------
    word : str
        Without blanks around it.

    Returns
    -------
    float or None

    Examples
    --------
    >>> plain_number(".25"), plain_number("1E-3"), plain_number("0,25")
    (0.25, 0.001, None)
    """
    # Most words match as they stand, and there are millions of them.
    if _PLAIN_WORD.fullmatch(word) and not is_too_long(word):
        value = float(word)
        return value if math.isfinite(value) else None
    return _PLAIN.read(word)


def _digits(form: NumberForm, *, is_bare: bool = False) -> str:
    """Return the pattern of the digits of a form, with an exponent where it may be."""
    point = {".": r"\.", ",": ","}[form.decimal]
    exponent = "(?:e[+-]?[0-9]+)?" if is_bare else ""
    plain = f"(?:[0-9]+(?:{point}[0-9]*)?|{point}[0-9]+){exponent}"
    mark = {".": r"\."}.get(form.thousands, form.thousands)
    if not mark:
        return plain
    groups = f"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+"
    if form.indian:
        groups = f"[1-9][0-9]?(?:{mark}[0-9]{{2}})*{mark}[0-9]{{3}}"
    return f"(?:{groups}(?:{point}[0-9]*)?|{plain})"


_PLAIN = NumberForm()
(_plain_pattern,) = _PLAIN.printed["patterns"]
_PLAIN_WORD = re.compile(_plain_pattern, re.ASCII | re.IGNORECASE)

# ------------------------------------------------------------------ what a column tells

_CONVENTIONS: Mapping[NumberForm, re.Pattern[str]] = {
    (form := NumberForm(point, mark, indian)): re.compile(_digits(form, is_bare=True))
    for point, other in (".,", ",.")
    for mark in ("", other, " ", "'")
    for indian in ((False, True) if mark else (False,))
}


@dataclass(frozen=True)
class _Shape:
    """Words of a column that differ by their digits alone."""

    words: list[str]  # As they stand in the cells
    texts: list[str]  # These, folded
    n_rows: float
    digits: str  # 9 for a digit, 0 where one leads
    currencies: frozenset[str]
    is_percent: bool
    is_open: bool

    @property
    def decimals(self) -> set[str]:
        """The marks that its decimals can be parted by."""
        return {
            form.decimal
            for form, pattern in _CONVENTIONS.items()
            if pattern.fullmatch(self.digits)
        }

    @property
    def is_ambiguous(self) -> bool:
        """Whether a mark may part decimals, or thousands."""
        return bool(re.search("[.,]", self.digits)) and len(self.decimals) > 1

    def numbers(self) -> Iterator[str]:
        """Yield the digits of its words, with what parts them."""
        match = _LIKELY.fullmatch(self.texts[0])
        start, stop = match.span("digits") if match else (0, 0)
        yield from (text[start:stop] for text in self.texts)


def _likely_shapes(
    words: Sequence[str], counts: ArrayLike | None, least: float = MOSTLY
) -> list[_Shape]:
    """Return the shapes of words that may be numbers, if most rows hold such."""
    rows = np.ones(len(words)) if counts is None else np.asarray(counts, dtype=float)
    found = []
    for shape, (held, texts) in ShapedWords.of(words).shapes.items():
        match = _LIKELY.fullmatch(shape)
        if match is not None:
            names = ("before", "inside", "behind", "after", "ahead", "aback")
            one = _Shape(
                [words[k] for k in held],
                texts,
                float(rows[held].sum()),
                match["digits"] or "9",
                frozenset(_CODE_OF[match[n].strip()] for n in names if match[n]),
                match["percent"] is not None,
                match["open"] is not None,
            )
            found += [one] if one.decimals else []
    is_mostly = sum(one.n_rows for one in found) >= least * rows.sum()
    return found if is_mostly else []


def counts_money_in(currency: str, unit: str) -> bool | None:
    """Return whether an amount of money is one of a unit.

    Parameters
    ----------
    currency : str
        What marks the amount.
    unit : str
        What is counted in.

    Returns
    -------
    bool or None
        None where the unit is no currency. Many dollars are written ``$``.

    Examples
    --------
    >>> counts_money_in("€", "EUR"), counts_money_in("$", "CAD")
    (True, True)
    >>> counts_money_in("€", "USD"), counts_money_in("€", "us")
    (False, None)
    """
    code = _CODE_OF.get(unit.strip().lower())
    if code is None:
        return None
    is_same = _CODE_OF.get(currency.lower()) == code
    return is_same or any(currency in word for word in CURRENCIES[code])


def spelled(unit: str) -> str:
    """Return a unit as it is usually written: a code of money in capitals.

    Parameters
    ----------
    unit : str
        As somebody wrote it.

    Returns
    -------
    str

    Examples
    --------
    >>> spelled("usd"), spelled("us"), spelled("Euro")
    ('USD', 'us', 'Euro')
    """
    code = unit.upper()
    return code if code in CURRENCIES and len(code) == 3 else unit


def decimal_marks(words: Sequence[str]) -> frozenset[str]:
    """Return the marks that part decimals in a column beyond doubt, of "." and ",".

    None where nothing tells, or its words are no numbers.
    `words`: its distinct words, without gaps.

    >>> sorted(decimal_marks(["950.5", "1,234"])), sorted(decimal_marks(["1,234"]))
    (['.'], [])
    """
    return frozenset(_clear(_likely_shapes(words, None)))


def _clear(shapes: Sequence[_Shape]) -> dict[str, list[_Shape]]:
    """Return the shapes that tell by themselves what parts decimals, by the mark."""
    found: dict[str, list[_Shape]] = {}
    for one in shapes:
        if len(one.decimals) == 1:
            found.setdefault(min(one.decimals), []).append(one)
    return found


def number_form(
    words: Sequence[str],
    counts: ArrayLike | None = None,
    *,
    name: str = "",
    beside: Beside = ALONE,
    decimal: str | None = None,
    percent: Percent | None = None,
    least: float = MOSTLY,
) -> NumberForm | None:
    """Return how a column writes numbers; None where it writes none.

    Parameters
    ----------
    words : sequence of str
        Its distinct words, trimmed, without gaps.
    counts : array_like, shape (n_words,), optional
        In how many rows each stands; in one by default.
    name : str, default=""
        Name of the column, for a refusal.
    beside : Beside, optional
        What the other columns of its file tell.
    decimal : {".", ","}, optional
        What parts decimals, where it is told.
    percent : {"never", "marked", "always", "either"}, optional
        As of ``NumberForm``, where it is told.
    least : float, default=0.9
        The share of the rows that hold numbers; of fewer there is no form.

    Returns
    -------
    NumberForm or None
        Of a column of which most rows hold a number.

    Raises
    ------
    AmbiguousCellError
        If a cell may be read in two ways, and nothing tells which is meant.

    Examples
    --------
    >>> number_form(["950.5", "1,234"]).read("1,234")
    1234.0
    >>> number_form(["900", "1,200"]).read("1,200")
    1200.0
    >>> number_form(["950", "1.234"], beside=Beside({","})).read("1.234")
    1234.0
    >>> number_form(["1,234"], decimal=",").read("1,234")
    1.234
    """
    shapes = _likely_shapes(words, counts, least)
    if not shapes or (
        # So are places in a list marked: (1), (2)
        all(one.is_open and not one.currencies for one in shapes)
    ):
        return None
    point, is_known = (decimal, True) if decimal else _decimal(shapes, name, beside)
    other = {".": ",", ",": "."}[point] if is_known else ""
    conventions = [form for form in _CONVENTIONS if form.decimal == point]
    # Of equals the first: what is no point of decimals may part thousands later on.
    conventions.sort(key=lambda form: (form.thousands != other, form.thousands != ""))
    form = max(conventions, key=lambda form: _n_rows_read(form, shapes))
    amounts = Counter[str]()
    for one in shapes:
        amounts.update({code: one.n_rows for code in one.currencies})
    currency = ""
    if amounts:
        currency = CURRENCIES[amounts.most_common(1)[0][0]][0]
    form = replace(
        form,
        currency=currency,
        percent=percent or _percent(shapes, name, form),
        accounting=bool(currency) or any(one.is_open for one in shapes),
    )
    total = len(words) if counts is None else float(np.sum(np.asarray(counts)))
    n_read = sum(one.n_rows for one in shapes if _matches(form, one.texts[0]))
    return form if n_read >= least * total else None


def _matches(form: NumberForm, word: str) -> bool:
    return any(re.fullmatch(pattern, word) for pattern in form.printed["patterns"])


def _n_rows_read(form: NumberForm, shapes: Sequence[_Shape]) -> float:
    pattern = _CONVENTIONS[form]
    return sum(one.n_rows for one in shapes if pattern.fullmatch(one.digits))


def _decimal(shapes: Sequence[_Shape], name: str, beside: Beside) -> tuple[str, bool]:
    """Return what parts decimals, and whether anything tells it."""
    clear = _clear(shapes)
    rows = {mark: sum(one.n_rows for one in found) for mark, found in clear.items()}
    if rows:
        most = max(rows, key=lambda mark: rows[mark])
        if rows[most] < MOSTLY * sum(rows.values()):
            if beside.told:
                return beside.told, True
            raise _of_both(name, clear["."][0].words[0], clear[","][0].words[0])
        return most, True
    if beside.told:
        return beside.told, True
    doubtful = [one for one in shapes if one.is_ambiguous]
    if not doubtful:
        return beside.decimal or ".", bool(beside.decimal)
    marks = {mark for one in doubtful for mark in one.digits if mark in ",."}
    cell = doubtful[0].words[0]
    if len(marks) > 1:
        if beside.decimal:
            return beside.decimal, True
        raise _ambiguous(name, cell)
    mark = marks.pop()
    is_grouped = _parts_thousands(mark, shapes, doubtful)
    known = beside.decimal
    if known and (known != mark or mark == "." or not is_grouped):
        return known, True
    # As files are written where nothing tells otherwise.
    if not beside.decimals and is_grouped == (mark == ","):
        return ".", True
    raise _ambiguous(name, cell)


def _parts_thousands(
    mark: str, shapes: Sequence[_Shape], doubtful: Sequence[_Shape]
) -> bool:
    """Return whether a mark before three digits hardly parts decimals.

    Whoever writes decimals writes as many in every row, or none that are 0 at the end.
    So nobody does where whole numbers below 1000 go without, and some that have the
    mark end with 0; or, of commas, where all amounts of money or all of several end so.
    """
    plain = [len(one.digits) for one in shapes if one.digits.strip("09") == ""]
    ends = [digits[-1] == "0" for one in doubtful for digits in one.numbers()]
    if max(plain, default=0) > 3:
        return False
    is_money = any(one.currencies for one in doubtful)
    is_even = mark == "," and all(ends) and (is_money or len(ends) >= _SEVERAL)
    return is_even or (bool(plain) and any(ends))


def _percent(shapes: Sequence[_Shape], name: str, form: NumberForm) -> Percent:
    """Return what marks of percent tell; refuse numbers with them beside others."""
    if not any(one.is_percent for one in shapes):
        return "never"
    bare = (one for one in shapes if not one.is_percent)
    for word in (word for one in bare for word in one.numbers()):
        number = replace(form, percent="never").read(word)
        if number:
            hundredth = number / 100
            raise AmbiguousCellError(
                f"Column {shown(name)} holds {shown(word)} beside percentages, which "
                f"may be {hundredth:g} (percent) or {number:g}; mark all numbers "
                "alike, or say percent='always' or percent='either' (--kinds).",
                word,
                {
                    "percent='always'": f"{hundredth:g}",
                    "percent='either'": f"{number:g}",
                },
            )
    return "marked"


def _digits_of(cell: str) -> str:
    """Return a number without the marks around its digits."""
    match = _LIKELY.fullmatch(folded(cell))
    return match["digits"] if match else cell


def _ambiguous(name: str, cell: str) -> AmbiguousCellError:
    mark = "," if "," in cell else "."
    other, digits = ".,".replace(mark, ""), _digits_of(cell)
    parted = NumberForm(mark).read(digits) or 0.0
    grouped = NumberForm(other, mark).read(digits) or 0.0
    what = {".": "point", ",": "comma"}
    return AmbiguousCellError(
        f"Column {shown(name)} holds {shown(cell)}, which may be {parted!r} (a decimal "
        f"{what[mark]}) or {grouped:.0f} (thousands); say decimal={mark!r} or "
        f"decimal={other!r} (--decimal).",
        cell,
        {f"decimal={mark!r}": repr(parted), f"decimal={other!r}": f"{grouped:.0f}"},
    )


def _of_both(name: str, with_point: str, with_comma: str) -> AmbiguousCellError:
    values = [
        form.read(_digits_of(with_comma))
        for form in _CONVENTIONS
        if form.decimal == ","
    ]
    number = f"{next(value for value in values if value is not None):g}"
    return AmbiguousCellError(
        f"Column {shown(name)} holds {shown(with_point)} with a decimal point and "
        f"{shown(with_comma)} with a decimal comma; write them alike, or say "
        f"decimal='.', which makes the latter a gap, or decimal=',', which makes it "
        f"{number} (--decimal).",
        with_comma,
        {"decimal='.'": "a gap", "decimal=','": number},
    )


def first_code(words: Sequence[str]) -> str | None:
    """Return a word that looks like a number, and that no number writes.

    Such are ``007`` and ``10e4``, which would be written 7 and 1e5, and whole numbers
    of so many digits that some would be rounded away: they name something.

    Parameters
    ----------
    words : sequence of str
        Of a column, without gaps.

    Returns
    -------
    str or None
        The first such word.

    Examples
    --------
    >>> first_code(["10", "01"]), first_code(["0.5", "1e5"])
    ('01', None)
    """
    for one in _likely_shapes(words, None):
        digits = one.digits
        if re.match("0[0-9]", digits):
            return one.words[0]
        is_long = "e" in digits or len(digits) > 15
        for k, number in enumerate(one.numbers() if is_long else ()):
            if not _is_written_so(number):
                return one.words[k]
    return None


def _is_written_so(digits: str) -> bool:
    """Return whether a number writes some digits: as a power of ten, or exactly."""
    head, _, power = digits.partition("e")
    whole, *places = re.split("[.,]", head, maxsplit=1)
    if power:
        n, is_zero = len(whole.lstrip("0")), not head.strip("0.,")
        is_begun = n <= 1 or (n <= 3 and int(power) % 3 == 0)
        return int(power) == 0 if is_zero else is_begun
    is_exact = len(whole) <= len(str(_EXACT)) and int(whole) <= _EXACT
    return bool(places) or is_exact or len(whole.strip("0")) <= 15
