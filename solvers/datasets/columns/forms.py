"""Numbers and dates that are written in ways that are not read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

__all__ = ["ForeignForm", "foreign_form"]

ForeignForm: TypeAlias = Literal["figures", "days"]

_MOSTLY = 0.9  # of the distinct values have the form
_SIGN = "[€$£¥%]?"
# 1,234.50 or € 12 or 40 %
_FIGURE = re.compile(
    rf"(?!\d+$)[+-]?{_SIGN}\s?(\d{{1,3}}([., '’\u00a0\u202f]\d{{3}})+|\d+)([.,]\d+)?"
    rf"\s?{_SIGN}",
    re.ASCII,
)
# 31/12/2024 or 31. Dec 2024 or December 31, 2024, with a time or without
_DAY = re.compile(
    r"(\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
    r"|\d{1,2}\.?[ -][A-Za-z]{3,9}\.?[ -]\d{2,4}"
    r"|[A-Za-z]{3,9}\.? \d{1,2},? \d{4})([ T,].*)?",
    re.ASCII,
)


def foreign_form(words: Sequence[str]) -> ForeignForm | None:
    """Return what distinct words write in a way of their own; None: neither."""
    forms: dict[ForeignForm, re.Pattern[str]] = {"figures": _FIGURE, "days": _DAY}
    for form, pattern in forms.items():
        if sum(map(bool, map(pattern.fullmatch, words))) >= max(
            1, _MOSTLY * len(words)
        ):
            return form
    return None
