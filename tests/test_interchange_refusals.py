"""What is no hypergraph is refused with a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.errors import HypergraphError, InterchangeError
from solvers.interchange import (
    from_hif,
    read_hif,
    read_hypergraph,
)
from tests.fuzz.refusal import is_one_sentence, refusal
from tests.hif_cases import hif

BAD_HIF = [
    ({"network-type": 3}, "network-type is 3"),
    ({"metadata": []}, r"metadata are \[\]"),
    ({"metadata": {"unit": 3}}, "unit is 3"),
    ({"metadata": {"feature_order": "ab"}}, "feature_order of the metadata is 'ab'"),
    ({"metadata": {"component_order": [1]}}, r"component_order .* is \[1\]"),
    ({"nodes": {}}, '"nodes" is {}; write a list'),
    ({"nodes": ["a"]}, "\"nodes\" holds 'a'; write an object"),
    ({"nodes": [{}]}, '"node" of a record is missing'),
    ({"nodes": [{"node": None}]}, '"node" of a record is None'),
    ({"nodes": [{"node": True}]}, '"node" of a record is True'),
    ({"nodes": [{"node": 0.5}]}, '"node" of a record is 0.5'),
    ({"nodes": [{"node": ["a"]}]}, r"\"node\" of a record is \['a'\]"),
    ({"nodes": [{"node": 1}, {"node": "1"}]}, "both name the feature '1'"),
    ({"nodes": [{"node": "a"}, {"node": "a"}]}, "feature 'a' is described twice"),
    ({"nodes": [{"node": "n" * 1001}]}, "a name of 1,001 characters"),
    ({"nodes": [{"node": "\ud800"}]}, r"holds '\\ud800', which is no character"),
    ({"edges": [{"edge": "e"}] * 2}, "component 'e' is described twice"),
    ({"edges": [{"edge": "e", "attrs": 3}]}, "attrs of component 'e' are 3"),
    ({"edges": [{"edge": "e", "attrs": {"cost": "3"}}]}, "'e' is '3'; write a fini"),
    ({"edges": [{"edge": "e", "attrs": {"cost": True}}]}, "'e' is True; write a fin"),
    ({"edges": [{"edge": "e", "attrs": {"cost": -1}}]}, "'e' costs -1; a cost is"),
    ({"edges": [{"edge": "e", "attrs": {"cost": 10**400}}]}, "'e' costs inf; a cost"),
    ({"edges": [{"edge": "e", "attrs": {"kind": "x"}}]}, "kind of component 'e' is 'x"),
    ({"edges": [{"edge": "e", "attrs": {"kind": []}}]}, r"kind of component 'e' is \["),
    ({"incidences": None}, '"incidences" is None'),
    ({"incidences": [[1, 2]]}, r'"incidences" holds \[1, 2\]'),
    ({"incidences": [{"edge": "e"}]}, '"node" of a record is missing'),
    ({"incidences": [{"edge": "e", "node": "a"}] * 2}, "'e' and feature 'a' stands tw"),
    ({"incidences": [{"edge": " ", "node": "a"}]}, "component has an empty name"),
]


@pytest.mark.parametrize(("changes", "sentence"), BAD_HIF)
def test_bad_documents_are_refused_with_a_sentence(changes, sentence):
    with pytest.raises((InterchangeError, HypergraphError), match=sentence):
        from_hif(hif(**changes), missing_cost=1.0, free_features=True)


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
    (b"component,kind,cost_us,a\nf,,nan,1\n", "'f' costs nan"),
    (b"component,kind,cost_us,a\nf,,-1,1\n", "'f' costs -1"),
    (b"component,kind,cost_us,a\nf,,1_0,1\n", "cost of 'f' is '1_0'"),
    (b"component;kind;cost_us;a\nf;;1,5;1\n", "'1,5'; write .* with a decimal point"),
    (b'component,kind,cost_us,a\n"f,,1,1\n', "not CSV, or only a part of it"),
    (b"component,kind,cost_us,a\n" + b"f" * 200_000, "not CSV, or only a part of it"),
    (b"feature,cost_us\n", "has a header but no rows"),
    (b"feature,cost_us,kind\na,1,x\n", "table of costs has 3 columns"),
    (b"feature,cost_us\na,1\na,2\n", "Two features are called 'a'"),
    (b"feature,cost_us\na,cheap\n", "cost of 'a' is 'cheap'"),
    (b"feature,cost_us\na,inf\n", "'a' costs inf"),
]


@pytest.mark.parametrize(
    ("content", "sentence"), BAD_FILES, ids=[sentence for _, sentence in BAD_FILES]
)
def test_bad_files_are_refused_with_a_sentence(content, sentence):
    with pytest.raises((InterchangeError, HypergraphError), match=sentence):
        read_hypergraph(content)


def test_files_that_cannot_be_read_are_refused_with_a_sentence(tmp_path):
    with pytest.raises(InterchangeError, match=r"There is no file .*gone\.json"):
        read_hif(tmp_path / "gone.json")
    with pytest.raises(InterchangeError, match="There is no file"):
        read_hif(tmp_path)
    with pytest.raises(InterchangeError, match="There is no file"):
        read_hif("nul\0byte")
    with pytest.raises(InterchangeError, match="a path or bytes, not 3 of type int"):
        read_hif(3)


def test_a_huge_name_is_not_repeated_in_the_message():
    with pytest.raises(InterchangeError) as refusal:
        from_hif(hif(nodes=[{"node": "<b>" * 100_000}]))
    assert len(str(refusal.value)) < 300


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["edge", "node", "attrs", "cost", "kind", "unit", "feature_order"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {"incidences": JSON},
        optional={key: JSON for key in ("network-type", "metadata", "nodes", "edges")},
    )
)
def test_any_document_is_read_or_refused(document):
    sentence = refusal(lambda: from_hif(document))
    assert sentence is None or is_one_sentence(sentence)
