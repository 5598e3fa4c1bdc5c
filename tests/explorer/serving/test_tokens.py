"""A token is ours where it was signed with our secret, and anything else is not."""

import base64
from types import SimpleNamespace

import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id

from explorer.serving.tokens import is_ours, offered_token

SECRET = b"a secret of thirty-two characters"
OURS = SimpleNamespace(secret_key=SECRET, sign_sessions=True)


def token(secret):
    session = generate_session_id(secret_key=secret, signed=True)
    return generate_jwt_token(session, secret_key=secret, signed=True)


def test_what_was_signed_here_is_ours():
    assert is_ours(token(SECRET), OURS)


# Named, as what is signed holds the time: workers must find tests of the same names.
NOT_OURS = {
    "signed with another secret": token(b"another secret of thirty-two chars"),
    "not signed": generate_jwt_token("chosen", signed=False),
    "without its signature": token(SECRET).partition(".")[0],
    "nothing": "",
    "no base 64": "é.é",
    "no JSON": "AAAA.AAAA",
    "nested": base64.b64encode(b"[" * 30_000).decode() + ".signed",
}


@pytest.mark.parametrize("text", NOT_OURS.values(), ids=NOT_OURS)
def test_anything_else_is_not(text):
    assert not is_ours(text, OURS)


def test_the_token_is_the_last_of_the_protocols():
    assert offered_token("bokeh, abc.def") == "abc.def"
    assert offered_token("") == ""
