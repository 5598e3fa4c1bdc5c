"""A file that describes no hypergraph is refused with a sentence, whatever it is."""

import pytest

from solvers.costs.interchange import read_hypergraph
from solvers.errors import HypergraphError, InterchangeError
from tests.each import each

BAD_FILES = [
    (b"", "The file is empty"),
    (b" \r\n", "The file is empty"),
    (b"\xef\xbb\xbf", "The file is empty"),
    (b"[1, 2]", r"The JSON is \[1, 2\], not HIF"),
    (b"{}", "The JSON is {}, not HIF"),
    (b'{"incidences": [{"edge": "e",', "not JSON, or only a part of it"),
    (b'{"incidences": [], "incidences": []}', "the key 'incidences' twice"),
    (b'{"incidences": [NaN]}', "holds NaN, which JSON does not know"),
    (b'{"incidences": [-Infinity]}', "holds -Infinity"),
    (b'{"incidences": ' + b"[" * 100_000, "nested too deeply"),
    (b'{"incidences": ' + b"9" * 5000 + b"}", "a number that cannot be read"),
    (b"[" * 8_000_001, "some 8,000,001 values; at most 8,000,000"),
    ('{"unit": "größe"}'.encode("latin-1"), "not UTF-8 text: byte 12 is 0xf6"),
    ("{}".encode("utf-16"), "UTF-16 text, not UTF-8"),
    (b"PK\x03\x04rest", "a zip archive or an Excel workbook"),
    (b"\x1f\x8b\x08", "compressed with gzip"),
    (b"PAR1", "a Parquet table"),
    (b"x,y\n1,2\n", "begins with 'x,y.n1,2.n', which is no hypergraph"),
    (b"component,kind\n", "begins with 'component,kind'"),
    (b"component,kind,price,a\n", "begin its header with component,kind,cost_us"),
    (b"component,kind,cost_us,a,a\nf,,1,1,1\n", "Two features are called 'a'"),
    (b"component,kind,cost_us,a\nf,,1,1\nf,,1,1\n", "Two components are called 'f'"),
    (
        b"component,kind,cost_us,a\nf,,1\n",
        "Line 2 of the table has 3 cells for 4 columns",
    ),
    (b"component,kind,cost_us,a\nf,,1,yes\n", "holds 'yes' for feature 'a'"),
    (b"component,kind,cost_us,a\nf,,1,0\n", "'a' needs no component"),
    (b"component,kind,cost_us,a\nf,odd,1,1\n", "kind of component 'f' is 'odd'"),
    (b"component,kind,cost_us,a\nf,,nan,1\n", "The cost of 'f' is 'nan'"),
    (b"component,kind,cost_us,a\nf,,-1,1\n", "'f' costs -1"),
    (b"component,kind,cost_us,a\nf,,1_0,1\n", "cost of 'f' is '1_0'"),
    (b'component,kind,cost_us,a\n"f,,1,1\n', "not CSV, or only a part of it"),
    (b"component,kind,cost_us,a\n" + b"f" * 200_000, "not CSV, or only a part of it"),
    (b"feature,cost_us\n", "has a header but no rows"),
    (b"feature,cost_us,kind\na,1,2\n", "table of costs has 3 columns"),
    (b"feature,cost_us\na,1\na,2\n", "Two features are called 'a'"),
    (b"feature,cost_us\na,cheap\n", "cost of 'a' is 'cheap'"),
    (b"feature,cost_us\na,inf\n", "The cost of 'a' is 'inf'"),
]


@each(("content", "sentence"), BAD_FILES, ids=[sentence for _, sentence in BAD_FILES])
def test_bad_files_are_refused_with_a_sentence(content, sentence):
    with pytest.raises((InterchangeError, HypergraphError), match=sentence):
        read_hypergraph(content)
