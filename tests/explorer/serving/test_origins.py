"""Only the app's own sites, and those that may embed it, are given a session."""

import pytest

from explorer.serving.origins import Origins

HOST = "app.org:5006"
HOSTS = ["localhost:5006", "*.lab.org:80"]
ANCESTORS = ["https://school.org", "*.classes.org", "http://desk:8888", "any.org:*"]


@pytest.fixture
def origins():
    return Origins(HOSTS, ANCESTORS)


@pytest.mark.parametrize(
    "origin",
    [
        *("http://app.org:5006", "https://APP.org:5006", "http://localhost:5006"),
        *("http://a.lab.org", "https://school.org", "https://school.org:443"),
        *("http://a.b.classes.org", "https://a.classes.org", "http://desk:8888"),
        *("http://any.org:1", "https://any.org"),
    ],
)
def test_ours_and_those_that_may_embed_the_app(origins, origin):
    assert origins.include(origin, HOST)
    assert origins.may_read({"Origin": origin, "Sec-Fetch-Site": "cross-site"}, HOST)


@pytest.mark.parametrize(
    "origin",
    [
        *("http://evil.com", "null", "", "app.org:5006", "ftp://app.org:5006"),
        *(
            "http://school.org",
            "https://school.org:8443",
            "https://school.org:4430",
            "https://school.org.evil",
        ),
        *("https://evilschool.org", "https://schoolXorg", "http://classes.org"),
        *("http://evil.com/.classes.org", "http://evil.com#.classes.org"),
        *("http://desk", "https://desk:8888", "http://app.org:1", "http://any.org:x"),
        *("http://", "https://school.org\n", "https://x@school.org"),
    ],
)
def test_others_are_not(origins, origin):
    assert not origins.include(origin, HOST)
    headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
    assert not origins.may_read(headers, HOST)
    assert not origins.may_open(headers, HOST)


@pytest.mark.parametrize(
    ("site", "mode", "opens", "reads"),
    [
        ("none", "navigate", True, True),
        ("same-origin", "cors", True, True),
        ("cross-site", "navigate", True, False),  # a link that is followed
        ("cross-site", "no-cors", False, False),  # as a picture or a script
        ("same-site", "no-cors", False, False),
        (None, None, True, False),  # no browser, or one without TLS
    ],
)
def test_who_says_no_origin_is_told_by_how_a_browser_asks(
    origins, site, mode, opens, reads
):
    said = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
    headers = {name: value for name, value in said.items() if value}
    assert origins.may_open(headers, HOST) == opens
    assert origins.may_read(headers, HOST) == reads
