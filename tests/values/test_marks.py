"""What a person says of a file's marks decides what its columns leave open, alone."""

import json

import pytest

from solvers.errors import DataError
from solvers.values import GAP_MARKS, Beside, FileMarks, date_form, number_form
from tests.each import each


@each(("given", "number"), [({"decimal": ","}, 1.2), ({"decimal": "."}, 1200)])
def test_a_mark_that_is_told_decides_what_is_open(given, number):
    beside = FileMarks.of(given).beside(Beside({".", ","}))
    assert number_form(["900", "1,200"], beside=beside).read("1,200") == number
    assert number_form(["1,234"], beside=beside).read("1,200") == number
    # A column that tells it itself is believed.
    assert number_form(["1.5", "1,234.5"], beside=beside).read("1,200") == 1200
    assert number_form(["1,5", "1.234,5"], beside=beside).read("1,200") == 1.2


def test_an_order_that_is_told_decides_what_is_open():
    beside = FileMarks.of({"order": "mdy"}).beside(Beside({","}, {"dmy", "mdy"}))
    assert date_form(["1/2/1970"], beside=beside).read("1/2/1970") == 1
    assert date_form(["31/12/1970"], beside=beside).read("2/1/1970") == 1


def test_marks_are_plain_data_and_an_empty_cell_is_always_a_gap():
    marks = FileMarks.of({"gaps": [" - ", "n.k."], "decimal": ","})
    assert marks.gaps == ("", "-", "n.k.")
    assert FileMarks.of(json.loads(json.dumps(marks.data))) == marks
    assert FileMarks.of(None).gaps == GAP_MARKS
    assert FileMarks.of({}).data == {}


@each(
    ("given", "sentence"),
    [
        ({"decimal": ";"}, "decimal=';'; use one of '.', ','"),
        ({"order": "ydm"}, "order='ydm'; use one of 'dmy', 'mdy'"),
        ({"gaps": "-"}, "marks of gaps are '-'; give a list of words"),
        ({"thousands": ","}, "give some of gaps, decimal, order"),
        (3, "marks of a file are 3"),
    ],
)
def test_what_is_no_mark_is_refused(given, sentence):
    with pytest.raises(DataError, match=sentence):
        FileMarks.of(given)
