"""Real images, features that repeat work: traced, bundled, and the same values."""

import pytest

from solvers.datasets import make_digit_images


@pytest.fixture(scope="module")
def table():
    return make_digit_images()


def test_the_bundled_table_holds_these_values(table):
    again = table.pipeline.extract(table.samples)
    assert table.X[: len(again)] == pytest.approx(again, rel=1e-5, abs=1e-6)


def test_sharing_is_worth_three_quarters(table):
    graph = table.hypergraph
    assert graph.total_cost < 0.3 * graph.marginal_costs().sum()
    assert graph.unit == "us"
    assert "Measured" in table.costs_note
