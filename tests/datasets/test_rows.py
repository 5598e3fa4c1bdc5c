"""Roles of rows fit each other, or are refused with a sentence."""

import numpy as np
import pytest

from solvers.datasets.rows import PARTS, RowRoles
from solvers.errors import DataError
from tests.each import each

THREE = np.arange(3)


@each(
    ("roles", "sentence"),
    [
        ({"group": THREE, "weight": np.ones(2)}, r"shapes .*; give equal ones"),
        ({"group": THREE, "time": THREE}, "split by group and time; choose one"),
        ({"weight": np.array([1.0, 0.0])}, "weight of row 2 is 0; give positive"),
        ({"weight": np.array([np.inf])}, "weight of row 1 is inf"),
        ({"part": np.array(["train", "dev", "test"])}, "holds 'dev'; write train"),
        ({"part": np.array(["train", "validation"])}, "holds no test"),
    ],
)
def test_roles_that_contradict_are_refused(roles, sentence):
    with pytest.raises(DataError, match=sentence):
        RowRoles(**roles)


def test_parts_and_groups_may_stand_together():
    roles = RowRoles(group=THREE, part=np.array(PARTS))
    assert len(roles.arrays()) == 2


@each(("n_groups", "n_doubts"), [(20, 1), (10, 0)])
def test_groups_of_one_row_each_are_doubted(n_groups, n_doubts):
    doubts = list(RowRoles(group=np.arange(20) % n_groups).doubts())
    assert len(doubts) == n_doubts
    assert not list(RowRoles(time=np.arange(20.0)).doubts())
