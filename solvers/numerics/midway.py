"""Numbers halfway between others: where to cut so that rounding moves none across."""

from __future__ import annotations

from typing import Any

import numpy as np


def midway(low: Any, high: Any, *, inclusive: bool) -> Any:
    """Return numbers that part lower ones from higher ones, halfway if that is between.

    Between neighbours there is nothing, and halfway is rounded to either: then it is
    the one that parts them.

    Shapes: `low` and `high` alike, `low` < `high`.
    `inclusive`: whether the number itself is held to be high; "x >= it", not "x > it".
    """
    with np.errstate(invalid="ignore"):  # of two infinities: nothing is between
        middle = np.divide(low, 2) + np.divide(high, 2)  # a sum may overflow
    is_between = (low < middle) & (middle < high)
    return np.where(is_between, middle, high if inclusive else low)
