"""A pipeline of feature functions, and a model that is fitted to what it gives."""

import numpy as np

from solvers import FeaturePipeline, Step, all_methods

from . import feature_functions as made


def pipeline(*more):
    steps = [made.spectrum, made.low, made.high, made.energy, *more]
    steps.append(Step("mean", np.mean, ["signal"]))
    names = ["low", "high", "energy", "mean", *(step.name for step in more)]
    return FeaturePipeline(steps, inputs=["signal"], features=names)


def learned(extractor, samples):
    X = extractor.extract(samples)
    y = X[:, 0] + X[:, 1] > np.median(X[:, 0] + X[:, 1])
    model = all_methods()["cegb"](
        extractor.hypergraph({name: 1.0 for name in extractor.components}),
        charge="lazy",
        n_estimators=3,
    )
    return model.fit(X, y), X
