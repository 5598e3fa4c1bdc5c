"""Bundled rows are what the pipeline computes of their images."""

import numpy as np
import pytest

from solvers.datasets.makers.scenes import KINDS, row_image, scenes_pipeline
from solvers.datasets.makers.scenes.features import PUBLISHED_SECONDS, SHARED
from solvers.methods.tefe import TEFEClassifier


def test_the_bundled_rows_are_what_the_pipeline_computes(scenes):
    computed = scenes_pipeline().extract([row_image(row) for row in range(12)])
    assert scenes.X[:12] == pytest.approx(computed, rel=1e-5, abs=1e-6)
    assert scenes.samples[3].tolist() == row_image(3).tolist()


def test_lazy_predictions_are_those_of_the_table(scenes):
    model = TEFEClassifier(scenes.hypergraph, confidence="gap", threshold=1.0)
    few = np.isin(scenes.y, KINDS[:3])
    model.fit(scenes.X[few][:150], scenes.y[few][:150])
    for row in range(5):
        sample = scenes.pipeline.open(scenes.samples[row])
        journey = model.predict_one(sample)
        assert journey.label == model.predict(scenes.X[[row]])[0]
        priced = set(sample.paid) & (set(SHARED) | set(PUBLISHED_SECONDS))
        paid = scenes.hypergraph.component_mask(sorted(priced))
        costs = scenes.hypergraph.component_costs
        assert journey.cost == pytest.approx(costs[paid].sum())
