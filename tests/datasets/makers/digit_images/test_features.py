"""Traced values are those of plain functions; what nobody declared is shared."""

import numpy as np
import pytest

from solvers.datasets import make_digit_images
from solvers.datasets.makers.digit_images import IMAGE_FEATURES, digit_images


@pytest.fixture(scope="module")
def table():
    return make_digit_images()


def test_traced_values_are_those_of_the_plain_functions(table):
    images = digit_images()[0][::9]
    plain = [[function(one) for function in IMAGE_FEATURES.values()] for one in images]
    assert np.array_equal(table.pipeline.extract(images), np.array(plain))


def test_what_nobody_declared_is_shared(table):
    graph = table.hypergraph
    behind = dict(zip(graph.components, graph.incidence.sum(axis=1), strict=True))
    shared = {name: int(n) for name, n in behind.items() if n > 1}
    assert shared == {
        "enlarged": 17,
        "ink": 5,
        "moments": 4,
        "gradients": 3,
        "depth": 2,
        "spectrum": 2,
    }
