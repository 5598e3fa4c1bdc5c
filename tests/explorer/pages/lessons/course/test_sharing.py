"""Sharing saves what it is said to save, and nothing where nothing is shared."""

import numpy as np
import pytest

from explorer.pages.lessons.course import all_lessons, sharing

SAVED = [alone - together for together, alone in map(sharing.charged, range(7))]


def test_sharing_saves_with_every_feature_of_the_source():
    assert np.diff(SAVED[: sharing.N_SHARING + 1])[1:] == pytest.approx(
        sharing.SPECTRUM
    )
    lesson = all_lessons()["sharing"]
    assert lesson.answers[lesson.judge().right] == "9 µs"


def test_sharing_saves_nothing_more_with_features_of_their_own():
    assert np.diff(SAVED[sharing.N_SHARING :]) == pytest.approx(0.0)
