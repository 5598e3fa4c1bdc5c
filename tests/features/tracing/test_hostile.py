"""Whatever code depends on, values are those of the features, to the last bit."""

import types

import numpy as np
import pytest

from solvers.features.tracing import trace_extractor
from tests.each import each
from tests.features.tracing.hostile import HEAD, SOURCES

RNG = np.random.default_rng(0)
SEEN = [np.concatenate([[1.0], RNG.choice([-1.0, 1.0], 7), [0.5]]) for _ in range(2)]
# The first brings what is remembered to the same; others are unlike the traced.
UNSEEN = [np.array([at, *RNG.normal(size=8)]) for at in (1.0, 11, 2, 12, 13, 3, 14)]


REFUSAL = (
    "Features change {}, through which they call what they share; leave out the one "
    "that does, or call them without a trace."
)
REFUSED = {
    "another function in place of one": REFUSAL.format("transform"),
    "a built-in name gets a meaning of the module": REFUSAL.format("max"),
}


def module(source):
    made = types.ModuleType("hostile_under_test")
    exec(HEAD + source, vars(made))
    return made


def outcome(compute, sample):
    try:
        return [float(value).hex() for value in compute(sample)]
    except ValueError as error:
        return str(error.__cause__ or error)


@pytest.mark.filterwarnings("ignore")
@each("name", SOURCES)
def test_values_are_those_of_the_features_on_samples_unlike_the_traced(name):
    ours, theirs = module(SOURCES[name]), module(SOURCES[name])
    traced = trace_extractor(ours.features, SEEN, share_above=0.0)
    trimmed = traced.trim(traced.features)

    def one_by_one(sample):
        opened = traced.open(sample)
        return [opened.feature(feature) for feature in traced.features]

    def plain(sample):
        return [function(sample) for function in theirs.features]

    for compute in (trimmed, one_by_one):
        for sample in UNSEEN:
            expected = outcome(plain, sample)
            found = outcome(compute, sample)
            assert found == expected or (name in REFUSED and found == REFUSED[name])
