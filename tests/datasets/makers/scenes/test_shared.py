"""What features share: sums of boxes are differences of an integral image."""

import numpy as np
import pytest

from solvers.datasets.makers.scenes.shared import integral


def test_integral_images_give_sums_of_boxes():
    bright = np.random.default_rng(1).random((40, 50))
    table = integral(bright)
    total = table[20, 30] - table[5, 30] - table[20, 7] + table[5, 7]
    assert total == pytest.approx(bright[5:20, 7:30].sum())
