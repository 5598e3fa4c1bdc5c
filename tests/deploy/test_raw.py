"""The trimmed extractor leaves with the model, and shares what it shared."""

import functools
import importlib
import sys

import numpy as np
import pytest

from solvers import all_methods
from solvers.deploy import policy_from, to_python
from solvers.features.tracing import trace_extractor
from tests.deploy.raw_models import learned, pipeline

from . import feature_functions as made
from .decided import module


def test_what_features_share_is_computed_once_and_the_rest_not_at_all(signals):
    extractor = pipeline()
    model, X = learned(extractor, signals)
    space = module(to_python(model, pipeline=extractor))
    called = []
    for name, (function, needs) in list(space["PARTS"].items()):

        def noted(*given, name=name, function=function):
            called.append(name)
            return function(*given)

        space["PARTS"][name] = (noted, needs)
    graph = model.hypergraph
    for signal, row in zip(signals, model.decide(X).acquired, strict=True):
        called.clear()
        space["decide_raw"]({"signal": signal})
        parts = np.array(graph.components)[graph.required_components(row)]
        assert sorted(called) == sorted(parts)


def test_a_traced_extractor_leaves_and_shares_what_was_found(signals):
    functions = [made.loudest, made.loudness, made.powers, made.tone]
    traced = trace_extractor(functions, signals[:8], inside=["numpy"], share_above=0.0)
    X = traced.extract(signals)
    names = traced.features
    costs = dict.fromkeys(traced.components, 1.0)
    prices = traced.hypergraph(costs, unit="us")
    y = X @ np.linspace(-1, 1, len(names)) > 0
    model = all_methods()["l1"](prices, alpha=0.0).fit(X, y)
    text = to_python(model, pipeline=traced)
    space, called = module(text), []
    real = np.fft.rfft
    spy = functools.wraps(real)(lambda *given: called.append(given) or real(*given))
    assert policy_from(model).features == names
    for signal, row in zip(signals, X, strict=True):
        got = space["decide_raw"](signal)
        assert got.label == model.predict([row])[0]
        assert got.score == pytest.approx(model.decision_function([row])[0], 1e-9)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(np.fft, "rfft", spy)
        module(text)["decide_raw"](signals[0])
    assert len(called) <= 2, "once windowed, once as it is"


def calls_of(code, decide, sample):
    """How often a function is called meanwhile, by its code."""
    called = []
    sys.setprofile(
        lambda frame, event, _: (
            called.append(1) if event == "call" and frame.f_code is code else None
        )
    )
    try:
        decide(sample)
    finally:
        sys.setprofile(None)
    return len(called)


def left_with(functions, samples, **how):
    """A traced extractor, a model on all its features, and its exported file."""
    traced = trace_extractor(functions, samples[:8], share_above=0.0, **how)
    X = traced.extract(samples)
    y = X[:, 0] > np.median(X[:, 0])
    prices = traced.hypergraph(dict.fromkeys(traced.components, 1.0), unit="us")
    model = all_methods()["l1"](prices, alpha=0.0).fit(X, y)
    return traced, X, model, to_python(model, pipeline=traced)


TOOLS = """
import numpy

def windowed(x):
    return x * numpy.hanning(len(x))

def spectrum(x):
    return numpy.abs(numpy.fft.rfft(windowed(x)))
"""

FEATURES = """
from . import tools
from .tools import spectrum, windowed

def loudest(x):
    return float(spectrum(x).argmax())

def loudness(x, scale=1.0):
    return float(tools.spectrum(x).max()) * scale

def energy(x, depth=2):
    return float((windowed(x) ** 2).sum()) if depth == 0 else energy(x, depth - 1)
"""


@pytest.fixture
def waves(tmp_path, monkeypatch):
    """An installed package whose functions call each other, and itself again."""
    folder = tmp_path / "site-packages" / "waves"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from . import features, tools\n")
    (folder / "tools.py").write_text(TOOLS)
    (folder / "features.py").write_text(FEATURES)
    monkeypatch.syspath_prepend(folder.parent)
    yield importlib.import_module("waves")
    for name in ("waves", "waves.tools", "waves.features"):
        del sys.modules[name]


def test_what_a_package_calls_within_itself_is_computed_once(signals, waves):
    features, tools = waves.features, waves.tools
    functions = [
        features.loudest,
        functools.partial(features.loudness, scale=2.0),
        features.energy,
    ]
    named = dict(zip(["loudest", "loudness", "energy"], functions, strict=True))
    traced, X, model, text = left_with(named, signals, inside=["waves"])
    before = dict(vars(features)), dict(vars(tools))
    space = module(text)
    assert "computed each time" not in space["__doc__"]
    for signal, row in zip(signals[:5], X, strict=False):
        got = space["decide_raw"](signal)
        assert got.score == pytest.approx(model.decision_function([row])[0], 1e-9)
        for shared in (tools.spectrum, tools.windowed):
            code = shared.__code__
            of_traced = calls_of(code, lambda x: traced.extract([x]), signal)
            assert calls_of(code, space["decide_raw"], signal) == of_traced == 1
            assert calls_of(code, lambda x: [f(x) for f in functions], signal) > 1
    assert (vars(features), vars(tools)) == before, "the package is as it was"


def test_tsfel_shares_as_its_traced_extractor_does(signals):
    tsfel = pytest.importorskip("tsfel")
    from solvers.features.tracing.adapters.tsfel import tsfel_features

    config = tsfel.get_features_by_domain("spectral")
    chosen = ("Max power spectrum", "Maximum frequency", "Median frequency")
    config = {"spectral": {name: config["spectral"][name] for name in chosen}}
    functions = tsfel_features(config)
    traced, X, model, text = left_with(functions, signals, inside=["tsfel"])
    space, code = module(text), sys.modules["tsfel"].calc_fft.__code__
    assert "calc_fft" in [one.component for one in traced.shared]
    for signal, row in zip(signals[:10], X, strict=False):
        got = space["decide_raw"](signal)
        assert got.score == pytest.approx(model.decision_function([row])[0], 1e-9)
        of_traced = calls_of(code, lambda x: traced.extract([x]), signal)
        assert calls_of(code, space["decide_raw"], signal) == of_traced == 1
