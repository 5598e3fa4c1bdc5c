"""Numbers are rounded by one rule, which is that of JavaScript."""

import json
import math
import subprocess
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from explorer.widgets.assets import asset
from solvers.values.rounding import fixed, number, rounded
from tests.each import each

SIZES = st.floats(1e-300, 1e300)
FINITE = SIZES | SIZES.map(lambda size: -size) | st.just(0.0)


@each(
    ("value", "shown"),
    [
        (0, "0"),
        (0.00123, "0.00123"),
        (0.5, "0.500"),
        (12.345, "12.3"),
        (99.96, "100"),
        (123.45, "123"),
        (312.5, "313"),
        (-312.5, "-313"),
        (98765.4, "98765"),
        (1234567.0, "1.23e+6"),
        (3e-9, "3.00e-9"),
        (math.inf, "inf"),
        (math.nan, "nan"),
    ],
)
def test_numbers_show_three_digits_that_count(value, shown):
    assert number(value) == shown


@given(FINITE, st.integers(1, 9))
def test_the_nearest_number_of_some_digits_is_taken(value, digits):
    """And of two that are as near the one further from zero."""
    found = rounded(value, digits)
    assert Decimal(repr(found)).normalize().as_tuple().digits[digits:] == ()
    exact, near = Decimal(value), Decimal(repr(found))
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1) if value else Decimal(0)
    assert abs(near - exact) <= step / 2
    if abs(near - exact) == step / 2:
        assert abs(near) >= abs(exact)
    assert rounded(found, digits) == found


def test_the_browser_writes_the_same_numbers():
    halves = [k / 2 * 10.0**e for k in range(1, 2500, 7) for e in range(-9, 7)]
    values = [*halves, *(-value for value in halves), 0.0, 312.5, 0.8125, 99.96, 999.5]
    script = (
        asset("number.js")
        + "const given = JSON.parse(require('fs').readFileSync(0, 'utf-8'));"
        "console.log(JSON.stringify(given.map((x) => "
        "[number(x), x.toFixed(3), Number(x.toPrecision(4))])))"
    )
    ran = subprocess.run(
        ["node", "-e", script],
        input=json.dumps(values),
        capture_output=True,
        text=True,
        check=True,
    )
    said = [list(row) for row in json.loads(ran.stdout)]
    assert said == [[number(v), fixed(v, 3), rounded(v, 4)] for v in values]
