"""What a person takes away says what was on the screen, and loads by itself."""

import copy
import csv
import dataclasses
import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from skops import io as skops_io

import explorer.export.files
from explorer.export import (
    estimator_skops,
    frontier_csv,
    hypergraph_hif,
    load_estimator,
    selection_json,
)
from solvers import (
    Dataset,
    Frontier,
    ThriftscopeError,
    evaluate,
    read_hif,
    split_dataset,
    trace_frontier,
)
from solvers.errors import InterchangeError
from tests.each import each
from tests.explorer.cheapest import CheapestFeaturesClassifier, make_dataset
from tests.fuzz.refusal import is_one_sentence, refusal
from tests.fuzz.test_files import mutated

OURS = "tests.explorer.cheapest.CheapestFeaturesClassifier"


@pytest.fixture
def dataset():
    return make_dataset()


@pytest.fixture
def point(dataset):
    return fitted(dataset)


def fitted(dataset):
    """A fitted point, its threshold tuned."""
    split = split_dataset(dataset)
    model = CheapestFeaturesClassifier(dataset.hypergraph, n_kept=2)
    model.fit(split.X("train"), split.y("train"))
    return evaluate(model, split, name="cheapest")


# -------------------------------------------------------------------------- selection


def test_a_selection_names_features_components_and_costs(point, dataset):
    chosen = json.loads(selection_json(point, dataset))
    assert chosen["features"] == ["peak", "it's"]
    assert chosen["components"] == [
        {"name": "fft", "kind": "generation", "cost": 3.0},
        {"name": "count", "kind": "generation", "cost": 1.0},
    ]
    assert chosen["cost"]["unit"] == "ms"
    assert chosen["cost"]["test"] == {"mean": 4.0, "p95": 4.0, "max": 4.0}
    assert chosen["cost"]["all_features"] == 4.1


@each("positive", ["intruder", "benign"])
def test_a_selection_says_how_to_decide(positive):
    dataset = make_dataset(positive)
    point = fitted(dataset)
    chosen = json.loads(selection_json(point, dataset))
    assert chosen["threshold"] == point.threshold
    assert chosen["positive"] == dataset.positive
    assert chosen["params"] == {"n_kept": 2, "C": 1.0}
    assert chosen["scores"]["test"]["f1"] == point.scores["test"]["f1"]
    assert "scikit-learn" in chosen["versions"]


# --------------------------------------------------------------------------- frontier


def test_a_frontier_is_read_back_to_the_last_bit(dataset):
    frontier = Frontier(trace_frontier(CheapestFeaturesClassifier, dataset))
    rows = csv.DictReader(io.StringIO(frontier_csv(frontier)))
    table = pd.DataFrame(rows).astype({"test_f1": float})
    assert table["test_f1"].tolist() == [p.scores["test"]["f1"] for p in frontier]
    assert (table["undominated"] == "True").sum() == len(frontier.undominated())


def test_an_empty_frontier_is_an_empty_table():
    assert frontier_csv(Frontier([])).strip() == "undominated"


def test_a_hypergraph_is_taken_away_whole(dataset):
    assert read_hif(hypergraph_hif(dataset).encode()).equals(dataset.hypergraph)


# -------------------------------------------------------------------------- estimator


@each("positive", ["intruder", "benign"])
def test_the_estimator_decides_as_the_point_was_scored(positive):
    dataset = make_dataset(positive)
    point = fitted(dataset)
    loaded = load_estimator(estimator_skops(point, dataset), trusted=[OURS])
    split = split_dataset(dataset)
    called = loaded.predict(split.X("test"))
    accuracy = np.mean(called == split.y("test"))
    assert accuracy == point.scores["test"]["accuracy"]
    assert set(called) <= {"intruder", "benign"}
    recall = np.mean(called[split.y("test") == dataset.positive] == dataset.positive)
    assert recall == pytest.approx(point.scores["test"]["recall"])


@each("labels", [[0, 1], [False, True], [-3, 7]])
def test_labels_keep_their_type(labels):
    plain = make_dataset()
    y = np.array(labels)[(plain.y == "intruder").astype(int)]
    dataset = Dataset("typed", plain.X, y, plain.hypergraph)
    split = split_dataset(dataset)
    model = CheapestFeaturesClassifier(dataset.hypergraph).fit(dataset.X, dataset.y)
    fitted = evaluate(model, split, name="cheapest")
    loaded = load_estimator(estimator_skops(fitted, dataset), trusted=[OURS])
    assert loaded.predict(dataset.X).dtype == y.dtype


