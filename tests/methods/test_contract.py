"""What every method promises, present and future."""

import warnings
from functools import cache

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

from solvers import FeatureHypergraph, Number, Switch, all_methods
from solvers.errors import DataError, DeployError, ThriftscopeError
from solvers.frontier.evaluation import _plain_params
from solvers.methods.static import StaticClassifier
from tests.each import each

METHODS = all_methods()
every_method = each("method", METHODS.values(), ids=METHODS)


# What takes long by default keeps the same contract with fewer parts.
FEWER = {
    "acafh": {"n_alphas": 6},
    "cegb": {"n_estimators": 15},
    "cstc": {"n_restarts": 1, "depth": 2},
    "greedy_miser": {"n_estimators": 12},
    "hypergraph_cascade": {"stages": 1, "model": "logistic"},
    "l1": {"n_alphas": 8},
    "neural_network": {"max_iter": 60},
    "random_forest": {"n_estimators": 6},
    "reweighted_l1": {"n_alphas": 8},
}


def small(method, hypergraph=None, **params):
    """An estimator of few parts."""
    name = next(name for name, of in METHODS.items() if of is method)
    return method(hypergraph=hypergraph, **FEWER.get(name, {}) | params)


# Of their own knobs the ends that are quick; scikit-learn asks for a hundred fits.
QUICK = {
    "acafh": {"alpha": 0.1, "decompose": False},
    "cstc": {"depth": 1},
    "hypergraph_cascade": {"order": "forward", "objective": "accuracy"},
    "neural_network": {"max_iter": 30},
    "selective_ridge": {"mu": 3.0},
}


@pytest.mark.parametrize("name", METHODS)
def test_scikit_learn_contract(name):
    check_estimator(small(METHODS[name], **QUICK.get(name, {})), on_skip=None)


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
    return list(small(method, hypergraph).path(X, y))


@pytest.fixture(scope="module")
def path(problem):
    """The path of a method, computed once for all that only look at it."""
    return cache(lambda method: _path(method, problem))


@every_method
def test_charge_is_the_union_of_components(method, problem, path):
    X, _, hypergraph = problem
    needs = hypergraph.incidence.toarray()
    for model in path(method)[::5]:
        acquired = model.acquired_features(X)
        union = (needs[np.newaxis] & acquired[:, np.newaxis, :]).any(axis=2)
        paid = union @ hypergraph.component_costs
        assert np.allclose(model.prediction_cost(X), paid)


@every_method
def test_one_call_decides_as_the_four_do(method, problem, path):
    X, _, hypergraph = problem
    for model in path(method)[::5]:
        decision = model.decide(X)
        assert np.array_equal(decision.labels, model.predict(X))
        assert np.array_equal(decision.scores, model.decision_function(X))
        assert np.array_equal(decision.acquired, model.acquired_features(X))
        assert np.array_equal(decision.cost, model.prediction_cost(X))
        assert decision.hypergraph is hypergraph


@every_method
def test_a_row_is_decided_by_the_program_as_in_a_batch(method, problem, path):
    X, _, hypergraph = problem
    model = path(method)[-2]
    try:
        model.program()
    except DeployError:
        pytest.skip("It writes no program.")
    walker, rows, said = model.walker(), X[:20], model.decide(X[:20])
    # A score of 0, to rounding, is decided by the order in which it is summed.
    scores = np.sort(said.scores.reshape(len(rows), -1), axis=1)
    clear = np.abs(scores[:, -1] - (scores[:, -2] if scores.shape[1] > 1 else 0)) > 1e-9
    for k in np.flatnonzero(clear):
        of = dict(zip(hypergraph.features, rows[k].tolist(), strict=True))
        journey = walker.walk(of.__getitem__)
        assert journey.label == said.labels[k]
        bought = np.isin(hypergraph.features, journey.features)
        assert np.array_equal(bought, said.acquired[k])
        assert journey.cost == pytest.approx(said.cost[k])


@every_method
def test_one_call_walks_once(method, problem, path, monkeypatch):
    model = path(method)[-1]
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
def test_columns_not_acquired_cannot_change_a_prediction(method, problem, path):
    X, _, _ = problem
    noise = np.random.default_rng(1).standard_normal(X.shape) * 1e3
    for model in path(method)[::5]:
        disturbed = np.where(model.acquired_features(X), X, noise)
        expected = model.decision_function(X)
        assert np.array_equal(model.decision_function(disturbed), expected)


