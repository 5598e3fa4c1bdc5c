"""A knob refuses what it does not allow, with name, value and range."""

import math

import pytest

from solvers import Choice, Number, Switch
from solvers.errors import KnobError
from tests.each import each

NUMBER = Number("Quasi-norm p", 0.0, 1.0, open=True)
COUNT = Number("Stages", 1, 9, integer=True)


@each(
    ("knob", "value", "sentence"),
    [
        (NUMBER, 1.0, "p is 1; Quasi-norm p lies strictly between 0 and 1"),
        (NUMBER, math.nan, "p is nan"),
        (NUMBER, "x", "p is 'x'; Quasi-norm p is a number"),
        (NUMBER, True, "p is True; Quasi-norm p is a number"),
        (NUMBER, None, "p is None"),
        (NUMBER, 10**400, "p is 1000"),
        (Number("λ", 0.0), 10**400, "p is 1000"),
        (COUNT, 2.5, "p is 2.5; Stages is a whole number"),
        (COUNT, 0, "p is 0; Stages lies between 1 and 9"),
        (Number("λ", 0.0), -1, "p is -1; λ lies at 0 or above"),
        (Choice("Penalty", ("lp", "mcp")), "l2", "Penalty is one of 'lp', 'mcp'"),
        (Switch("Refit"), 1, "p is 1; Refit is True or False"),
    ],
)
def test_what_is_not_allowed_is_refused(knob, value, sentence):
    with pytest.raises(KnobError, match=sentence):
        knob.check("p", value)


@each(
    ("knob", "value"),
    [
        (NUMBER, 0.5),
        (COUNT, 9),
        (Number("Budget", 0.0, optional=True), None),
        (Choice("Penalty", ("lp", "mcp")), "mcp"),
        (Switch("Refit"), False),
    ],
)
def test_what_is_allowed_passes(knob, value):
    knob.check("p", value)
