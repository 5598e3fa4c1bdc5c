"""Numbers and blocks are said as people read them."""

from solvers.papers.figures.text import blocks_in_words, duration, rounded
from tests.each import each


@each(("value", "text"), [(23412.0, "23,400"), (0.98765, "0.988"), (1e-5, "0.00001")])
def test_three_digits_count_and_there_is_no_exponent(value, text):
    assert rounded(value) == text


@each(
    ("seconds", "text"), [(1.0, "1 s"), (0.9994, "999 ms"), (1e-3, "1 ms"), (0, "0 µs")]
)
def test_a_time_is_in_the_unit_that_suits_it(seconds, text):
    assert duration(seconds) == text


def test_one_block_is_not_the_largest_of_one():
    assert blocks_in_words(1, 1200) == "one block of 1,200 features"
    assert blocks_in_words(3, 7) == "3 blocks, the largest of 7 features"
