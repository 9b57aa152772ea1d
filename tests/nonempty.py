"""Lists that a test goes through: where nothing is in one, each of its assertions would hold."""


def some(found):
    """Return what there is as a list; fail if there is nothing."""
    listed = list(found)
    assert listed, "there is nothing to test"
    return listed