@every_method
def test_what_a_row_acquires_is_in_what_any_row_may(method, problem, path):
    X = problem[0]
    # Unlike any row of training, so that ways are taken that none of these took.
    strange = np.random.default_rng(2).standard_t(1.0, (400, X.shape[1]))
    for model in path(method)[::5]:
        most = model.acquirable_features()
        for rows in (X, strange):
            outside = model.acquired_features(rows)[:, np.newaxis] & ~most
            assert (~outside.any(axis=2)).any(axis=1).all()


def test_what_a_row_may_acquire_is_no_more_than_the_model_asks(problem, path):
    """Of what no row buys, a method that knows it by its structure says so."""
    hypergraph = problem[2]
    names = {"csdt", "cstc", "dag", "l1", "random_forest", "tefe", "greedy_miser"}
    for name in names & METHODS.keys():
        sets = [model.acquirable_features() for model in path(METHODS[name])]
        most = [hypergraph.cost_rows(acquirable).max() for acquirable in sets]
        assert min(most) < 0.9 * hypergraph.total_cost, name


@every_method
def test_a_row_with_a_gap_is_refused_by_its_place(method, problem, path):
    rows = problem[0][:3].copy()
    rows[2, 1] = np.nan
    with pytest.raises(DataError, match="row 2 has no value of 'x1'"):
        path(method)[-1].decide(rows)


@every_method
def test_same_seed_same_path(method, problem, path):
    X, _, _ = problem
    first, second = path(method), _path(method, problem)
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
def test_path_holds_cheap_and_dear_models(method, problem, path):
    X, _, hypergraph = problem
    costs = [float(model.prediction_cost(X).mean()) for model in path(method)]
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


# What each accounting reads from the costs of rows.
ACCOUNTS = {"mean": np.mean, "p95": lambda costs: np.quantile(costs, 0.95)}
ACCOUNTS |= {"max": np.max}
LIMITED = {
    f"{name}-{limit}-{account or 'every row'}": (method, limit, account)
    for name, method in METHODS.items()
    for limit in sorted({"budget", "time_cap"} & set(method().get_params()))
    for account in (ACCOUNTS if "accounting" in method().get_params() else [None])
}


@each(("method", "limit", "account"), LIMITED.values(), ids=LIMITED)
def test_a_limit_is_obeyed_on_training_rows(method, limit, account, problem):
    X, y, hypergraph = problem
    charge = ACCOUNTS[account or "max"]
    for allowed in (3.5, 6.0):
        told = {limit: allowed} | ({"accounting": account} if account else {})
        model = small(method, hypergraph, **told).fit(X, y)
        assert charge(model.decide(X).cost) <= allowed * (1 + 1e-9)


@pytest.fixture(scope="module")
def three_classes(problem):
    X, _, hypergraph = problem
    rng = np.random.default_rng(2)
    noisy = X[:, :2] + 0.3 * rng.standard_normal((len(X), 2))
    return X, np.array(["a", "b", "c"])[(noisy > 0).sum(axis=1)], hypergraph


MANY = {
    name: method
    for name, method in METHODS.items()
    if method.__sklearn_tags__(method()).classifier_tags.multi_class
}


@each("method", MANY.values(), ids=MANY)
def test_a_method_of_many_classes_learns_three(method, three_classes):
    X, y, hypergraph = three_classes
    models = _path(method, three_classes)
    costs = [float(one.decide(X).cost.mean()) for one in models]
    model = models[-1 - int(np.argmax(costs[::-1]))]  # the last of the dearest
    decision = model.decide(X)
    assert set(decision.labels) <= set(model.classes_) == {"a", "b", "c"}
    assert np.mean(decision.labels == y) > 0.6  # the commonest class has half
    assert decision.scores.shape == (len(X), 3)
    assert np.array_equal(model.classes_[decision.scores.argmax(1)], decision.labels)
    assert np.array_equal(decision.labels, model.predict(X))
    assert np.array_equal(decision.acquired, model.acquired_features(X))
    assert np.array_equal(decision.cost, hypergraph.cost_rows(decision.acquired))


def _one_class(X, y, hypergraph):
    return X, np.full(len(y), "a"), hypergraph


def _three_classes(X, y, hypergraph):
    return X, np.resize(["a", "b", "c"], len(y)), hypergraph


def _wrong_size(X, y, hypergraph):
    return X[:, :4], y, hypergraph


def _not_a_hypergraph(X, y, hypergraph):
    return X, y, hypergraph.incidence


