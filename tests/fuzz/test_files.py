"""Files with broken bytes are read or refused with a sentence, and nothing else."""

import io
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from solvers import FeatureHypergraph
from solvers.costs.interchange import (
    read_costs_csv,
    read_hif,
    read_hypergraph,
    read_incidence_csv,
    to_hif,
    to_incidence_csv,
)
from solvers.datasets.table import preview_table, read_table
from tests.each import each
from tests.fuzz.bounded import bounded
from tests.fuzz.refusal import is_one_sentence, refusal

HYPERGRAPH = FeatureHypergraph(
    [[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]],
    [3.0, 0.25, 1e-3],
    ("peak", "centroid", "größe", 'm "x"'),
    ("fft", "mean", "window"),
)
TABLE = pd.DataFrame(
    {
        "peak": np.arange(16) / 3,
        "loud": np.arange(16) % 3 == 0,
        "count": np.arange(16) * 10**9,
        "colour": ["red", "grün"] * 8,
        "gap": [None, 1.5] * 8,
        "day": pd.Timestamp("2020-01-01"),
        "kind": ["good", "bad"] * 8,
    }
)


def packed(**options):
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_pandas(TABLE), buffer, **options)
    return buffer.getvalue()


def read_any_table(data):
    preview_table(data)
    return read_table(data, "kind")


SEEDS = {
    "hif": (json.dumps(to_hif(HYPERGRAPH)).encode(), read_hif),
    "incidence": (to_incidence_csv(HYPERGRAPH).encode(), read_incidence_csv),
    "costs": (b"feature,cost_us\npeak,3\nmean,0.5\n", read_costs_csv),
    "any": (json.dumps(to_hif(HYPERGRAPH), indent=1).encode(), read_hypergraph),
    "csv": (TABLE.to_csv(index=False).encode(), read_any_table),
    "parquet": (packed(), read_any_table),
    "parquet plain": (packed(use_dictionary=False, compression="zstd"), read_any_table),
}
# Thousands of every loader are read by ``make fuzz``.
N_FILES = 700
# What parsers stumble over; put in whole.
TOKENS = [
    *(b"{", b"[", b'"', b",", b";", b"\n", b"\r", b"\0", b"\xff", b"\xed\xa0\x80"),
    *(b"NaN", b"-1", b"1e999", b"null", b"true", b"{}", b"\\ud800", b"<script>"),
    *(b"PAR1", b"PK\x03\x04", b"\xef\xbb\xbf", b"9" * 30, b"\xff\xff\xff\x7f"),
]


def mutated(data, rng):
    """Return the bytes with a few flips, cuts, repeats and odd tokens."""
    broken = bytearray(data)
    if rng.random() < 0.5:  # gently, so that parsers get past the frame
        for at in rng.integers(0, len(broken), rng.integers(1, 4)):
            broken[at] = rng.integers(256)
        return bytes(broken)
    for _ in range(rng.integers(1, 5)):
        at, end = np.sort(rng.integers(0, len(broken) + 1, 2))
        match rng.integers(6):
            case 0:
                broken[at : at + 1] = rng.bytes(1)
            case 1:
                broken[at : at + 1] = b""
            case 2:
                broken[at:at] = TOKENS[rng.integers(len(TOKENS))]
            case 3:
                broken[at : at + 4] = TOKENS[rng.integers(len(TOKENS))]
            case 4:
                broken[at:at] = broken[at : min(end, at + 64)]
            case 5:
                del broken[at : min(end, at + 64) if rng.random() < 0.8 else None]
    return bytes(broken)


def fuzz(seed_name, n_files, random_state):
    """Read broken files; return how many were refused."""
    data, read = SEEDS[seed_name]
    rng = np.random.default_rng(random_state)
    refused = 0
    for _ in range(n_files):
        broken = mutated(data, rng)
        sentence = refusal(lambda broken=broken: read(broken))
        assert sentence is None or is_one_sentence(sentence), (sentence, broken)
        refused += sentence is not None
    return refused


@each("name", SEEDS)
def test_the_seed_itself_is_read(name):
    data, read = SEEDS[name]
    assert refusal(lambda: read(data)) is None


@pytest.mark.slow
def test_hundreds_of_broken_files_are_read_or_refused_in_little_memory():
    with bounded(megabytes=500):
        for k, name in enumerate(SEEDS):
            assert fuzz(name, N_FILES // len(SEEDS), random_state=k + 1) > 30
