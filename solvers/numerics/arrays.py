"""Arrays by what they hold; docstrings say their shapes."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int_]
Mask: TypeAlias = NDArray[np.bool_]
