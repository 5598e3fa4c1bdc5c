"""Trees, gates and ensembles are taken away whole, too."""

import numpy as np

from explorer.export import estimator_skops, load_estimator
from solvers import all_methods, evaluate, split_dataset
from solvers.datasets import make_regions
from tests.each import each


@each("name", ["cstc", "dag", "greedy_miser"])
def test_the_loaded_estimator_decides_as_the_point_was_scored(name):
    data = make_regions(n_samples=400)
    split = split_dataset(data)
    model = all_methods()[name](data.hypergraph)
    point = evaluate(model.fit(split.X("train"), split.y("train")), split, name=name)
    loaded = load_estimator(estimator_skops(point, data))
    right = loaded.predict(split.X("test")) == split.y("test")
    assert np.mean(right) == point.scores["test"]["accuracy"]
