"""What was measured stands over what was predicted, with its spread."""

import numpy as np

from explorer.session.verification_plot import VerificationPlot, verification
from solvers.features.verification import Verification


def found():
    predicted, measured = np.array([1.0, 4.0]), np.array([1.5, 3.0])
    return Verification(predicted, measured, np.array([0.5, 1.0]), None, 9)


def test_marks_and_spread_lie_within_the_axes_and_on_the_diagonal_both_agree():
    drawn = {
        layer.name: layer.columns for layer in verification(found(), ["a", "b"]).layers
    }
    spread = drawn["spread"]
    assert list(spread["y0"]) == [1.25, 2.5]
    assert list(spread["y1"]) == [1.75, 3.5]
    assert list(drawn["alike"]["x"]) == list(drawn["alike"]["y"])
    assert drawn["alike"]["x"][-1] > max(*spread["y1"], 4.0)


def test_nothing_is_drawn_before_it_was_measured():
    view = VerificationPlot()
    assert not view.figure.renderers
    view.param.update(result=found(), names=["a", "b"])
    assert view.figure.renderers
