"""What connections hold is bounded, each and together."""

from explorer.serving.held import HeldBytes


class Connection:
    """Remembers why it was ended."""

    reason = ""

    def drop(self, reason):
        self.reason = reason


def test_who_holds_more_than_one_may_goes():
    held, one, other = HeldBytes(10, 100), Connection(), Connection()
    held.hold(one, 10)
    held.hold(other, 11)
    assert not one.reason
    assert "10 bytes" in other.reason


def test_where_all_is_used_up_who_holds_most_goes_whoever_came_last():
    held = HeldBytes(10, 25)
    large, small, last = Connection(), Connection(), Connection()
    held.hold(large, 10)
    held.hold(small, 9)
    held.hold(last, 8)
    assert large.reason
    assert not small.reason
    assert not last.reason


def test_what_was_let_go_of_is_there_for_others():
    held, one, other = HeldBytes(10, 10), Connection(), Connection()
    held.hold(one, 10)
    held.hold(one, 0)
    held.hold(one, 0)
    held.hold(other, 10)
    assert not one.reason
    assert not other.reason
