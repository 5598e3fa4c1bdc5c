"""Steps of a fitted pipeline are components, and values are theirs."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from solvers.errors import PipelineError
from solvers.features.tracing.adapters import sklearn_pipeline
from tests.each import each
from tests.features.tracing.windows import bits

RNG = np.random.default_rng(3)

TABLE = RNG.normal(size=(1000, 6))

LABELS = RNG.integers(0, 2, size=1000)


def check_rows(pipeline, transformer, rows):
    table = pipeline.extract(rows)
    for ours, row in zip(table, rows, strict=True):
        frame = isinstance(row, dict)
        one = pd.DataFrame([row]) if frame else row[np.newaxis, :]
        assert bits(ours) == bits(np.asarray(transformer.transform(one))[0])


def test_steps_of_a_pipeline_are_components_and_values_are_theirs():
    union = FeatureUnion(
        [
            ("pca", PCA(3)),
            ("best", SelectKBest(k=2)),
            ("both", make_pipeline(PCA(2), PolynomialFeatures())),
            ("none", "drop"),
            ("all", "passthrough"),
        ],
        transformer_weights={"best": 3.0},
    )
    whole = Pipeline(
        [("scale", StandardScaler()), ("union", union), ("fit", LogisticRegression())]
    ).fit(TABLE, LABELS)
    pipeline = sklearn_pipeline(whole, TABLE[0])
    assert pipeline.features == tuple(whole[:-1].get_feature_names_out())
    check_rows(pipeline, whole[:-1], list(TABLE))

    graph = pipeline.hypergraph()
    by_name = {name: graph.required_components(name) for name in pipeline.features}
    scaled = graph.components.index("scale")
    assert all(needs[scaled] for needs in by_name.values())
    pca = graph.components.index("union__pca")
    behind = [name for name, needs in by_name.items() if needs[pca]]
    assert behind == ["pca__pca0", "pca__pca1", "pca__pca2"]


def test_blocks_of_columns_may_be_names_of_mixed_kinds():
    table = pd.DataFrame({"a": TABLE[:, 0], "b": TABLE[:, 1], "c": list("xyzy") * 250})
    columns = ColumnTransformer(
        [
            ("numbers", make_pipeline(StandardScaler(), PCA(1)), ["a", "b"]),
            ("kinds", OneHotEncoder(), ["c"]),
            ("nothing", "drop", ["a"]),
        ],
        remainder="passthrough",
    ).fit(table)
    rows = table.head(25).to_dict("records")
    pipeline = sklearn_pipeline(columns, rows[0])
    check_rows(pipeline, columns, rows)
    assert not any("nothing" in name for name in pipeline.components)


NAMES = list("abcdef")


def chosen_by(columns):
    return ColumnTransformer([("some", StandardScaler(), columns)], remainder="drop")


@each(
    "columns",
    [
        ["e", "b"],
        [4, 1],
        [-1, 0],
        slice(1, 4),
        slice(2),
        slice("b", "d"),
        slice("d", None),
        [True, False, True, False, False, True],
        np.array([False, True, False, False, True, False]),
        lambda table: ["f", "a"],
        make_column_selector(dtype_include=float),
    ],
    ids=lambda columns: type(columns).__name__,
)
def test_columns_of_every_kind_of_choice_are_those_of_scikit_learn(columns):
    frame = pd.DataFrame(TABLE[:60], columns=NAMES)
    fitted = chosen_by(columns).fit(frame)
    turned = [frame.iloc[[i], ::-1].assign(more=1.0) for i in range(5)]
    pipeline = sklearn_pipeline(fitted, turned[0])
    expected = [fitted.transform(row)[0] for row in turned]
    for rows in (
        turned,
        [row.iloc[0].to_dict() for row in turned],
        [row.iloc[0] for row in turned],
    ):
        table = pipeline.extract(rows)
        assert [bits(row) for row in table] == [bits(row) for row in expected]


@each("columns", [[4, 1], [-1, 0], slice(1, 4), [True] + [False] * 4 + [True]], ids=str)
def test_columns_of_arrays_are_those_of_scikit_learn(columns):
    fitted = chosen_by(columns).fit(TABLE[:60])
    check_rows(sklearn_pipeline(fitted, TABLE[0]), fitted, list(TABLE[:5]))


def test_one_column_is_given_as_one_and_parts_have_their_weights():
    table = pd.DataFrame({"words": ["a b", "b c", "c"], "n": [1.0, 2.0, 4.0]})
    fitted = ColumnTransformer(
        [
            ("text", CountVectorizer(token_pattern=r"\w"), "words"),
            ("number", StandardScaler(), [1]),
            ("none", StandardScaler(), [False, False]),
        ],
        transformer_weights={"number": 3.0},
    ).fit(table)
    rows = table.to_dict("records")
    check_rows(sklearn_pipeline(fitted, rows[0]), fitted, rows)


def test_a_row_is_taken_by_the_names_that_are_known():
    frame = pd.DataFrame(TABLE[:60], columns=NAMES)
    fitted = make_pipeline(StandardScaler(), PCA(2)).fit(frame)
    turned = frame.iloc[:5, ::-1].to_dict("records")
    table = sklearn_pipeline(fitted, turned[0]).extract(turned)
    assert [bits(row) for row in table] == [
        bits(fitted.transform(frame.iloc[[i]])[0]) for i in range(5)
    ]
    lacking = {name: 1.0 for name in "abcde"}
    with pytest.raises(PipelineError, match="fails on the row with ValueError"):
        sklearn_pipeline(fitted, lacking)


def test_a_union_may_go_on_into_more_steps():
    parts = FeatureUnion([("pca", PCA(2)), ("best", SelectKBest(k=2))])
    whole = make_pipeline(parts, StandardScaler(), "passthrough").fit(TABLE, LABELS)
    check_rows(sklearn_pipeline(whole, TABLE[0]), whole, list(TABLE[:50]))


@each(
    ("made", "row", "sentence"),
    [
        (LogisticRegression(), TABLE[0], "LogisticRegression cannot transform; give"),
        (StandardScaler(), TABLE[0], "'StandardScaler' fails on the row with NotFit"),
        (StandardScaler().fit(TABLE), TABLE[0, :2], "'StandardScaler' fails on the"),
        (FeatureUnion([("no", "drop")]), TABLE[0], "FeatureUnion gives no columns"),
    ],
)
def test_what_cannot_transform_is_refused(made, row, sentence):
    with pytest.raises(PipelineError, match=sentence):
        sklearn_pipeline(made, row)
