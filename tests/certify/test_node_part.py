"""What is open at a node is one set of constraints, seen from either side."""

import numpy as np
import pytest

from tests.certify.parts import node_part


def test_constraints_and_their_transpose_agree():
    _, _, part = node_part(1, 0.6)
    rng = np.random.default_rng(0)
    n = len(part.bundles) + len(part.components)
    x, move = rng.random((2, n))
    y = rng.random(len(part.slacks(x)))
    change = part.slacks(x + move) - part.slacks(x)
    assert y @ change == pytest.approx(part.transposed(y) @ move)
    curvature = np.eye(len(part.bundles))
    bent = curvature @ move[: len(part.bundles)] @ move[: len(part.bundles)]
    wanted = bent + y @ change**2
    assert move @ part.barred(curvature, y) @ move == pytest.approx(wanted)