@every_method
@each(
    ("spoil", "sentence"),
    [
        (_one_class, "Every row is of class 'a'"),
        (_three_classes, "Only binary classification is supported"),
        (_wrong_size, "4 features"),
        (_not_a_hypergraph, "hypergraph is a "),
    ],
    ids=["one class", "three classes", "wrong size", "not a hypergraph"],
)
def test_bad_input_is_refused_with_a_sentence(method, problem, spoil, sentence):
    if (
        spoil is _three_classes
        and method.__sklearn_tags__(method()).classifier_tags.multi_class
    ):
        pytest.skip("takes more than two classes")
    X, y, hypergraph = spoil(*problem)
    for through in (method.fit, method.path):
        with pytest.raises(ThriftscopeError, match=sentence):
            through(method(hypergraph=hypergraph), X, y)


# ---------- a point of a path is what its recorded parameters train

_POINTS = 3
# Decisions of the same selection differ by rounding and by where descents stop.
_TOLERANCE = 1e-4


def _overlapping(seed: int, n_samples: int, noise: float):
    """Correlated columns in four sources, one of few values, some shared components."""
    rng = np.random.default_rng(seed)
    base = rng.standard_normal((n_samples, 4))
    X = np.repeat(base, 3, axis=1) + 0.7 * rng.standard_normal((n_samples, 12))
    X[:, 11] = np.round(X[:, 11])
    margin = base @ [1.5, -1.0, 0.8, 0.3] + 0.5 * X[:, 4] * X[:, 7]
    y = np.where(margin + noise * rng.standard_normal(n_samples) > 0, "b", "a")
    own = np.eye(12)[[0, 2, 3, 5, 7, 8, 10]]
    shared = rng.random((3, 12)) < 0.25
    needs = np.vstack([np.kron(np.eye(4), np.ones(3)), own, shared]).astype(bool)
    costs = rng.uniform(0.1, 1.0, len(needs))
    costs[:4] *= 3.0
    return X, y, FeatureHypergraph(needs, costs)


# Noisy classes, and classes that a few features can separate.
PROBLEMS = {"noisy": (0, 120, 0.5), "separable": (1, 40, 0.0)}


def recorded(model):
    """Return an unfitted estimator from what a frontier point keeps of a model."""
    params = {}
    for name, value in _plain_params(model).items():
        knob = model.knobs[name]
        if isinstance(knob, Switch):
            value = bool(value)
        elif isinstance(knob, Number) and knob.integer:
            value = int(value)
        params[name] = value
    return type(model)(hypergraph=model.hypergraph, **params)


def _chosen(models):
    places = np.linspace(0, len(models) - 1, _POINTS).round().astype(int)
    return [models[place] for place in np.unique(places)]


# What weighs columns has no end where they separate the classes.
SEPARATED = {"acafh", "dag", "forward_selection", "l1", "neural_network"}
SEPARATED |= {"reweighted_l1", "selective_ridge"}


@each(
    ("name", "problem"),
    [
        *((name, "noisy") for name in METHODS),
        *((name, "separable") for name in METHODS if name in SEPARATED),
    ],
)
def test_a_point_of_the_path_is_what_its_parameters_train(name, problem):
    X, y, hypergraph = _overlapping(*PROBLEMS[problem])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        models = _chosen(list(small(METHODS[name], hypergraph).path(X, y)))
        again = [recorded(model).fit(X, y) for model in models]
    for model, other in zip(models, again, strict=True):
        acquired = model.acquired_features(X)
        assert np.array_equal(other.acquired_features(X), acquired)
        decisions = model.decision_function(X)
        slack = _TOLERANCE * max(1.0, float(np.abs(decisions).max()))
        assert np.abs(other.decision_function(X) - decisions).max() <= slack


BUDGETED = [
    name
    for name, method in METHODS.items()
    if "budget" in method.knobs and issubclass(method, StaticClassifier)
]


@each("name", BUDGETED)
def test_a_declared_budget_is_obeyed(name):
    X, y, hypergraph = _overlapping(*PROBLEMS["noisy"])
    for share in (0.0, 0.1, 0.3, 0.6):
        budget = share * hypergraph.total_cost
        model = METHODS[name](hypergraph=hypergraph, budget=budget).fit(X, y)
        assert model.prediction_cost(X).max() <= budget * (1 + 1e-9)


# ------------------------------------- a unit and its zero are not what a column says


@every_method
def test_a_column_may_be_measured_from_another_zero(method, problem, path):
    X, y, hypergraph = problem
    moved = X.copy()
    moved[:, [0, 4]] += 1e4
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        again = _path(method, (moved, y, hypergraph))
    best = max(float(model.score(X, y)) for model in path(method))
    most = max(float(model.score(moved, y)) for model in again)
    assert abs(best - most) <= 0.02
