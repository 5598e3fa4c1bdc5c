"""Networks of UAI files, which name nothing and list everything."""

import pytest

from solvers.bayes.readers import read_network_text
from solvers.errors import InterchangeError


def test_order_of_uai_parents_is_kept():
    text = "BAYES 3 2 2 2 3 1 0 1 1 3 1 0 2  2 .5 .5 2 .5 .5 8 1 0 .9 .1 .8 .2 .7 .3"
    network = read_network_text(text, "uai")
    assert network.parents["x2"] == ("x1", "x0")
    assert network.tables["x2"][0, 1].tolist() == pytest.approx([0.9, 0.1])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("MARKOV 1 2 0", "begins with 'MARKOV'; a UAI network begins with BAYES"),
        ("BAYES 1 2 1 1 0 2 .5", "ends after 1 of the 2 numbers of x0"),
        ("BAYES 1 2", "has 'the end' where a count"),
        ("BAYES 2 2 9999999 1 1 0 2 .5 .5", "Variable 1 has no table"),
        ("BAYES 1 2 1 1 0 3 .5 .5 0", "says that it has 3 numbers"),
        ("BAYES 1 2 1 1 7 2 .5 .5", "has '7' where a count up to 0"),
        ("BAYES 1 2 1 0", "over no variable"),
        ("BAYES 1 2 2 1 0 1 0 2 .5 .5 2 .5 .5", "two tables for variable 0"),
        ("BAYES 99999999999 2", "where a count up to 10000 is expected"),
        (
            "BAYES 1 2 1 1 0 2 half half",
            "has 'half' where a number is expected, in the table of x0",
        ),
    ],
)
def test_bad_uai_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        read_network_text(text, "uai")
