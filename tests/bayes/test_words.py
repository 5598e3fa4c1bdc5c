"""Words are read one at a time, whatever stands between them."""

import pytest

from solvers.bayes.words import END, SLICE, Words, numbers_in, plain_words
from solvers.errors import InterchangeError

MARKS = "{}();,|="


def words_of(text, **options):
    words = Words(text, MARKS, **options)
    found = []
    while words.next != END:
        found.append(words.take())
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" a{b}c ", ["a", "{", "b", "}", "c"]),
        ('"a {b}" c', ["a {b}", "c"]),
        ("a // b\nc/* d\n */e", ["a", "c", "e"]),
        ("1/2//x", ["1/2"]),
        ("a/b", ["a/b"]),
        ("//", []),
    ],
)
def test_words_are_told_from_marks_quotes_and_comments(text, found):
    assert words_of(text) == found


def test_a_comment_may_begin_with_another_mark():
    assert words_of("a % b\nc", line_comment="%") == ["a", "c"]


def test_a_quoted_mark_is_no_mark():
    words = Words('"{" {', MARKS)
    assert not words.takes("{")
    words.take()
    assert words.takes("{")


@pytest.mark.parametrize("text", ['"a', "a /* b", '""'])
def test_what_is_not_closed_or_empty_is_refused(text):
    with pytest.raises(InterchangeError, match=r"open quote|open comment|empty name"):
        words_of(text)


@pytest.mark.parametrize(
    "listed", ["1,2 , .5e-1;", "(1 2)(5e-2);", "1 /* 7 */ 2 0.05 ;", "1 2 5E-2// 9\n;"]
)
def test_numbers_end_where_their_list_ends(listed):
    words = Words(f"{listed} after", MARKS)
    assert list(words.numbers(";", "a list", "(),")) == [1, 2, 0.05]
    assert words.next == "after"


@pytest.mark.parametrize("n", [SLICE // 4 - 1, SLICE // 4, SLICE // 2, SLICE])
@pytest.mark.parametrize("gap", [" ", ",", ", "])
def test_no_number_is_cut_where_a_slice_ends(n, gap):
    text = gap.join(["0.25", "12"] * (n // 2)) + ";"
    numbers = Words(text, MARKS).numbers(";", "a list")
    assert list(numbers) == [0.25, 12] * (n // 2)
    if gap == " ":
        assert numbers_in(text[:-1], "a list").tolist() == list(numbers)
        assert list(plain_words(text[:-1], "#")) == text[:-1].split()


@pytest.mark.parametrize("word", ["half", "1_0", "0.5x", "1.2.3", "("])
def test_what_is_no_number_is_refused(word):
    with pytest.raises(InterchangeError, match="where a number is expected"):
        Words(f"0.5 {word};", MARKS).numbers(";", "a list")
