"""``thriftscope run`` takes tables as people have them, and says what they became."""

import json

import numpy as np
import pandas as pd

from explorer.commands.cli import main
from explorer.export.files import load_estimator
from solvers.datasets.table import files
from tests.datasets.sparse_files import as_npz, rows


def frame(n=200):
    rng = np.random.default_rng(5)
    pain = rng.choice(["dull", "none", "sharp"], n)
    return pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.normal(50, 9, n)),
            "pain": pain,
            "grade": rng.integers(1, 4, n),
            "who": [f"p{k}" for k in rng.integers(0, 40, n)],
            "times": rng.integers(1, 3, n),
            "ill": np.where(
                rng.random(n) < np.where(pain == "none", 0.1, 0.8), "y", "n"
            ),
        }
    )


def run(tmp_path, *options):
    path = tmp_path / "table.csv"
    frame().to_csv(path, index=False)
    of_table = ["--table", str(path), "--target", "ill"]
    out = ["--out", str(tmp_path / "out")]
    main(["run", *of_table, "--methods", "forward_selection", *out, *options])


def test_all_that_a_table_says_is_used_and_told(tmp_path, capsys):
    kinds = tmp_path / "kinds.json"
    kinds.write_text(json.dumps({"columns": {"grade": {"kind": "code"}}}))
    costs = tmp_path / "costs.csv"
    costs.write_text(
        "feature,cost_CAD,group,discount_cost_CAD\nage,1,,\npain,3,visit,1\n"
        "grade,4,visit,2\n"
    )
    run(
        *(tmp_path, "--kinds", str(kinds), "--missing", "value", "--group", "who"),
        *("--weights", "times", "--positive", "y", "--hypergraph", str(costs)),
    )
    said = capsys.readouterr().out
    assert "  pain (category): pain=dull, pain=none, pain=sharp, pain=other\n" in said
    assert "  grade (code): grade=1, grade=2, grade=3, grade=other\n" in said
    assert "A gap counts as a value of its own: 'age' (" in said
    assert "CAD" in said
    chosen = json.loads((tmp_path / "out" / "selection.json").read_text())
    assert "pain" in chosen["features"]
    assert set(chosen["features"]) <= {"age", "pain", "grade"}
    loaded = load_estimator((tmp_path / "out" / "estimator.skops").read_bytes())
    assert set(loaded.predict(frame().drop(columns="ill"))) == {"y", "n"}


def test_options_of_a_table_need_one(tmp_path, capsys):
    main(["run", "--data", "gaussian", "--group", "a", "--out", str(tmp_path)])
    assert "name one with --table" in capsys.readouterr().err


def test_sparse_rows_are_traced_by_the_methods_that_take_them(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(files, "MAX_CELLS", 100)
    X, y = rows(n=200)
    path, out = tmp_path / "rows.npz", tmp_path / "out"
    path.write_bytes(as_npz(X, ill=y))
    told = ["--table", str(path), "--target", "ill", "--out", str(out)]
    main(["run", *told, "--methods", "tefe,forward_selection"])
    said = capsys.readouterr()
    assert "tefe is left out: TEFE takes no sparse rows; give" in said.err
    assert "Rows stay sparse" in said.out
    chosen = json.loads((out / "selection.json").read_text())
    assert "x1" in chosen["features"]
