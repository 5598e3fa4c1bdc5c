"""The command traces the same frontiers as the app, and refuses with a sentence."""

import io
import socket
from itertools import islice

import pandas as pd
import pytest

from explorer.commands.cli import main
from explorer.commands.sweep import PointFile
from explorer.session.state import bundled
from solvers import ThriftscopeError, trace_frontier
from tests.each import each
from tests.fuzz.refusal import is_one_sentence


def test_points_are_on_disk_before_the_next_one_comes(tmp_path):
    data = bundled("breast_cancer")
    path = tmp_path / "frontier.csv"
    with PointFile(path, ["l1", "forward_selection"]) as file:
        for name in ("l1", "forward_selection"):
            for point in islice(trace_frontier(name, data), 2):
                file.write(point.row())
                last = pd.read_csv(path).iloc[-1]
                assert last["method"] == name
                assert last["test_f1"] == point.scores["test"]["f1"]
    table = pd.read_csv(path)
    assert table["param_alpha"].notna().tolist() == [True, True, False, False]


@each(
    ("arguments", "sentence"),
    [
        (["--table={table}"], "No label column is named"),
        (["--table={table}", "--target=lable"], "'lable'"),
        (["--table={table}", "--target=label", "--methods=l7"], "no method 'l7'"),
        (["--table=missing.csv", "--target=label"], "missing.csv"),
        (
            ["--table={table}", "--target=label", "--methods=l1", "--budget=-1"],
            "No model fits a budget of -1",
        ),
    ],
)
def test_bad_requests_are_refused_with_a_sentence(
    table, tmp_path, capsys, arguments, sentence
):
    filled = [argument.format(table=table) for argument in arguments]
    assert main(["run", *filled, f"--out={tmp_path / 'out'}"]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert "Traceback" not in said


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    out = tmp_path_factory.mktemp("swept")
    asked = ["run", "--data=heart,regions", "--methods=l1,forward_selection"]
    assert main([*asked, "--seeds=0-1", "--workers=1", f"--out={out}"]) == 0
    return out


def test_a_sweep_writes_the_points_of_every_seed(swept):
    table = pd.read_csv(swept / "frontier.csv")
    assert len(list((swept / "points").glob("*.parquet"))) == 8
    assert set(table["seed"]) == {0, 1}
    assert set(table["dataset"]) == {"heart", "regions"}
    alone = list(trace_frontier("l1", bundled("heart"), random_state=1))
    chosen = table.query("dataset == 'heart' and method == 'l1' and seed == 1")
    found = [point.scores["test"]["f1"] for point in alone]
    assert chosen["test_f1"].tolist() == pytest.approx(found)


def test_a_sweep_writes_bands(swept):
    bands = pd.read_csv(swept / "bands.csv")
    assert set(bands["runs"]) == {2}
    assert bands["mean_test_f1"].between(0, 1).sum() > 10


def test_a_sweep_says_what_is_noise(swept, capsys):
    asked = ["run", "--data=heart,regions", "--methods=l1,forward_selection"]
    code = main([*asked, "--seeds=0,1", "--workers=1", "--budget=10", f"--out={swept}"])
    said = capsys.readouterr().out
    assert code == 0
    assert "mean test F1 within 10" in said
    assert " within noise." in said or " beyond noise." in said


@each(
    ("arguments", "sentence"),
    [
        (["--data=breast_cancer", "--seeds=a"], "The seeds are 'a'"),
        (["--data=brest_cancer"], "no data set 'brest_cancer'"),
        (["--data=breast_cancer,none", "--seeds=1"], "no data set 'none'"),
        (["--data=breast_cancer", "--folds=1"], "n_folds is 1; it is 2 or more"),
        (["--data=breast_cancer", "--scheduler=tcp//x"], "No Dask scheduler answers"),
    ],
)
def test_bad_sweeps_are_refused_with_a_sentence(tmp_path, capsys, arguments, sentence):
    assert main(["run", *arguments, "--methods=l1", f"--out={tmp_path}"]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert "Traceback" not in said


def test_methods_are_listed(capsys):
    assert main(["methods"]) == 0
    assert "acafh" in capsys.readouterr().out


def test_a_taken_port_is_refused_with_a_sentence(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", f"--port={port}", "--no-browser"]) == 2
    assert "choose another with --port" in capsys.readouterr().err


class FullDisk(io.StringIO):
    """What a file is on a full disk."""

    name = "frontier.csv"

    def flush(self):
        raise OSError(28, "No space left on device")


def test_a_full_disk_is_told_in_a_sentence(tmp_path):
    file = PointFile(tmp_path / "frontier.csv", ["l1"])
    file._file.close()
    file._file = FullDisk()
    with pytest.raises(ThriftscopeError) as caught:
        file.write({"method": "l1"})
    assert "(No space left on device)" in str(caught.value)
    assert is_one_sentence(str(caught.value))


def test_a_failure_of_the_system_without_a_file_names_none(monkeypatch, capsys):
    def fail(options):
        raise OSError("a page of the file is broken")

    monkeypatch.setattr("explorer.commands.cli._list_methods", fail)
    assert main(["methods"]) == 2
    assert capsys.readouterr().err == "thriftscope: a page of the file is broken\n"


def test_text_of_a_point_that_begins_a_formula_is_guarded(tmp_path):
    with PointFile(tmp_path / "frontier.csv", ["l1"]) as file:
        file.write({"method": "=1+1", "cost": -1.5})
    assert (tmp_path / "frontier.csv").read_text().splitlines()[1].startswith("'=1+1,")


def test_what_a_run_before_has_left_stays_until_there_is_a_point(tmp_path):
    path = tmp_path / "frontier.csv"
    path.write_text("the run before")
    with PointFile(path, ["l1"]) as file:
        assert path.read_text() == "the run before"
        file.write({"method": "l1"})
    assert path.read_text().startswith("method,")
