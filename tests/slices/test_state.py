"""Counters and logs are found by reading; what a function may use later is neither."""

import ast
import textwrap

from rows import each

from grader.slices.state import find_state

LOGS = {
    "a list": "LOG.append(clock())",
    "an entry": "LOG['f'] = clock()",
    "seconds that are summed up": "LOG['f'] = LOG.get('f', 0) + clock() - start",
    "an entry that is summed up": "LOG[name] = 0.5 * LOG[name] + clock()",
    "calls that are counted": "LOG['f'] += 1",
    "a list for each name": "LOG.setdefault('f', []).append(clock())",
    "a set for each name": "LOG['f'].add(x.shape)",
}
USED = {
    "returned": "return LOG[0]",
    "handed on": "keep(LOG)",
    "handed on while it is written": "LOG.append(keep(LOG))",
    "an entry handed on": "LOG['f'] = keep(LOG.get('f'))",
    "an argument of what it calls": "LOG['f'] = LOG.get(keep(LOG), 0)",
    "under another name": "memory = LOG",
    "kept beside it": "LOG['f'] = memory = LOG['g']",
    "kept by a walrus": "LOG['f'] = (memory := LOG['g'])",
    "as an attribute of its module": "return sample.LOG",
    "imported from its module": "from sample import LOG as memory",
    "by a pattern": "match sample:\n    case object(LOG=memory):\n        return memory",
    "by a text": "return '{0.LOG}'.format(sample)",
    "in a text": "return f'{LOG}'",
    "a condition": "if 'f' in LOG:\n    return 0",
    "a loop": "for x in LOG:\n    return x",
    "a slice of what it holds": "LOG['f'][:] = LOG['g']",
    "added to what it holds": "LOG['f'] += LOG['g']",
    "taken out": "x = LOG.pop()",
    "a default": "def g(memory=LOG):\n    return memory",
}


def logs(body, before=""):
    text = f"{before}\nLOG = {{}}\n\n\ndef f(x):\n{textwrap.indent(body, '    ')}\n"
    return find_state(ast.parse(text).body).logs


@each("body", LOGS)
def test_what_is_only_written_into_is_a_log(body):
    assert logs(body) == ("LOG",)


@each("body", USED)
def test_what_is_read_is_none(body):
    assert logs(f"LOG['a'] = x\n{body}") == ()


def test_operators_of_the_hand_in_may_read_what_they_are_added_to():
    own = "class Own:\n    def __{}__(self, other):\n        return other\n"
    body = "LOG['f'] = LOG.get('f') + Own()"
    assert logs(body, own.format("enter")) == ("LOG",)
    assert logs(body, own.format("radd")) == ()


def test_counters_are_bound_outside_or_set_as_attributes():
    text = """
    def f(x):
        global COUNT
        COUNT += 1
        f.calls += 1

        def g():
            nonlocal x
            x = 1
            local = 2
    """
    assert find_state(ast.parse(textwrap.dedent(text)).body).counters == ("COUNT", "calls", "x")
