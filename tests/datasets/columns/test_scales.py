"""Words that are steps of one scale have its order, and others have none."""

from solvers.datasets.columns.detection import scale_of
from tests.each import each


@each(
    ("words", "order"),
    [
        ({"high", "low", "medium"}, ("low", "medium", "high")),
        ({" High ", "LOW", "medium"}, ("LOW", "medium", " High ")),
        ({"IV", "II", "III"}, ("II", "III", "IV")),
    ],
)
def test_steps_are_ordered_and_spelt_as_they_were(words, order):
    assert scale_of(words) == order


@each(
    "words",
    [{"low", "high"}, {"low", "LOW", "high", "medium"}, {"low", "high", "red"}, set()],
)
def test_what_is_no_scale_has_no_order(words):
    assert scale_of(words) is None
