"""Real images, features that repeat work: traced, bundled, and the same values."""

import numpy as np
import pytest

from solvers.datasets import make_digit_images
from solvers.datasets.makers.digit_images.__main__ import main, write_bundle


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


def test_the_command_writes_what_is_bundled(tmp_path, table, capsys):
    measured = write_bundle(tmp_path, 5, repeats=1)
    assert measured.hypergraph.components == table.hypergraph.components
    with np.load(tmp_path / "table.npz") as written:
        assert written["X"].astype(float) == pytest.approx(table.X[:5], rel=1e-5)
    assert '"enlarged"' in (tmp_path / "costs.json").read_text("utf-8")
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err
