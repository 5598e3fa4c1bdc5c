"""Steps of a fitted pipeline are components, and values are theirs."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from solvers.errors import PipelineError
from solvers.tracing.adapters import sklearn_pipeline
from tests.tracing.windows import bits

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


def test_a_union_may_go_on_into_more_steps():
    parts = FeatureUnion([("pca", PCA(2)), ("best", SelectKBest(k=2))])
    whole = make_pipeline(parts, StandardScaler(), "passthrough").fit(TABLE, LABELS)
    check_rows(sklearn_pipeline(whole, TABLE[0]), whole, list(TABLE[:50]))


@pytest.mark.parametrize(
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
