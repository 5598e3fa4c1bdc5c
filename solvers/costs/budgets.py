"""What keeps within a budget: the one rule of everybody who compares a cost with one.

Costs are sums, and sums of the same decimals differ in their last places: .1 + .2 + .4
is more than .7 to a computer. What is within a budget is therefore at most its room.

>>> 0.1 + 0.2 + 0.4 <= 0.7
False
>>> 0.1 + 0.2 + 0.4 <= room_of(0.7)
True
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

#: A share of the budget, for a share of all there is to pay may buy what is cheap many
#: times over. Sums of a million terms are surer than that, and nobody budgets closer.
ROUNDING = 1e-9

_Budget = TypeVar("_Budget", float, NDArray[np.float64])


def room_of(budget: _Budget) -> _Budget:
    """Return the most that counts as within a budget, a limit or a cap.

    Shapes: `budget` (...,) -> (...,).
    """
    return budget * (1.0 + ROUNDING)
