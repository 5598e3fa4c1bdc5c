"""What pages may load is said once, and only origins may embed them."""

import pytest
from tornado.httputil import HTTPHeaders

from explorer.serving.headers import content_policy, security_headers
from solvers.errors import DataError


def directives(policy):
    return {part.split()[0]: part.split()[1:] for part in policy.split("; ")}


def test_nothing_is_loaded_from_elsewhere():
    for name, sources in directives(content_policy()).items():
        assert not [s for s in sources if "//" in s or "*" in s], name
    assert directives(content_policy())["frame-ancestors"] == ["'self'"]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("default-src", "'self'"),
        ("object-src", "'none'"),
        ("base-uri", "'self'"),  # neither falls back to default-src
        ("form-action", "'self'"),
    ],
)
def test_what_no_page_of_ours_needs_is_not_excepted(name, source):
    assert directives(content_policy())[name] == [source]


@pytest.mark.parametrize(
    "origin",
    ["https://school.org", "http://localhost:8888", "*.school.org", "school.org:*"],
)
def test_an_origin_may_embed_the_app(origin):
    found = directives(content_policy([origin]))
    assert found["frame-ancestors"] == ["'self'", origin]


@pytest.mark.parametrize(
    "origin", ["*", "https://a.org; script-src *", "javascript:x", "a b", "", "a.org\n"]
)
def test_what_is_no_origin_is_refused(origin):
    with pytest.raises(DataError, match="is no origin that may embed the app"):
        content_policy([origin])


def test_every_response_says_so_and_not_what_serves_it():
    headers = HTTPHeaders({"Server": "TornadoServer/6"})
    transform = security_headers()(None)
    status, sent, chunk = transform.transform_first_chunk(404, headers, b"no", True)
    assert (status, chunk) == (404, b"no")
    assert sent["Content-Security-Policy"] == content_policy()
    assert sent["Cross-Origin-Opener-Policy"] == "same-origin"
    assert sent["Referrer-Policy"] == "same-origin"
    assert sent["X-Content-Type-Options"] == "nosniff"
    assert "camera=()" in sent["Permissions-Policy"]
    assert "Server" not in sent
