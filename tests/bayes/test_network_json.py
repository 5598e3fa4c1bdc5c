"""Networks as JSON come back as they were, and hostile JSON is refused."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.bayes import (
    bundled_classifier,
    classifier_from_json,
    classifier_to_json,
    network_to_json,
)
from solvers.bayes.network_json import network_from_json
from solvers.errors import InterchangeError, ThriftscopeError
from tests.bayes.worlds import general_network
from tests.each import each


def same(one, other):
    return (
        one.states == other.states
        and one.parents == other.parents
        and all(one.tables[v].tolist() == other.tables[v].tolist() for v in one.states)
    )


@given(st.integers(0, 10_000))
def test_json_gives_back_the_same_network(seed):
    network = general_network(np.random.default_rng(seed), 4, (1, 2, 3))
    again = network_from_json(network_to_json(network))
    assert same(again, network)


def test_json_gives_back_the_same_classifier():
    quiz = bundled_classifier("quiz")
    again = classifier_from_json(classifier_to_json(quiz))
    assert (again.target, again.features) == (quiz.target, quiz.features)
    assert (again.positive_state, again.threshold) == ("+", 0.07)
    assert same(again.network, quiz.network)


def document(**changes):
    coin = {"name": "A", "states": ["0", "1"], "table": [0.5, 0.5]}
    base = {"format": "thriftscope-network", "version": 1, "variables": [coin]}
    return json.dumps({**base, **changes})


def variable(**changes):
    coin = {"name": "A", "states": ["0", "1"], "table": [0.5, 0.5]}
    return document(variables=[{**coin, **changes}])


@each(
    ("text", "sentence"),
    [
        ("", "The file is not JSON"),
        ("{", "The file is not JSON"),
        ("[" * 100_000, "nests more than 64 levels"),
        ('{"a":' * 100_000, "nests more than 64 levels"),
        ("[]", 'does not say "format"'),
        ('{"format": "hif"}', 'does not say "format"'),
        (document(version=2), "of version 2; version 1 is known"),
        (document(variables=[]), 'lists no "variables"'),
        (document(variables={}), 'lists no "variables"'),
        (document(variables=[7]), "A variable is 7; write an object"),
        (document(variables=[{}]), '"name" holds null'),
        (variable(name=" "), '"name" holds " "'),
        (variable(name="x" * 300), "write a name of 1 to 200 characters"),
        (variable(name="\ud800"), "half a character"),
        (variable(states=["\udfff", "b"]), "half a character"),
        (variable(states="01"), '"states" is "01"; write a list'),
        (variable(states=[0, 1]), '"states" holds 0'),
        (variable(table="no"), 'table of "A" holds "no"; write numbers'),
        (variable(table=[True, False]), "holds false|holds true"),
        (variable(table=[10**400, 0]), "a probability is a number from 0 to 1"),
        (variable(table=0.5), "is no list"),
        (variable(table=[[0.5], [0.5, 0.5]]), "not made of numbers"),
        (variable(table=[0.5]), "has shape"),
        (variable(table=[0.5, 0.4]), "sums to 0.9"),
        (variable(parents=["Z"]), "the parent 'Z', which is not a variable"),
        (
            document(
                variables=[{"name": "A", "states": ["0"], "table": [1]} for _ in "ab"]
            ),
            'Two variables are called "A"',
        ),
        ('{"format": 1, "format": 2}', "key 'format' twice"),
        (variable().replace("0.5", "NaN"), "holds NaN, which JSON does not know"),
        (variable().replace("0.5", "1" * 10_000), "a number that cannot be read"),
    ],
)
def test_hostile_json_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(ThriftscopeError, match=sentence):
        network_from_json(text)


def test_brackets_in_names_do_not_count_as_nesting():
    name = '\\"' + "[" * 150
    assert network_from_json(variable().replace('"A"', f'"{name}"'))


def test_messages_do_not_repeat_long_or_raw_text():
    with pytest.raises(ThriftscopeError) as caught:
        network_from_json(variable(states=["<script>" * 100]))
    assert len(str(caught.value)) < 200


@each(
    ("part", "sentence"),
    [
        (None, 'describes no classifier; add "classifier"'),
        ({"target": "A"}, '"positive_state" holds null'),
        (
            {"target": "A", "positive_state": "0", "features": "B"},
            '"features" is "B"; write a list',
        ),
        (
            {"target": "A", "positive_state": "0", "features": ["A"], "threshold": "a"},
            'The "threshold" is "a"',
        ),
    ],
)
def test_bad_classifiers_in_json_are_refused(part, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        classifier_from_json(document(classifier=part))
