"""`thriftscope export` writes what decides as the saved estimator does."""

import io
import json
import shutil
import subprocess
import sys
import zipfile
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import skops.io

from explorer.commands.cli import main
from explorer.commands.export import _rows
from explorer.export import load_estimator
from explorer.export.files import MAX_UNPACKED
from explorer.session.footprint import python_text
from explorer.session.state import bundled
from solvers import all_methods
from solvers.bayes import bundled_classifier, classifier_to_json
from solvers.deploy import DecisionTime, policy_from
from solvers.deploy.policy import ValueKind
from solvers.values import GAP_MARKS, NumberForm
from tests.each import each
from tests.fuzz.bounded import bounded
from tests.fuzz.refusal import is_one_sentence


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    told = ["run", "--data=breast_cancer", "--methods=forward_selection"]
    assert main([*told, "--budget=20", f"--out={out}"]) == 0
    return out


def test_the_python_file_decides_as_the_estimator_in_a_fresh_process(
    results, tmp_path, capsys
):
    assert main(["export", str(results), "--format=python", f"--out={tmp_path}"]) == 0
    assert "policy.py" in capsys.readouterr().out
    data = bundled("breast_cancer")
    rows = [dict(zip(data.feature_names, row, strict=True)) for row in data.X.tolist()]
    asked = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); import policy\n"
        "rows = json.load(sys.stdin)\n"
        "print(json.dumps([policy.decide(row).label for row in rows]))"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", asked, str(tmp_path)],
        input=json.dumps(rows),
        capture_output=True,
        text=True,
        check=True,
    )
    estimator = load_estimator((results / "estimator.skops").read_bytes())
    assert json.loads(ran.stdout) == estimator.predict(data.X).tolist()
    head = (tmp_path / "policy.py").read_text()
    selection = json.loads((results / "selection.json").read_text())
    assert f"{selection['scores']['test']['f1']:.3f}" in head
    assert "fingerprint" in head


def test_every_form_comes_from_a_folder_a_bundle_and_an_estimator(results, tmp_path):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name in ("estimator.skops", "selection.json"):
            archive.writestr(name, (results / name).read_bytes())
        archive.writestr("README.md", "the app's bundle")
    bundle = tmp_path / "thriftscope.zip"
    bundle.write_bytes(written.getvalue())
    for place in (results, bundle, results / "estimator.skops"):
        for form, names in (
            ("c", {"policy.h", "policy.c", "features.c", "README.md"}),
            ("html", {"policy.html"}),
        ):
            out = tmp_path / f"{place.name}-{form}"
            assert main(["export", str(place), f"--format={form}", f"--out={out}"]) == 0
            assert names <= {path.name for path in out.iterdir()}
    rows = tmp_path / "rows.csv"
    data = bundled("breast_cancer")
    head = ",".join(data.feature_names)
    np.savetxt(rows, data.X[:9], delimiter=",", header=head, comments="")
    told = ["export", str(results), "--format=c", f"--rows={rows}"]
    assert main([*told, f"--out={tmp_path / 'counted'}"]) == 0
    readme = (tmp_path / "counted" / "README.md").read_text()
    there = [tool for tool in ("arm-none-eabi-gcc", "valgrind") if shutil.which(tool)]
    assert readme.count("not measured") == 4 - 3 * ("arm-none-eabi-gcc" in there) - (
        "valgrind" in there
    )
    page = (tmp_path / "thriftscope.zip-html" / "policy.html").read_text()
    assert "breast" in page
    assert "multinomial bootstrap" in page


def test_what_is_no_run_is_told(tmp_path, capsys):
    def refused(results):
        told = ["export", str(results), "--format=python", f"--out={tmp_path / 'o'}"]
        assert main(told) == 2
        return capsys.readouterr().err

    (tmp_path / "empty").mkdir()
    assert "holds no estimator.skops" in refused(tmp_path / "empty")
    assert "There is no file" in refused(tmp_path / "nothing")
    (tmp_path / "noise.skops").write_bytes(b"noise")
    assert "no saved model" in refused(tmp_path / "noise.skops")
    torn = tmp_path / "torn.zip"
    with zipfile.ZipFile(torn, "w") as archive:
        archive.writestr("README.md", "A run.")
        archive.writestr("estimator.skops", "noise")
    torn.write_bytes(torn.read_bytes().replace(b"noise", b"moise"))
    assert "no bundle of the app" in refused(torn)


@each(
    ("content", "sentence"),
    [
        (b"[" * 100_000, "selection.json is not JSON"),
        (b"1" * 5_000, "selection.json is not JSON"),
        (b"\xff", "selection.json is not JSON"),
        (b"[]", "selection.json is [], no object"),
        (b'{"worth": 5, "data": [1]}', ""),
    ],
)
def test_a_broken_selection_is_told_in_a_sentence(
    results, tmp_path, capsys, content, sentence
):
    shutil.copy(results / "estimator.skops", tmp_path)
    (tmp_path / "selection.json").write_bytes(content)
    told = ["export", str(tmp_path), "--format=python", f"--out={tmp_path / 'o'}"]
    assert main(told) == (2 if sentence else 0)
    refused = capsys.readouterr().err.removeprefix("thriftscope: ").strip()
    assert sentence in refused
    assert not sentence or is_one_sentence(refused)


