"""Functions leave with all that they name, or are refused by name."""

import json
import subprocess
import sys

import numpy as np
import pytest

from solvers import FeatureHypergraph, FeaturePipeline, Step, all_datasets, all_methods
from solvers.deploy import to_python
from solvers.errors import DeployError
from tests.deploy.raw_models import learned, pipeline
from tests.each import each

RUN = """
import json, sys
sys.path.insert(0, sys.argv[1])
import numpy, policy
for sample in json.load(sys.stdin):
    if isinstance(sample, dict):
        sample = {name: numpy.array(values) for name, values in sample.items()}
    else:
        sample = numpy.array(sample)
    print(json.dumps(policy.decide_raw(sample)[:4]))
"""


def fresh(text, samples, folder):
    """What the file says of raw samples, in a process that knows of no Thriftscope."""
    (folder / "policy.py").write_text(text)
    told = [
        {name: list(map(float, v)) for name, v in sample.items()}
        if isinstance(sample, dict)
        else sample.tolist()
        for sample in samples
    ]
    ran = subprocess.run(
        [sys.executable, "-I", "-c", RUN, str(folder)],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_functions_leave_with_all_that_they_name(signals, tmp_path):
    extractor = pipeline()
    model, X = learned(extractor, signals)
    said = model.decide(X)
    text = to_python(model, pipeline=extractor)
    assert "It needs numpy." in text
    assert "solvers" not in text.replace("Thriftscope", "")
    got = fresh(text, signals, tmp_path)
    assert [label for label, *_ in got] == said.labels.tolist()
    assert np.allclose([cost for *_, cost in got], said.cost)
    for (_, _, computed, _), row in zip(got, said.acquired, strict=True):
        assert set(computed) == set(np.array(extractor.features)[row])


def test_the_bundled_signals_leave_with_their_statistics(tmp_path):
    data = all_datasets()["signals"]()
    model = all_methods()["csdt"](data.hypergraph, error_cost=50.0)
    model.fit(data.X[:2000], data.y[:2000])
    samples = data.samples[:40]
    got = fresh(to_python(model, pipeline=data.pipeline), samples, tmp_path)
    want = model.decide(data.pipeline.extract(samples))
    assert [label for label, *_ in got] == want.labels.tolist()
    assert np.allclose([cost for *_, cost in got], want.cost)


K = 3


def closure():
    k = K

    def third(signal):
        return signal[k]

    return third


class Stateful:
    def __call__(self, signal):
        return signal[0]

    def method(self, signal):
        return signal[1]


def naming_an_object(signal):
    return STATE(signal)


STATE = Stateful()


@each(
    ("function", "why"),
    [
        (lambda signal: signal[0], "is a lambda"),
        (closure(), "'k' of the function around it"),
        (STATE, "an object of type Stateful"),
        (STATE.method, "an object of type method"),
        (naming_an_object, "an object of type Stateful"),
        (eval("eval('lambda s: s[0]')"), "is a lambda"),
    ],
)
def test_what_cannot_be_taken_is_refused_by_name(function, why, signals):
    extractor = FeaturePipeline(
        [Step("odd", function, ["signal"]), Step("mean", np.mean, ["signal"])],
        inputs=["signal"],
    )
    X = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.5], [1.0, 0.2]])
    model = all_methods()["l1"](extractor.hypergraph(), alpha=0.0)
    model.fit(X, [0, 1, 0, 1])
    with pytest.raises(
        DeployError,
        match=f"'(odd|naming_an_object, STATE)'.*cannot be taken along.*{why}",
    ):
        to_python(model, pipeline=extractor)


def test_names_that_clash_and_features_that_are_not_there_are_told(signals):
    def decide(signal):
        return signal[0]

    extractor = FeaturePipeline([decide], inputs=["signal"])
    model = all_methods()["l1"](extractor.hypergraph(), alpha=0.0)
    model.fit([[0.0], [1.0]] * 3, [0, 1] * 3)
    with pytest.raises(DeployError, match="Two things would be called 'decide'"):
        to_python(model, pipeline=extractor)
    other = all_methods()["l1"](FeatureHypergraph.independent([1.0], ["x"]), alpha=0.0)
    other.fit([[0.0], [1.0]] * 3, [0, 1] * 3)
    with pytest.raises(DeployError, match="has no feature 'x'"):
        to_python(other, pipeline=extractor)
