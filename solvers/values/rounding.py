"""Numbers as people read them: one rule of rounding, on the screen and in files.

What lies midway goes away from zero, as in JavaScript: Python's own formats take the
even neighbour, so that 312.5 was 312 in a sentence and 313 on the slider beside it.

The browser has `number` in assets/number.js, for the drawing and for sliders; tables
(assets/data_table.js) take numbers as they come, and write decimals by `toFixed`. An
exported page (deploy/parts/page.js) writes four digits by `toPrecision`.

>>> number(312.5), number(0.05), number(1.2345e7), fixed(0.8125, 3)
('313', '0.0500', '1.23e+7', '0.813')
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal

# From the one on, and below the other, a number has an exponent.
_LARGE, _SMALL, _MOST_DECIMALS = 1e6, 1e-6, 6
# Room for all digits of a double: it is taken as it is, as JavaScript does.
_HALF_UP = Context(prec=1100, rounding=ROUND_HALF_UP)


def rounded(value: float, digits: int = 3) -> float:
    """Return the nearest number of so many digits that count."""
    if not math.isfinite(value) or value == 0:
        return float(value)
    return float(_exactly(value, digits))


def fixed(value: float, decimals: int) -> str:
    """Return a number with so many decimals."""
    if not math.isfinite(value):
        return f"{value:g}"
    value = float(value)
    further = f"{value:.{decimals + 1}f}"
    if further[-1] == "5" and float(further) == value:  # it may lie midway
        places = Decimal(1).scaleb(-decimals)
        return f"{Decimal(value).quantize(places, context=_HALF_UP):f}"
    return f"{value:.{decimals}f}"


def number(value: float) -> str:
    """Return a number with three digits that count, and all before the point."""
    if not math.isfinite(value) or value == 0:
        return f"{value:g}"
    value = float(value)
    digits, power = f"{value:.3e}".split("e")
    is_midway = digits[-1] == "5" and float(f"{digits}e{power}") == value
    near = _exactly(value, 3) if is_midway else value
    digits, power = f"{near:.2e}".split("e")
    exponent = int(power)
    if not _SMALL <= abs(value) < _LARGE:
        return f"{digits}e{exponent:+d}"
    return fixed(value, min(max(0, 2 - exponent), _MOST_DECIMALS))


def _exactly(value: float, digits: int) -> Decimal:
    exact = Decimal(float(value))
    places = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    return exact.quantize(places, context=_HALF_UP)
