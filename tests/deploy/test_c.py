"""The exported C compiles without a warning and decides as the estimator does."""

import shutil
import subprocess

import numpy as np
import pytest
from scipy.special import expit

from solvers import FeatureHypergraph, all_methods
from solvers.deploy import policy_from, to_c
from solvers.errors import DeployError
from tests.each import each

from .models import OTHERS, PRICED, fitted

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
HEARD = {"capture_output": True, "text": True, "check": True}
CHECKED = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def written(folder, texts):
    for file, text in texts.items():
        (folder / file).write_text(text)
    return [file for file in texts if file.endswith(".c")]


def compiled(folder, texts, options=()):
    sources = written(folder, texts)
    command = ["gcc", *STRICT, *options, "-o", "policy", *sources, "-lm"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return folder / "policy"


def answers(program, X):
    """What the example prints about rows: labels, numbers, and two tables of counts."""
    told = "\n".join(" ".join(map(repr, row)) for row in X.tolist())
    run = subprocess.run(
        [program], input=told, capture_output=True, text=True, check=True
    )
    return np.array([line.split() for line in run.stdout.splitlines()], dtype=float)


def used(model):
    """The columns that the policy knows, and its components."""
    policy = policy_from(model)
    prices = model.hypergraph
    columns = [prices.features.index(name) for name in policy.features]
    rows = [prices.components.index(name) for name in policy.components]
    return columns, rows, policy.n_outputs


# Optimised, where a compiler sees more to warn of.
OPTIMISED = [
    "l1",
    "csdt",
    "csnb",
    "dag",
    "hypergraph cascade, boosted",
    "csnb, classes",
    "csnb, classes priced",
]


# Each kind of program; that every method is one of them, test_every_dataset asks.
KINDS = [*OPTIMISED, "random_forest", "neural_network", "cstc", "tefe", *OTHERS]
KINDS += [
    "cstc, classes",
    "dag, classes",
    "l1, classes",
    "csdt, classes",
    "neural network, classes",
]
KINDS += PRICED
KINDS += ["hypergraph cascade, classes", "tefe, classes", "l1, by name"]


@each("name", list(dict.fromkeys(KINDS)))
def test_every_row_is_decided_as_the_estimator_does(name, tmp_path):
    model, X, said = fitted(name)
    columns, components, n_outputs = used(model)
    options = ["-O2"] if name in OPTIMISED else []
    got = answers(compiled(tmp_path, to_c(model), options), X[:, columns])
    labels, scores = got[:, 0].astype(int), got[:, 1 : 1 + n_outputs]
    costs, counts = got[:, 1 + n_outputs], got[:, 2 + n_outputs :]
    bits, calls = counts[:, : len(columns)], counts[:, len(columns) :]
    assert np.array_equal(model.classes_[labels], said.labels)
    squash = expit if name == "trimmed_naive_bayes" else np.asarray
    want = said.scores.reshape(len(X), -1)
    assert np.allclose(squash(scores), squash(want), 1e-9, 1e-9)
    assert np.allclose(costs, said.cost)
    assert np.array_equal(bits, said.acquired[:, columns])
    charged = model.hypergraph.required_component_rows(said.acquired)
    assert np.array_equal(calls, charged[:, components]), "each once, none unpaid"


@each("name", ["tefe", "random_forest", "tefe, classes"])
def test_no_sanitiser_complains(name, tmp_path):
    model, X, said = fitted(name)
    got = answers(compiled(tmp_path, to_c(model), CHECKED), X[:50, used(model)[0]])
    assert np.array_equal(model.classes_[got[:, 0].astype(int)], said.labels[:50])


@each("name", ["l1", "tefe", "csdt, classes"])
def test_single_precision_scores_alike_where_a_row_goes_the_same_way(name, tmp_path):
    model, X, said = fitted(name)
    columns, _, n_outputs = used(model)
    got = answers(compiled(tmp_path, to_c(model, real="float")), X[:, columns])
    bits = got[:, 2 + n_outputs : 2 + n_outputs + len(columns)]
    same = (bits == said.acquired[:, columns]).all(axis=1)
    assert same.mean() > 0.99
    scores, want = got[:, 1 : 1 + n_outputs], said.scores.reshape(len(X), -1)
    # What cancels in a sum is as long as its terms.
    assert np.mean(np.abs(scores - want)[same] <= 1e-5 * (1 + np.abs(want[same]))) > 0.9
    agreed = model.classes_[got[:, 0].astype(int)] == said.labels
    assert agreed.mean() > 0.99


@each("name", ["csdt", "csnb, classes"])
def test_nothing_is_warned_of_where_a_trace_is_printed(name, tmp_path):
    written(tmp_path, to_c(fitted(name)[0]))
    options = ["-Os", "-DPOLICY_TRACE", "-c", "policy.c", "policy_example.c"]
    subprocess.run(
        ["gcc", *STRICT, *options], cwd=tmp_path, check=True, capture_output=True
    )


@each(
    "compiler",
    [["clang"], ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb"]],
    ids=["clang", "arm-none-eabi-gcc"],
)
def test_other_compilers_take_it(compiler, tmp_path):
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is not installed")
    for name in ("l1", "tefe", "neural_network", "csdt, classes"):
        for real in ("float", "double"):
            texts = to_c(fitted(name)[0], real=real)
            written(tmp_path, texts)
            for options in (["-O0"], ["-Os", "-DPOLICY_TRACE"]):
                command = [*compiler, *STRICT, *options, "-c", "policy.c"]
                subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)


@each("name", ["l1", "tefe", "csdt", "csnb"])
def test_what_is_no_finite_number_is_an_error_and_ends_the_bill(name, tmp_path):
    X = np.random.default_rng(0).standard_normal((80, 3))
    model = all_methods()[name]().fit(X, X[:, 1] + 0.3 * X[:, 0] > 0)
    columns = list(policy_from(model).places)
    first = next(j for j in columns if model.acquired_features(X[:1])[0, j])
    told = X[:1].repeat(3, axis=0)
    told[1, first], told[2, first] = np.nan, -np.inf
    program = compiled(tmp_path, to_c(model), CHECKED)
    good, *bad = answers(program, told[:, columns])
    assert model.classes_[int(good[0])] == model.predict(told[:1])[0]
    for row in bad:
        assert row[0] == -1
        assert np.isnan(row[1])
        assert 0 < row[2] <= good[2], "nothing is computed after it"
    said = subprocess.run([program], input="nan " * len(columns), **HEARD).stderr
    assert "is not a finite number." in said


def test_hostile_names_compile_and_stay_text(tmp_path):
    names = ["*/ #error", "\\", '"; abort(); "', "??/", "ü\n#error", "int"]
    X = np.random.default_rng(0).standard_normal((60, 6))
    prices = FeatureHypergraph(np.eye(6), np.ones(6), names, names, unit="*/")
    y = np.where(X.sum(axis=1) > 0, '"\n??/', "%s\\")
    model = all_methods()["jit"](prices, cost_weight=0.0).fit(X, y)
    got = answers(compiled(tmp_path, to_c(model)), X[:, used(model)[0]])
    assert np.array_equal(model.classes_[got[:, 0].astype(int)], model.predict(X))


def test_a_model_that_buys_nothing_compiles(tmp_path):
    X, prices = [[0.0], [1.0]], FeatureHypergraph.independent([9.0])
    model = all_methods()["csdt"](prices, error_cost=0.01).fit(X, [0, 1])
    (row,) = answers(compiled(tmp_path, to_c(model)), np.zeros((1, 0)))
    assert model.classes_[int(row[0])] == model.predict(X)[0]


@each("name", ["", "Int", "a-b", "x" * 40, "policy\n"])
def test_a_name_that_is_no_identifier_is_told(name):
    with pytest.raises(DeployError, match="give a word of small letters"):
        to_c(fitted("l1")[0], name)


def test_another_name_leaves_labels_and_names_of_features_as_they_are(tmp_path):
    X = [[0.0], [1.0]]
    prices = FeatureHypergraph.independent([0.1], ["policy_age"])
    model = all_methods()["csdt"](prices).fit(X, ["policy", "policy_b"])
    texts = to_c(model, "gesture")
    assert set(texts) == {"gesture.h", "gesture.c", "gesture_example.c"}
    assert '"policy", "policy_b"' in texts["gesture.c"]
    assert "gesture_feature_policy_age" in texts["gesture.h"]
    got = answers(compiled(tmp_path, texts), np.array(X))
    assert got[:, 0].tolist() == [0, 1]
