"""A threshold flatters on few rows."""

from explorer.pages.lessons.course import flattery


def test_a_threshold_flatters_on_few_rows_and_hardly_on_many():
    many, few = (flattery.flattery(n) for n in (flattery.SIZES[0], flattery.SIZES[-1]))
    assert few > 0.05
    assert many < flattery.SMALL