def test_the_hypergraph_of_an_estimator_survives(point, dataset):
    loaded = load_estimator(estimator_skops(point, dataset), trusted=[OURS])
    model = loaded.estimator_
    assert model.hypergraph.equals(dataset.hypergraph)
    assert not model.hypergraph.component_costs.flags.writeable
    assert model.prediction_cost(dataset.X[:2]).tolist() == [4.0, 4.0]
    assert clone(model).hypergraph is model.hypergraph


def test_copies_of_a_hypergraph_carry_facts_alone(dataset):
    hypergraph = dataset.hypergraph
    hypergraph.marginal_costs()
    assert set(hypergraph.__getstate__()) == {
        "incidence",
        "component_costs",
        "feature_names",
        "component_names",
        "component_kinds",
        "unit",
        "prices",
        "charged",
    }
    assert copy.deepcopy(hypergraph).equals(hypergraph)


def test_without_a_positive_label_the_model_goes_alone(point):
    plain = make_dataset()
    many = Dataset("many", plain.X, np.arange(120) % 3, plain.hypergraph)
    loaded = load_estimator(estimator_skops(point, many), trusted=[OURS])
    assert isinstance(loaded, CheapestFeaturesClassifier)


def test_a_point_without_its_model_cannot_be_taken_away(point, dataset):
    bare = dataclasses.replace(point, model=None)
    with pytest.raises(ThriftscopeError, match="cheapest comes without its model"):
        estimator_skops(bare, dataset)


def test_types_of_others_are_not_loaded(point, dataset):
    with pytest.raises(InterchangeError, match=f"not trusted \\('{OURS}'\\)"):
        load_estimator(estimator_skops(point, dataset))


def test_a_type_that_is_not_trusted_is_named_so_that_it_can_be_copied(dataset):
    boosted = HistGradientBoostingClassifier(max_iter=2).fit(dataset.X, dataset.y)
    name = "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor"
    with pytest.raises(InterchangeError, match=f"'{name}'.*--trusted"):
        load_estimator(skops_io.dumps(boosted))


class Calls:
    def __init__(self, name):
        self.name = name

    def __reduce__(self):
        return Calls, (self.name,)


def test_functions_of_this_package_are_no_constructors(tmp_path):
    target = tmp_path / "written"
    dump = skops_io.dumps(Calls(str(target)))
    broken = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(dump)) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            text = old.read(name).replace(b'"Calls"', b'"write_hif"')
            module = Calls.__module__.encode()
            new.writestr(name, text.replace(module, b"solvers.costs.interchange.hif"))
    assert b"write_hif" in broken.getvalue()
    with pytest.raises(
        InterchangeError, match=r"solvers.costs.interchange.hif.write_hif"
    ):
        load_estimator(broken.getvalue())


def test_what_predicts_nothing_is_no_estimator(dataset):
    with pytest.raises(InterchangeError, match="a FeatureHypergraph, which predicts"):
        load_estimator(skops_io.dumps(dataset.hypergraph))


def test_a_model_that_unpacks_to_too_much_is_refused(point, dataset, monkeypatch):
    monkeypatch.setattr(explorer.export.files, "MAX_UNPACKED", 1000)
    with pytest.raises(InterchangeError, match=r"unpacks to \d+,\d+ bytes"):
        load_estimator(estimator_skops(point, dataset), trusted=[OURS])


def test_broken_models_are_refused_with_a_sentence(point, dataset):
    whole = estimator_skops(point, dataset)
    rng = np.random.default_rng(0)
    for _ in range(150):
        broken = bytearray(whole)
        for at in rng.integers(0, len(broken), rng.integers(1, 20)):
            broken[at] = rng.integers(256)
        sentence = refusal(lambda b=bytes(broken): load_estimator(b, trusted=[OURS]))
        assert sentence is None or is_one_sentence(sentence)
    for content in (b"", b"PK", b"{}", whole[:-30]):
        with pytest.raises(InterchangeError, match="no saved model"):
            load_estimator(content)


# numpy warns of old headers, scikit-learn of other versions; neither is a refusal.
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_forged_models_are_refused_with_a_sentence(point, dataset):
    whole = io.BytesIO(estimator_skops(point, dataset))
    with zipfile.ZipFile(whole) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    rng = np.random.default_rng(0)
    for _ in range(150):
        name = str(rng.choice(sorted(members)))
        forged = io.BytesIO()
        with zipfile.ZipFile(forged, "w") as archive:
            for member, content in members.items():
                changed = mutated(content, rng) if member == name else content
                archive.writestr(member, changed)
        content = forged.getvalue()
        sentence = refusal(lambda b=content: load_estimator(b, trusted=[OURS]))
        assert sentence is None or is_one_sentence(sentence)
