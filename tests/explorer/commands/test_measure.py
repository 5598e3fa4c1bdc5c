"""What ``thriftscope measure`` reads, refuses and writes."""

import json
import sys

import numpy as np
import pytest

from explorer.commands.cli import main
from explorer.commands.measure import load_pipeline, read_samples
from solvers import read_hypergraph
from solvers.errors import DataError, PipelineError
from tests.each import each
from tests.fuzz.refusal import is_one_sentence

MODULE = """
from solvers import FeaturePipeline

def mean(signal):
    return sum(signal) / len(signal)

def deviation(signal, mean):
    return (sum((x - mean) ** 2 for x in signal) / len(signal)) ** 0.5

pipeline = FeaturePipeline([mean, deviation], inputs=["signal"])
number = 3
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "measured_features.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("measured_features", None)


def measure(folder, samples):
    out = folder / "hypergraph.json"
    arguments = ["measure", "measured_features:pipeline", "--samples", str(samples)]
    return main([*arguments, "--out", str(out), "--repeats", "2"]), out


def test_measured_hypergraph_shares_what_the_functions_share(folder, capsys):
    samples = folder / "samples.json"
    samples.write_text(json.dumps([[1.0, 2.0, 3.0]] * 20))
    code, out = measure(folder, samples)
    assert code == 0
    graph = read_hypergraph(out).hypergraph
    assert graph.features == ("mean", "deviation")
    assert graph.required_components("deviation").tolist() == [True, True]
    assert graph.total_cost > 0
    assert "Written to" in capsys.readouterr().out


def test_arrays_give_one_sample_a_row(folder):
    np.savez(folder / "samples.npz", signal=np.ones((7, 4)))
    read = read_samples(folder / "samples.npz", ("signal",))
    assert len(read) == 7
    assert read[0]["signal"].shape == (4,)


def test_an_array_alone_gives_one_sample_a_row_and_is_measured(folder):
    np.save(folder / "raw.npy", np.arange(12.0).reshape(4, 3))
    read = read_samples(folder / "raw.npy", ("signal",))
    assert [sample.tolist() for sample in read][1] == [3.0, 4.0, 5.0]
    code, out = measure(folder, folder / "raw.npy")
    assert code == 0
    assert read_hypergraph(out).hypergraph.total_cost > 0


def test_json_lines_give_one_array_a_line(folder):
    (folder / "s.jsonl").write_text("[1, 2]\n\n[3, 4]\n")
    read = read_samples(folder / "s.jsonl", ("signal",))
    assert [type(sample) for sample in read] == [np.ndarray, np.ndarray]
    assert [sample.tolist() for sample in read] == [[1, 2], [3, 4]]


@each(
    "content",
    [[{"signal": [1, 2], "name": "a"}], {"signal": [[1, 2]], "name": ["a"]}],
    ids=["one mapping a sample", "one list an input"],
)
def test_json_of_several_inputs_gives_arrays_of_numbers_and_plain_text(folder, content):
    (folder / "s.json").write_text(json.dumps(content))
    (sample,) = read_samples(folder / "s.json", ("signal", "name"))
    assert sample["signal"].tolist() == [1, 2]
    assert sample["name"] == "a"


def test_json_lists_of_different_lengths_stay_lists_of_arrays(folder):
    (folder / "s.json").write_text("[[[1, 2], [3]], [[4], [5]]]")
    uneven, even = read_samples(folder / "s.json", ("signal",))
    assert [part.tolist() for part in uneven] == [[1, 2], [3]]
    assert even.tolist() == [[4], [5]]


@each(
    ("name", "content", "words"),
    [
        ("s.json", "{", "cannot be read"),
        ("s.json", "[]", "no list of samples"),
        ("s.json", '{"other": [1]}', "lacks input 'signal'"),
        ("s.json", '{"signal": 3}', "a list for each input"),
        ("s.pkl", "x", "no file of samples"),
        ("s.npy", "x", "cannot be read"),
        ("s.json", "3", "no list of samples"),
        ("s.json", "[" * 100_000, "cannot be read"),
        ("s.jsonl", "[" * 100_000, "cannot be read"),
        ("s.json", json.dumps({"x" * 9000: [1]}), "lacks input 'signal'"),
    ],
)
def test_file_of_no_samples_is_refused(folder, name, content, words):
    (folder / name).write_text(content)
    with pytest.raises(DataError, match=words) as refused:
        read_samples(folder / name, ("signal",))
    assert is_one_sentence(str(refused.value))


def test_an_array_that_announces_more_than_it_holds_is_refused(folder):
    np.save(folder / "s.npy", np.zeros(3))
    content = (folder / "s.npy").read_bytes()
    shape = b"'shape': (3000000000000,), }"
    (folder / "s.npy").write_bytes(
        content.replace(b"'shape': (3,), }".ljust(28), shape)
    )
    with pytest.raises(DataError, match="announces more than it holds"):
        read_samples(folder / "s.npy", ("signal",))


def test_pickled_samples_are_not_loaded(folder):
    np.save(folder / "s.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(DataError, match="cannot be read"):
        read_samples(folder / "s.npy", ("signal",))


@each(
    ("address", "words"),
    [
        ("measured_features", "names no pipeline"),
        ("no_such_module_here:pipeline", "cannot be imported"),
        ("measured_features:number", "is a int"),
        ("measured_features:nothing", "is a NoneType"),
    ],
)
def test_address_of_no_pipeline_is_refused(folder, address, words):
    with pytest.raises(PipelineError, match=words):
        load_pipeline(address)


def test_refused_command_ends_with_a_sentence(folder, capsys):
    code, _ = measure(folder, folder / "absent.json")
    assert code == 2
    assert "absent.json" in capsys.readouterr().err
