"""What is chosen of data is what is opened, and columns are what a person says."""

import numpy as np
import pytest

from explorer.document.recipes import DataRecipe, made
from explorer.export.bundle import TABLE
from explorer.pages.frontier.state import FrontierState
from explorer.pages.frontier.take_away import frontier_script
from explorer.pages.problem.data import DataPart
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from solvers import split_dataset
from solvers.costs.interchange import hif_text, to_hif
from solvers.datasets import all_datasets
from tests.explorer.tables import change, csv, own


@pytest.fixture
def context():
    return Context(SessionState(dataset=bundled("signals")))


def choices(part):
    """What the sidebar shows to be asked for, by label."""
    return {knob.label or knob.name: knob.value for knob in part._sliders.objects}


def test_choices_follow_a_data_set_that_is_opened_elsewhere(context):
    part = DataPart(context, context.problem)
    asked = {"n_samples": 200}
    opened = made(all_datasets()["signals"](**asked), DataRecipe("signals", asked))
    context.problem.open_dataset(opened)
    assert set(choices(part).values()) == set(asked.values())


def test_choices_go_back_when_the_bundled_one_is_opened(context):
    part = DataPart(context, context.problem)
    as_bundled = choices(part)
    asked = {"n_samples": 200}
    opened = made(all_datasets()["signals"](**asked), DataRecipe("signals", asked))
    context.problem.open_dataset(opened)
    assert choices(part) != as_bundled
    context.problem.open_dataset(bundled("signals"))
    assert choices(part) == as_bundled


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