def test_a_bundle_that_swells_is_not_unpacked(tmp_path, capsys):
    with zipfile.ZipFile(tmp_path / "b.zip", "w", 8, compresslevel=1) as archive:
        archive.writestr("README.md", "A run.")
        with archive.open("estimator.skops", "w", force_zip64=True) as member:
            for _ in range(1 + MAX_UNPACKED // 2**24):
                member.write(bytes(2**24))
    with bounded(megabytes=100):
        told = ["export", str(tmp_path / "b.zip"), "--format=c", f"--out={tmp_path}"]
        assert main(told) == 2
    assert "it unpacks to" in capsys.readouterr().err


@each("content", [b"", b"\x00\xff", b"a,b\n1,2\n", b'"', b"a" * 100_000])
def test_rows_that_are_none_are_told_in_a_sentence(results, tmp_path, capsys, content):
    rows = tmp_path / "rows.csv"
    rows.write_bytes(content)
    told = ["export", str(results), "--format=c", f"--rows={rows}"]
    assert main([*told, f"--out={tmp_path / 'o'}"]) == 2
    refused = capsys.readouterr().err.removeprefix("thriftscope: ").strip()
    assert is_one_sentence(refused)
    assert not (tmp_path / "o").exists()


def test_of_a_python_file_it_is_said_how_long_it_decides(
    results, tmp_path, monkeypatch, capsys
):
    """Which is not the time of the estimator's `predict`."""
    taken = DecisionTime(9e-6, 45.0)
    monkeypatch.setattr(
        "explorer.commands.export.measure_python", lambda policy, rows: taken
    )
    policy = policy_from(load_estimator((results / "estimator.skops").read_bytes()))
    row = dict.fromkeys(policy.features, 1.0)
    pd.DataFrame([row]).to_csv(tmp_path / "rows.csv", index=False)
    told = ["export", str(results), "--format=python", f"--out={tmp_path}"]
    assert main([*told, f"--rows={tmp_path / 'rows.csv'}"]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert said == python_text(policy, taken, "this machine")
    assert "decides in 9.00 µs on this machine" in said


def test_rows_hold_every_kind_of_value(tmp_path, monkeypatch):
    kinds = {
        "level": ValueKind("listed", ("low", "high")),
        "day": ValueKind("date"),
        "note": ValueKind("hashed", ("0", "1")),
        "x": ValueKind(),
        "pay": ValueKind(form=NumberForm(",", ".", currency="€")),
        "zip": ValueKind("listed", ("02001", "2001")),
    }
    policy = SimpleNamespace(
        features=(*kinds,), kinds=(*kinds.values(),), gap_marks=GAP_MARKS
    )
    monkeypatch.setattr("explorer.commands.export.policy_from", lambda _: policy)
    rows = tmp_path / "rows.csv"
    header, first = "x,level,day,note,pay,zip", '1.5,high,1970-01-03,a,"1,5 €",02001'
    rows.write_text(f"{header}\n{first}\n,other,,,,\n")
    (first, second) = _rows(rows, None).tolist()
    assert (first[0], first[1], first[3]) == (1.0, 2.0, 1.5)
    assert first[2] in (0.0, 1.0)
    assert first[4:] == [1.5, 0.0]
    assert second[0] == 2.0
    assert np.isnan(second[1:]).all()


def test_a_trimmed_network_is_exported_from_its_json(tmp_path, capsys):
    quiz = bundled_classifier("quiz")
    (tmp_path / "trimmed.json").write_text(
        classifier_to_json(quiz.trimmed(["Q1"], 0.1))
    )
    told = ["export", str(tmp_path / "trimmed.json"), "--format=python"]
    assert main([*told, f"--out={tmp_path}"]) == 0
    space = {"__name__": "policy"}
    exec((tmp_path / "policy.py").read_text(), space)
    want = quiz.decide(np.array([[0, 0, 0], [1, 0, 0]]), ["Q1"], 0.1)
    got = [space["decide"]({"Q1": state}).label for state in quiz.network.states["Q1"]]
    assert [label == quiz.positive_state for label in got] == want.tolist()
    (tmp_path / "noise.json").write_text("{}")
    assert main([*told[:1], str(tmp_path / "noise.json"), *told[2:], "--out=o"]) == 2
    assert "open a network file" in capsys.readouterr().err


def test_a_pipeline_goes_along(tmp_path, monkeypatch):
    data = bundled("published")
    model = all_methods()["csdt"](data.hypergraph, error_cost=500.0)
    model.fit(data.X[:1500], data.y[:1500])
    (tmp_path / "estimator.skops").write_bytes(skops.io.dumps(model))
    (tmp_path / "extractor.py").write_text(
        "from solvers.datasets import make_published\n"
        "pipeline = make_published().pipeline\n"
    )
    monkeypatch.chdir(tmp_path)
    told = ["export", "estimator.skops", "--format=python", "--out=."]
    assert main([*told, "--pipeline=extractor:pipeline"]) == 0
    space = {"__name__": "policy"}
    exec((tmp_path / "policy.py").read_text(), space)
    want = model.decide(data.pipeline.extract(data.samples[:30]))
    got = [space["decide_raw"](sample) for sample in data.samples[:30]]
    assert [one.label for one in got] == want.labels.tolist()


def test_a_traced_extractor_goes_along(tmp_path, monkeypatch):
    data = bundled("digit_images")
    model = all_methods()["static_prefix"](data.hypergraph)
    model.fit(data.X[:500], data.y[:500])
    (tmp_path / "estimator.skops").write_bytes(skops.io.dumps(model))
    (tmp_path / "image_code.py").write_text(
        "from solvers.datasets import make_digit_images\n"
        "traced = make_digit_images().pipeline\n"
    )
    monkeypatch.chdir(tmp_path)
    told = ["export", "estimator.skops", "--format=python", "--out=."]
    assert main([*told, "--pipeline=image_code:traced"]) == 0
    space = {"__name__": "policy"}
    exec((tmp_path / "policy.py").read_text(), space)
    got = [space["decide_raw"](image).label for image in data.samples[:20]]
    assert got == model.predict(data.X[:20]).tolist()
