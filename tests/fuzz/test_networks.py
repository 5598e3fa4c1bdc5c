"""Networks, graphs and sensor files with broken bytes are read or refused."""

import io
from pathlib import Path

import numpy as np

from explorer.pages.structured.scenes import text_of
from solvers.bayes.readers import read_model
from solvers.markov.lab_files import read_lab, read_sensor_csv
from solvers.markov.own_data import read_graph
from tests.each import each
from tests.fuzz.refusal import is_one_sentence, refusal
from tests.fuzz.test_files import mutated

NETWORK = Path(__file__).parents[2] / "sample_data" / "networks" / "fig3.json"
UAI = b"BAYES\n2\n2 2\n2\n1 0\n2 0 1\n\n2\n0.4 0.6\n\n4\n0.1 0.9 0.7 0.3\n"
NODES = b"id,label,x\na,one,0.5\nb,two,1.5\nc,one,0.1\nd,two,2.5\n"
EDGES = b"source,target\na,b\nb,c\nc,d\n"
PLACES = b"1 21.5 23\n2 24.5 20\n3 19.5 19\n"
READINGS = b"".join(
    b"2004-03-01 %02d:00:16.02785 %d %d 19.98 37.09 45.08 2.69\n" % (hour, hour, mote)
    for hour in range(6)
    for mote in (1, 2, 3)
)


def graph(nodes, edges):
    return read_graph(text_of(nodes, "nodes.csv"), text_of(edges, "links.csv"))


def lab(readings, places):
    return read_lab(text_of(readings, "readings.txt"), text_of(places, "places.txt"))


READERS = {
    "json": (NETWORK.read_bytes(), lambda data: read_model(data, "mine.json")),
    "uai": (UAI, lambda data: read_model(data, "mine.uai")),
    "nodes": (NODES, lambda data: graph(data, EDGES)),
    "links": (EDGES, lambda data: graph(NODES, data)),
    "places": (PLACES, lambda data: lab(READINGS, data)),
    "readings": (READINGS, lambda data: lab(data, PLACES)),
    "sensors": (
        b"timestamp,sensor,temperature,humidity,light,voltage\n"
        + b"2004-03-01T00:00:00,1,20,40,5,2.5\n" * 4,
        lambda data: read_sensor_csv(
            text_of(data, "readings.csv"), io.StringIO("sensor,x,y\n1,0,0\n2,1,1\n")
        ),
    ),
}


@each("name", READERS)
def test_broken_files_are_read_or_refused(name):
    data, read = READERS[name]
    rng = np.random.default_rng(0)
    refused = 0
    for _ in range(40):
        broken = mutated(data, rng)
        sentence = refusal(lambda broken=broken: read(broken))
        assert sentence is None or is_one_sentence(sentence), (sentence, broken)
        refused += sentence is not None
    assert refused > 3
