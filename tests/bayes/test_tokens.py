"""Tokens are read one at a time, whatever stands between them."""

import pytest

from solvers.bayes.draft import END, SLICE, Tokens, numbers_in, plain_tokens
from solvers.errors import InterchangeError
from tests.each import each

MARKS = "{}();,|="


def tokens_of(text, **options):
    tokens = Tokens(text, MARKS, **options)
    found = []
    while tokens.next != END:
        found.append(tokens.take())
    return found


@each(
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
def test_tokens_are_told_from_marks_quotes_and_comments(text, found):
    assert tokens_of(text) == found


def test_a_comment_may_begin_with_another_mark():
    assert tokens_of("a % b\nc", line_comment="%") == ["a", "c"]


def test_no_more_names_are_listed_than_may_be():
    assert Tokens("a a)", MARKS).names(")", "a node", 2) == [["a", "a"]]
    with pytest.raises(InterchangeError, match="more than 2 names in a node"):
        Tokens("a a a)", MARKS).names(")", "a node", 2)


def test_a_quoted_mark_is_no_mark():
    tokens = Tokens('"{" {', MARKS)
    assert not tokens.takes("{")
    tokens.take()
    assert tokens.takes("{")


@each("text", ['"a', "a /* b", '""'])
def test_what_is_not_closed_or_empty_is_refused(text):
    with pytest.raises(InterchangeError, match=r"open quote|open comment|empty name"):
        tokens_of(text)


@each(
    "listed", ["1,2 , .5e-1;", "(1 2)(5e-2);", "1 /* 7 */ 2 0.05 ;", "1 2 5E-2// 9\n;"]
)
def test_numbers_end_where_their_list_ends(listed):
    tokens = Tokens(f"{listed} after", MARKS)
    assert list(tokens.numbers(";", "a list", "(),")) == [1, 2, 0.05]
    assert tokens.next == "after"


@each("n", [SLICE // 4 - 1, SLICE // 4, SLICE // 2, SLICE])
@each("gap", [" ", ",", ", "])
def test_no_number_is_cut_where_a_slice_ends(n, gap):
    text = gap.join(["0.25", "12"] * (n // 2)) + ";"
    numbers = Tokens(text, MARKS).numbers(";", "a list")
    assert list(numbers) == [0.25, 12] * (n // 2)
    if gap == " ":
        assert numbers_in(text[:-1], "a list").tolist() == list(numbers)
        assert list(plain_tokens(text[:-1], "#")) == text[:-1].split()


@each("word", ["half", "1_0", "0.5x", "1.2.3", "(", "nan", "inf", "1e999", "０.5"])
def test_what_is_no_number_is_refused(word):
    with pytest.raises(InterchangeError, match="where a number is expected"):
        Tokens(f"0.5 {word};", MARKS).numbers(";", "a list")
