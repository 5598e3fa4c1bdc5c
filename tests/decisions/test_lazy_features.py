"""Features are read one by one, and what is no finite number is refused by name."""

import numpy as np
import pytest

from solvers.decisions.lazy_features import finite_number
from solvers.errors import DataError
from tests.each import each


@each("answer", [3, np.float32(3), np.array(3.0), "3"])
def test_numbers_of_any_kind_are_read(answer):
    assert finite_number(answer, "x") == 3.0


@each(
    ("answer", "said"),
    [
        (np.nan, "The extractor gave nan for feature 'peak'"),
        (-np.inf, "The extractor gave -inf for feature 'peak'"),
        (None, "The extractor gave None for feature 'peak'"),
        (None, "or read the table with kinds={'peak': {'has_gaps': True}} and train"),
        ([1, 2], "The extractor gave [1, 2] for feature 'peak'"),
        ("loud", "The extractor gave 'loud' for feature 'peak'"),
        (10**400, "for feature 'peak'; let it give one finite number"),
    ],
)
def test_what_is_no_finite_number_is_refused_by_the_feature_s_name(answer, said):
    with pytest.raises(DataError) as refusal:
        finite_number(answer, "peak")
    assert said in str(refusal.value)
