"""What is taken away of the cascade page decides as the page does, on raw columns."""

import io
import zipfile

import numpy as np
import panel_material_ui as pmui
import pytest

from explorer.pages.cascade.state import CascadeState
from explorer.pages.cascade.take_away import take_away
from explorer.session.state import bundled
from tests.explorer.pages.cascade.asked import train


@pytest.fixture(scope="module")
def state():
    return train(CascadeState(session_dataset=bundled("breast_cancer")))


def pressed(state):
    """What each button gives, by its label; None where it gives no file."""
    buttons = take_away(state).select(pmui.FileDownload)
    files = {button.label: button.callback() for button in buttons}
    return {label: file and file.read() for label, file in files.items()}


def test_the_files_decide_as_the_cascade_on_the_page(state):
    files, result = pressed(state), state.threshold_result()
    space = {"__name__": "policy"}
    exec(files["Python file"], space)
    cascade = result.picture.cascade
    names, X = cascade.dataset.feature_names, cascade.split.X("test")
    said = [space["decide"](dict(zip(names, row, strict=True))) for row in X.tolist()]
    decision = result.model.decide(cascade.scaled("test"))
    assert [one.label for one in said] == decision.labels.tolist()
    assert np.allclose([one.cost for one in said], decision.cost)
    assert f"Accuracy on {len(X)} test rows: {result.accuracy:.3f}" in space["__doc__"]
    archive = zipfile.ZipFile(io.BytesIO(files["C99 (zip)"]))
    assert {"policy.c", "policy.h"} <= set(archive.namelist())
    assert "one test at a time" in files["Offline page (HTML)"]


def test_before_anything_is_trained_a_sentence_says_so():
    assert set(pressed(CascadeState()).values()) == {None}
