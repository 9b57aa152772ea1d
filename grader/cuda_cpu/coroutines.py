"""Threads that wait: kernels with barriers become LLVM coroutines.

A thread that reaches a barrier has to stop in the middle of the kernel until the others arrive. LLVM's coroutine passes
turn the kernel into a ramp (from the start to the first barrier) and a resume function (from one barrier to the next);
what must survive a barrier lies in a frame whose size LLVM knows. So a waiting thread costs a frame of some hundred
bytes instead of a stack, a switch costs an indirect call, and nothing depends on the processor's architecture.

llvmlite's builder has no token type, so the coroutine intrinsics are put in as text: code is generated with calls of
placeholder functions, everything that contains one is inlined into the ramp, then `split_ramp` replaces them.
"""

from __future__ import annotations

import re
from typing import Any, Final

from grader.cuda_cpu.numba_internals import ir, llvm

SUSPEND: Final = "cuda_cpu.suspend"
GRID_SUSPEND: Final = "cuda_cpu.suspend_grid"
WARP_SUSPEND: Final = "cuda_cpu.suspend_warp"
ENTER: Final = "cuda_cpu.enter"
LEAVE: Final = "cuda_cpu.leave"

_WAITS: Final = {SUSPEND, GRID_SUSPEND, WARP_SUSPEND}
_LLVM_WITH_VOID_END: Final = 22
_ALL: Final = f"{GRID_SUSPEND}|{WARP_SUSPEND}|{SUSPEND}|{ENTER}|{LEAVE}"
_PLACEHOLDER: Final = re.compile(rf'\s*(?:tail |notail |musttail )?call void @"?({_ALL})"?\(\).*')
_CALLEE: Final = re.compile(r'^ .*?\b(?:call|invoke)\b[^@\n]*@"?([^"(\s]+)', re.MULTILINE)
_LABEL: Final = re.compile(r'^("[^"]+"|[-$.\w]+):')
_DECLARATIONS: Final = """
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare i64 @llvm.coro.size.i64()
declare ptr @llvm.coro.begin(token, ptr)
declare i8 @llvm.coro.suspend(token, i1)
declare {end} @llvm.coro.end(ptr, i1, token)
"""
_ENTER_TEXT: Final = """\
  %cc.id = call token @llvm.coro.id(i32 16, ptr null, ptr null, ptr null)
  %cc.size = call i64 @llvm.coro.size.i64()
  %cc.query = icmp eq ptr %frame, null
  br i1 %cc.query, label %cc.answer, label %cc.begin
cc.answer:
  store i64 %cc.size, ptr %frame_bytes
  ret ptr null
cc.begin:
  %cc.handle = call ptr @llvm.coro.begin(token %cc.id, ptr %frame)"""
_LEAVE_TEXT: Final = """\
  br label %cc.stop
cc.stop:
  {call} @llvm.coro.end(ptr %cc.handle, i1 false, token none)
  ret ptr %cc.handle
cc.never:"""
_SUSPEND_TEXT: Final = """\
  %cc.state{n} = call i8 @llvm.coro.suspend(token none, i1 false)
  switch i8 %cc.state{n}, label %cc.stop [ i8 0, label %cc.go{n}
                                           i8 1, label %cc.stop ]
cc.go{n}:"""


def emit_placeholder(builder: Any, name: str) -> None:
    """Emit the call of a placeholder: a kind of `SUSPEND`, `ENTER` or `LEAVE`."""
    module = builder.module
    kind = ir.FunctionType(ir.VoidType(), [])
    builder.call(module.globals.get(name) or ir.Function(module, kind, name), [])


def _call_graph(module: Any) -> dict[str, set[str]]:
    """Return the names that each defined function of a module calls."""
    functions = [function for function in module.functions if not function.is_declaration]
    return {function.name: set(_CALLEE.findall(str(function))) for function in functions}


def contains_call(module: Any, placeholder: str) -> bool:
    """Return whether any function of a parsed LLVM module calls a placeholder."""
    return any(function.name == placeholder for function in module.functions)


def inline_waiting_functions(module: Any, ramp: str, pass_builder: Any) -> None:
    """Inline every function that can wait into the ramp.

    Raises:
        NotImplementedError: when a function that waits calls itself.
    """
    calls = _call_graph(module)
    waiting = set(_WAITS)
    while more := {name for name, called in calls.items() if called & waiting} - waiting:
        waiting |= more
    for name in waiting - _WAITS - {ramp}:
        module.get_function(name).add_function_attribute("alwaysinline")
    manager = llvm.create_new_module_pass_manager()
    manager.add_always_inliner_pass()
    manager.run(module, pass_builder)
    calls = _call_graph(module)
    left = {name for name, called in calls.items() if _WAITS & called} - {ramp}
    if left & _reachable(calls, ramp):
        raise NotImplementedError(
            "a device function that calls itself cannot contain a barrier: move the barrier into the kernel"
        )


def _reachable(calls: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    front = {start}
    while front:
        found |= front
        front = {callee for name in front for callee in calls.get(name, ())} - found
    return found


def _split_body(lines: list[str]) -> list[str]:
    """Replace the placeholders of one function and mend the phi nodes that name a block which was cut in two."""
    end = "void" if llvm.llvm_version_info[0] >= _LLVM_WITH_VOID_END else "i1"
    call = "call void" if end == "void" else "%cc.end = call i1"
    written: list[str] = []
    renamed: dict[str, str] = {}
    label, count = "entry", 0
    for line in lines:
        if match := _LABEL.match(line):
            label = match.group(1)
        placeholder = _PLACEHOLDER.fullmatch(line)
        if not placeholder:
            written.append(line)
            continue
        kind = placeholder.group(1)
        if kind in _WAITS:
            written.append(_SUSPEND_TEXT.format(n=count))
            renamed[label] = f"cc.go{count}"
            count += 1
        elif kind == ENTER:
            written.append(_ENTER_TEXT)
            renamed[label] = "cc.begin"
        else:
            written.append(_LEAVE_TEXT.format(call=call))
    return [_rename_incoming(line, renamed) for line in written]


def _rename_incoming(line: str, renamed: dict[str, str]) -> str:
    if " = phi " not in line:
        return line
    return re.sub(
        r', %("[^"]+"|[-$.\w]+) \]', lambda match: f", %{renamed.get(match.group(1), match.group(1))} ]", line
    )


def split_ramp(module: Any, ramp: str) -> Any:
    """Return the module with the ramp turned into a coroutine, ready for LLVM's pipeline.

    Args:
        module: a parsed module in which only the ramp contains placeholders.
        ramp: the name of a function ``ptr (ptr %frame, ..., ptr %frame_bytes)`` that calls `ENTER` first and `LEAVE`
            last. Called with a null frame it writes the size of the frame it needs.
    """
    text = str(module)
    head = re.search(rf'^define [^\n]*@"?{re.escape(ramp)}"?\([^\n]*\{{$', text, re.MULTILINE)
    assert head is not None, ramp
    tail = text.index("\n}", head.end())
    body = "\n".join(_split_body(text[head.end() : tail].split("\n")))
    opening = re.sub(r"( !dbg ![0-9]+)? \{$", r" presplitcoroutine noinline\1 {", head.group(0))
    end = "void" if llvm.llvm_version_info[0] >= _LLVM_WITH_VOID_END else "i1"
    whole = text[: head.start()] + opening + body + text[tail:] + _DECLARATIONS.format(end=end)
    parsed = llvm.parse_assembly(whole)
    parsed.verify()
    return parsed
