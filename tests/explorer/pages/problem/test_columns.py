"""Columns of a table are what a person says, before it is opened and afterwards."""

import numpy as np
import pytest

from explorer.export.bundle import TABLE
from explorer.pages.frontier.state import FrontierState
from explorer.pages.frontier.take_away import frontier_script
from solvers import split_dataset
from solvers.costs.interchange import hif_text, to_hif
from tests.explorer.tables import change, csv, own


class TestTakenAway:
    @pytest.fixture
    def changed(self, part):
        change(part.editor, "pain", "kind", "category")
        change(part.editor, "age", "gaps", "value")
        change(part.editor, "ward", "role", "group")
        return part.context.session

    @pytest.mark.parametrize("in_bundle", [False, True])
    def test_the_script_reads_the_same_data(
        self, changed, in_bundle, tmp_path, monkeypatch
    ):
        state = FrontierState(dataset=changed.dataset)
        text = frontier_script(state, changed, in_bundle=in_bundle)
        source = text.partition("comparison = ")[0]
        if in_bundle:
            from explorer.export.bundle import _table

            (tmp_path / TABLE).write_bytes(_table(changed.dataset))
        else:
            (tmp_path / "mine.csv").write_bytes(csv(own()))
        graph = hif_text(to_hif(changed.dataset.hypergraph))
        (tmp_path / "hypergraph.json").write_text(graph, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        names = {}
        exec(source, names)
        again = names["dataset"]
        assert again.schema == changed.dataset.schema
        assert np.array_equal(again.X, changed.dataset.X, equal_nan=True)
        assert again.y.tolist() == changed.dataset.y.tolist()
        for part in ("train", "validation", "test"):
            ours, theirs = split_dataset(changed.dataset), split_dataset(again)
            assert np.array_equal(ours.X(part), theirs.X(part))
