"""One row goes the way of the batch, and a feature that is no number is refused."""

import numpy as np
import pytest

from solvers.errors import DataError
from tests.methods.hypergraph_cascade.variants import PRICES, every_variant, trained


@every_variant
def test_one_row_goes_the_way_of_the_batch(name):
    X, _, model = trained(name)
    for row, label, cost in zip(
        X[:40], model.predict(X[:40]), model.prediction_cost(X[:40]), strict=True
    ):
        asked = []

        def extractor(name, row=row, asked=asked):
            asked.append(name)
            return row[int(name[1:])]

        journey = model.predict_one(extractor)
        assert journey.label == label
        assert journey.cost == pytest.approx(cost)
        assert len(set(asked)) == len(asked)
        assert PRICES.cost(asked) == pytest.approx(cost)


def test_a_stage_that_gives_no_number_is_refused(fitted):
    with pytest.raises(DataError, match="finite number"):
        fitted.predict_one(lambda name: np.nan)
