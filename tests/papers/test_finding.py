"""The sentence that findings make."""

import pytest

from solvers.papers import Claim, verdict


def test_what_was_not_computed_has_no_verdict():
    assert verdict(None) == "Not computed yet."


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("holds", "It is so. Holds: 3 of 3."),
        ("does not hold", "It is so. Does not hold: 3 of 3."),
        ("within noise", "It is so. Within noise: 3 of 3."),
        (None, "It is so. Not judged here: 3 of 3."),
    ],
)
def test_every_outcome_is_a_verdict(outcome, said):
    assert verdict([Claim("It is so.", "yes", "3 of 3", outcome)]) == said
