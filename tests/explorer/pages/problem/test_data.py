"""The sidebar's choices say how the open data set was made."""

import pytest

from explorer.document.recipes import DataRecipe, made
from explorer.pages.problem.data import DataPart
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from solvers.datasets import all_datasets


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
