"""A pipeline says the same as one model of the columns that people have."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

from solvers import FeatureHypergraph, adopt
from solvers.deploy import policy_from, to_python
from solvers.errors import DataError, DeployError
from tests.each import each

from .exported import check_everywhere
from .test_scikit import rows

NAMES = ["age", "gait", "scan", "blood", "ward", "kind"]
PRICES = FeatureHypergraph.independent([1.0, 2, 3, 4, 5, 6], NAMES)


def table(n_classes=2, *, gaps=True):
    """Numbers with many ties, a column of codes and one of words."""
    X, y = rows(n_classes, gaps=gaps)
    frame = pd.DataFrame(X[:, :4], columns=NAMES[:4])
    level = np.digitize(np.nan_to_num(X[:, 4]), [-1.0, 0.0, 1.0])
    frame["ward"] = np.array([2.0, 3.5, 5.0, 11.0])[level]
    words = np.array(["left", "right", "both"])[np.digitize(X[:, 5], [-0.5, 0.5]) % 3]
    frame["kind"] = words.astype(object)
    if gaps:
        frame.loc[::13, "kind"] = None
    return frame, y


def prepared():
    """Every step that is known, beside and behind each other."""
    return make_column_transformer(
        (make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()), ["age"]),
        (make_pipeline(SimpleImputer(strategy="median"), MinMaxScaler()), ["gait"]),
        (make_pipeline(RobustScaler(), SimpleImputer(strategy="constant")), [2]),
        (make_pipeline(MaxAbsScaler(), SimpleImputer()), ["blood"]),
        (
            make_pipeline(
                SimpleImputer(strategy="most_frequent", missing_values=np.nan),
                OneHotEncoder(handle_unknown="ignore", drop="first"),
                StandardScaler(with_mean=False),
            ),
            ["ward"],
        ),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["kind"]),
    )


def coded(adopted, frame):
    return adopted._coded(frame)


@pytest.mark.filterwarnings("ignore:Found unknown categories:UserWarning")
@each("n_classes", [2, 3])
@each(
    "model",
    [
        LogisticRegression(max_iter=1000),
        RandomForestClassifier(5, max_depth=5, random_state=0),
        GradientBoostingClassifier(n_estimators=4, random_state=0),
    ],
)
def test_labels_are_those_of_the_pipeline(model, n_classes, tmp_path):
    frame, y = table(n_classes)
    pipeline = make_pipeline(prepared(), StandardScaler(with_std=False), model)
    pipeline.fit(frame[:1000], y[:1000])
    adopted = adopt(pipeline, PRICES)
    frame.loc[::17, "kind"], frame.loc[::19, "ward"] = "none of these", 4.0
    want = pipeline.predict(frame)
    assert np.array_equal(adopted.predict(frame), want)
    said = check_everywhere(adopted, coded(adopted, frame), tmp_path, n_slow=80)
    assert np.array_equal(said.labels, want)
    file = {"__name__": "policy"}
    exec(to_python(adopted), file)
    samples = frame[:80].to_dict("records")
    assert [file["decide"](one).label for one in samples] == want[:80].tolist()
    kinds = {kind.words for kind in policy_from(adopted).kinds}
    assert kinds <= {(), ("both", "left", "right")}


def test_trees_take_gaps_behind_an_encoder_and_a_scaler():
    frame, y = table(3)
    columns = make_column_transformer(
        (
            OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
            ["kind", "ward"],
        ),
        remainder=StandardScaler(),
    )
    model = HistGradientBoostingClassifier(max_iter=5, random_state=0)
    pipeline = make_pipeline(columns, model).fit(frame[:1000], y[:1000])
    frame.loc[::17, "kind"] = "none of these"
    for order in ("given", "cheapest"):
        adopted = adopt(pipeline, PRICES, order=order)
        assert np.array_equal(adopted.predict(frame), pipeline.predict(frame))


def test_bounds_are_exact_where_scaled_values_tie():
    """Every value lies on a bound once it is scaled, in single precision."""
    rng = np.random.default_rng(0)
    X = rng.normal(scale=1e-3, size=(400, 3)) + 7.0
    y = rng.integers(0, 2, 400)
    pipeline = make_pipeline(
        StandardScaler(), MinMaxScaler((-1.0, 3.0)), RandomForestClassifier(5)
    ).fit(X, y)
    near = np.concatenate([np.nextafter(X, 0.0), X, np.nextafter(X, 9.0)])
    middle = (near[:, np.newaxis] + near[np.newaxis, :40]).reshape(-1, 3) / 2.0
    for values in (near, middle):
        assert np.array_equal(adopt(pipeline).predict(values), pipeline.predict(values))


def test_gaps_are_taken_where_a_step_fills_them_alone():
    frame, y = table(gaps=False)
    numbers = frame[NAMES[:4]]
    holes = numbers.mask(np.random.default_rng(0).random(numbers.shape) < 0.1)
    columns = make_column_transformer(
        (SimpleImputer(), ["age", "gait"]), remainder="passthrough"
    )
    for model in (LogisticRegression(), GradientBoostingClassifier(n_estimators=3)):
        pipeline = make_pipeline(columns, model)
        pipeline.fit(holes.assign(scan=numbers["scan"], blood=numbers["blood"]), y)
        adopted = adopt(pipeline)
        known = holes[["scan", "blood"]].notna().all(axis=1)
        want = pipeline.predict(holes[known])
        assert np.array_equal(adopted.predict(holes[known]), want)
        with pytest.raises(DataError, match=r"has no value of '(scan|blood)'"):
            adopted.predict(holes)


@each(
    ("steps", "what"),
    [
        ((PCA(2),), "A PCA before the model"),
        ((OneHotEncoder(max_categories=2),), "joins rare values"),
        ((StandardScaler(), OrdinalEncoder()), "encode columns as they come"),
    ],
)
def test_other_steps_are_refused_by_name(steps, what):
    X, y = rows(2)
    pipeline = make_pipeline(*steps, RandomForestClassifier(2)).fit(X[:99], y[:99])
    with pytest.raises(DeployError, match=what):
        adopt(pipeline)
