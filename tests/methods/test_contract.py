"""What every method promises, present and future."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from solvers import FeatureHypergraph, all_methods
from solvers.errors import ThriftscopeError

METHODS = all_methods()
every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


@parametrize_with_checks([method() for method in METHODS.values()])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def problem():
    """200 rows, 6 features in two blocks; columns 0, 1 and 4 matter."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 6))
    y = np.where(X @ [2.0, 1.5, 0, 0, 1.0, 0] + rng.standard_normal(200) > 0, "b", "a")
    incidence = [
        [1, 1, 1, 0, 0, 0],
        [0, 0, 0, 1, 1, 1],
        [1, 0, 0, 1, 0, 0],
        [0, 1, 1, 0, 0, 1],
    ]
    return X, y, FeatureHypergraph(incidence, [3.0, 2.0, 0.5, 0.7])


def _path(method, problem):
    X, y, hypergraph = problem
    return list(method(hypergraph=hypergraph).path(X, y))


@every_method
def test_charge_is_the_union_of_components(method, problem):
    X, _, hypergraph = problem
    needs = hypergraph.incidence.toarray()
    for model in _path(method, problem)[::5]:
        acquired = model.acquired_features(X)
        union = (needs[np.newaxis] & acquired[:, np.newaxis, :]).any(axis=2)
        paid = union @ hypergraph.component_costs
        assert np.allclose(model.prediction_cost(X), paid)


@every_method
def test_one_call_decides_as_the_four_do(method, problem):
    X, _, hypergraph = problem
    for model in _path(method, problem)[::5]:
        decision = model.decide(X)
        assert np.array_equal(decision.labels, model.predict(X))
        assert np.array_equal(decision.scores, model.decision_function(X))
        assert np.array_equal(decision.acquired, model.acquired_features(X))
        assert np.array_equal(decision.cost, model.prediction_cost(X))
        assert decision.hypergraph is hypergraph


@every_method
def test_one_call_walks_once(method, problem, monkeypatch):
    model = _path(method, problem)[-1]
    looks = []
    check = type(model)._check_rows
    monkeypatch.setattr(
        type(model),
        "_check_rows",
        lambda self, X: looks.append(len(X)) or check(self, X),
    )
    model.decide(problem[0])
    assert looks == [len(problem[0])]


@every_method
def test_columns_not_acquired_cannot_change_a_prediction(method, problem):
    X, _, _ = problem
    noise = np.random.default_rng(1).standard_normal(X.shape) * 1e3
    for model in _path(method, problem)[::5]:
        disturbed = np.where(model.acquired_features(X), X, noise)
        expected = model.decision_function(X)
        assert np.array_equal(model.decision_function(disturbed), expected)


@every_method
def test_same_seed_same_path(method, problem):
    X, _, _ = problem
    first, second = _path(method, problem), _path(method, problem)
    assert len(first) == len(second) > 1
    for one, other in zip(first, second, strict=True):
        assert np.array_equal(one.decision_function(X), other.decision_function(X))


@every_method
def test_path_is_lazy_and_leaves_the_estimator_alone(method, problem):
    X, y, hypergraph = problem
    estimator = method(hypergraph=hypergraph)
    before = vars(estimator).copy()
    models = estimator.path(X, y)
    first = next(models)
    models.close()
    assert vars(estimator) == before
    assert first is not estimator
    assert first.hypergraph is hypergraph


@every_method
def test_path_holds_cheap_and_dear_models(method, problem):
    X, _, hypergraph = problem
    costs = [float(model.prediction_cost(X).mean()) for model in _path(method, problem)]
    assert min(costs) < 0.95 * hypergraph.total_cost
    assert min(costs) < max(costs) <= hypergraph.total_cost * (1 + 1e-12)


@every_method
def test_clone_keeps_the_hypergraph(method, problem):
    hypergraph = problem[2]
    assert clone(method(hypergraph=hypergraph)).hypergraph is hypergraph


@every_method
def test_knobs_name_parameters(method):
    names = set(method().get_params())
    assert set(method.knobs) <= names
    assert method.path_knob in names
    assert method.title


def _one_class(X, y, hypergraph):
    return X, np.full(len(y), "a"), hypergraph


def _three_classes(X, y, hypergraph):
    return X, np.resize(["a", "b", "c"], len(y)), hypergraph


def _wrong_size(X, y, hypergraph):
    return X[:, :4], y, hypergraph


def _not_a_hypergraph(X, y, hypergraph):
    return X, y, hypergraph.incidence


@every_method
@pytest.mark.parametrize("through", ["fit", "path"])
@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (_one_class, "Every row is of class 'a'"),
        (_three_classes, "Only binary classification is supported"),
        (_wrong_size, "4 features"),
        (_not_a_hypergraph, "hypergraph is a "),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_bad_input_is_refused_with_a_sentence(
    method, problem, through, spoil, sentence
):
    if (
        spoil is _three_classes
        and method.__sklearn_tags__(method()).classifier_tags.multi_class
    ):
        pytest.skip("takes more than two classes")
    X, y, hypergraph = spoil(*problem)
    with pytest.raises(ThriftscopeError, match=sentence):
        getattr(method(hypergraph=hypergraph), through)(X, y)
