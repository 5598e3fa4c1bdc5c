"""`thriftscope adopt` says what a model costs, writes it, and finds a cheaper one."""

import re

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.linear_model import LogisticRegression

from explorer.commands.cli import main

lgb = pytest.importorskip("lightgbm")
NAMES = ["age", "kind", "scan", "gait"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A LightGBM text, and a table of other rows with gaps, codes and words."""
    folder, rng = tmp_path_factory.mktemp("adopt"), np.random.default_rng(0)
    X = pd.DataFrame(np.round(rng.normal(size=(2400, 4)), 2), columns=NAMES)
    X["kind"] = rng.choice([3, 5, 7], len(X))
    y = np.where(X["age"] + (X["kind"] == 5) > 0.4, "ill", "well")
    X = X.mask(rng.random(X.shape) < 0.05)
    model = lgb.LGBMClassifier(n_estimators=5, num_leaves=6, n_jobs=1, verbose=-1)
    model.fit(X[:1000], y[:1000])
    model.booster_.save_model(folder / "model.txt")
    X[1000:].assign(name="x", label=y[1000:]).to_csv(folder / "rows.csv", index=False)
    return folder, model, X[1000:], y[1000:]


def told(folder, *more, model="model.txt"):
    table = ["--table", str(folder / "rows.csv"), "--target=label"]
    return main(["adopt", str(folder / model), *table, "--leave-out=name", *more])


def test_it_shows_the_bill_and_writes_what_decides_alike(made, tmp_path, capsys):
    folder, model, X, _ = made
    assert told(folder, "--methods=", "--format=python", f"--out={tmp_path}") == 0
    said = capsys.readouterr().out
    assert "looks at 2 of 4 features, which cost 2.00 features together" in said
    assert "age: 100% of rows" in said
    file = {"__name__": "policy"}
    exec((tmp_path / "policy.py").read_text(), file)
    rows = X[:300].astype(object).where(X[:300].notna(), None).to_dict("records")
    assert [file["decide"](row).label for row in rows] == model.predict(
        X[:300]
    ).tolist()


def test_a_cheaper_model_is_found_or_not(made, capsys):
    folder = made[0]
    assert told(folder, "--methods=l1,csdt", "--most=0.2") == 0
    assert "loses at most" in capsys.readouterr().out
    assert told(folder, "--methods=l1", "--most=0") == 0
    assert "allow more by --most" in capsys.readouterr().out


def test_a_skops_file_is_adopted_and_a_pickle_is_not(made, tmp_path, capsys):
    _, _, X, y = made
    whole = X.notna().all(axis=1)
    line = LogisticRegression().fit(X[whole], y[whole])
    (tmp_path / "line.skops").write_bytes(skops.io.dumps(line))
    rows = X[whole].assign(label=y[whole])
    rows.to_csv(tmp_path / "rows.csv", index=False)
    table = ["--table", str(tmp_path / "rows.csv"), "--target=label", "--methods="]
    assert main(["adopt", str(tmp_path / "line.skops"), *table]) == 0
    assert "line.skops: 2 classes" in capsys.readouterr().out
    (tmp_path / "line.pkl").write_bytes(b"\x80\x04")
    assert main(["adopt", str(tmp_path / "line.pkl"), *table]) == 2
    assert "A pickle is not opened" in capsys.readouterr().err


def test_words_of_a_table_are_those_of_the_model(made, tmp_path, capsys):
    """Whatever the order in which the table lists them."""
    _, _, X, y = made
    frame = X.assign(kind=np.where(X["kind"] == 5, "a", "z")).astype(
        {"kind": "category"}
    )
    frame["kind"] = frame["kind"].cat.reorder_categories(["z", "a"])
    model = lgb.LGBMClassifier(n_estimators=5, n_jobs=1, verbose=-1)
    model.fit(frame[:700], y[:700]).booster_.save_model(tmp_path / "model.txt")
    frame.assign(label=y).to_csv(tmp_path / "rows.csv", index=False)
    table = ["--table", str(tmp_path / "rows.csv"), "--target=label", "--methods="]
    assert main(["adopt", str(tmp_path / "model.txt"), *table]) == 0
    said = capsys.readouterr().out
    assert float(re.search(r"Accuracy on test rows: (\S+)\.", said)[1]) > 0.9
    assert "kind: " in said


def test_what_it_cannot_take_is_said_in_a_sentence(made, capsys):
    folder = made[0]
    assert told(folder, "--format=python") == 2
    assert "give both" in capsys.readouterr().err
    assert told(folder, "--classes=a,b,c") == 2
    assert "classes has 3 names" in capsys.readouterr().err
    words = folder / "words.csv"
    frame = pd.read_csv(folder / "rows.csv")
    frame.assign(kind=np.where(frame["kind"] > 4, "a", "b")).to_csv(words, index=False)
    asked = ["adopt", str(folder / "model.txt"), f"--table={words}", "--target=label"]
    assert main([*asked, "--leave-out=name"]) == 2
    assert "takes numbers" in capsys.readouterr().err
