"""A network of any shape becomes a tree that asks while it must, and no endless one."""

import itertools
from functools import cache

import pytest

from solvers.bayes import (
    learned_classifier,
)
from solvers.deploy import (
    to_html,
    to_python,
)
from solvers.errors import DeployError
from tests.deploy.classifiers import CLASSIFIERS, decided, named, states, trimmed
from tests.deploy.decided import module
from tests.each import each

# Every joint state is asked for, those that cannot occur too.
pytestmark = pytest.mark.filterwarnings("ignore:The network gives")


@each("name", CLASSIFIERS)
def test_nothing_is_asked_that_cannot_change_the_decision(name):
    classifier = CLASSIFIERS[name]()
    decide = module(to_python(classifier))["decide"]
    # Many rows have the same ways: each is decided once.
    called = cache(lambda way: decided(classifier, way)[1])
    for row in states(classifier):
        bought = decide(named(classifier, row)).computed
        before = [
            state if of in bought[:-1] else None
            for of, state in zip(classifier.features, row, strict=True)
        ]
        ways = itertools.product(
            *(
                range(-1, classifier.network.cardinality(of)) if s is None else [s]
                for of, s in zip(classifier.features, before, strict=True)
            )
        )
        if bought:
            assert len({called(way) for way in ways}) == 2


def test_the_page_has_the_states_and_no_table_is_endless():
    text = to_html(trimmed("breast_cancer", "tan", 3))
    assert len(text) < 300_000
    wide = learned_classifier("breast_cancer", "tan", n_columns=24).classifier
    with pytest.raises(DeployError, match="Trim it to a smaller budget"):
        to_python(wide)
