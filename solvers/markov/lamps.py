"""What wrong lamp decisions cost, in units of electricity: the γ matrices.

Labels say how well lit a place is: 0 low, 1 medium, 2 high. A lamp is switched on
where the light is called low.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .checks import check_number

__all__ = ["LIGHT_LEVELS", "lamp_edge_costs", "lamp_node_costs"]

LIGHT_LEVELS = ("low", "medium", "high")
N_LEVELS = len(LIGHT_LEVELS)
MAX_OCCUPANT_COST = 100.0


def lamp_node_costs(occupant_cost: float) -> NDArray[np.float64]:
    """Return what calling the light at one place wrongly costs.

    Parameters
    ----------
    occupant_cost : float
        γ: cost of calling a place better lit than it is, an occupant's discomfort.
        Calling it darker than it is costs 1, for electricity.

    Returns
    -------
    ndarray of float, shape (3, 3)
        Indexed [predicted, true].

    References
    ----------
    .. [1] Sen and Getoor (2006), section 6.3.
    """
    check_number("occupant_cost", occupant_cost, 0.0, MAX_OCCUPANT_COST)
    too_bright = np.tril(np.ones((N_LEVELS, N_LEVELS)), -1)  # predicted above true
    return occupant_cost * too_bright + too_bright.T


def lamp_edge_costs(occupant_cost: float) -> NDArray[np.float64]:
    """Return what calling the light at two near places wrongly costs on top.

    Where one place is rightly called lit, a wrong lamp at the other one costs γ if it
    stays dark and 1 if it burns for nothing.

    Parameters
    ----------
    occupant_cost : float
        γ.

    Returns
    -------
    ndarray of float, shape (3, 3, 3, 3)
        Indexed [predicted i, predicted j, true i, true j]; 32 entries are not zero.

    Notes
    -----
    The paper gives one entry, ``[high, high, high, low] = γ``, and the number of those
    that are not zero. This rule has both; whether it is the paper's is not known.

    References
    ----------
    .. [1] Sen and Getoor (2006), section 6.3.
    """
    check_number("occupant_cost", occupant_cost, 0.0, MAX_OCCUPANT_COST)
    lit = np.arange(N_LEVELS) > 0
    rightly_lit = np.outer(lit, lit).astype(float)
    wrong_lamp = occupant_cost * np.outer(lit, ~lit) + np.outer(~lit, lit)
    # One end rightly lit, the other wrong; then the same with the ends swapped.
    one_way = np.einsum("ac,bd->abcd", rightly_lit, wrong_lamp)
    return one_way + one_way.transpose(1, 0, 3, 2)
