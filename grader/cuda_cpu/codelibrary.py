"""Libraries of LLVM code, of which only launchers become machine code; and coroutines, for threads that wait.

A compiled function stays LLVM code until a launcher links it. A thread that reaches a barrier has to stop in the middle
of the kernel until the others arrive. LLVM's coroutine passes turn the kernel into a ramp (from the start to the first
barrier) and a resume function (from one barrier to the next). Values that must survive a barrier lie in a frame whose
size LLVM knows. So a waiting thread costs a frame of some hundred bytes instead of a stack, a switch costs an indirect
call, and nothing depends on the processor's architecture.

llvmlite's builder has no token type, so the coroutine intrinsics are inserted as text: the code calls placeholder
functions, each function that calls one is inlined into the ramp, then `split_ramp` replaces the placeholders.
"""

import re
from types import SimpleNamespace
from typing import Any, Final

from grader.cuda_cpu import faults
from grader.cuda_cpu import numba_internals as nb
from grader.cuda_cpu.faults import emit_nameless_fault
from grader.cuda_cpu.records import I8P, STATE_ARGUMENT, state_of

SUSPEND: Final = "cuda_cpu.suspend"
GRID_SUSPEND: Final = "cuda_cpu.suspend_grid"
WARP_SUSPEND: Final = "cuda_cpu.suspend_warp"
ENTER: Final = "cuda_cpu.enter"
LEAVE: Final = "cuda_cpu.leave"

WAITS: Final = frozenset({SUSPEND, GRID_SUSPEND, WARP_SUSPEND})
_LLVM_WITH_VOID_END: Final = 22
_END: Final = "void" if nb.llvm.llvm_version_info[0] >= _LLVM_WITH_VOID_END else "i1"
_ALL: Final = f"{GRID_SUSPEND}|{WARP_SUSPEND}|{SUSPEND}|{ENTER}|{LEAVE}"
_PLACEHOLDER: Final = re.compile(rf'\s*(?:tail |notail |musttail )?call void @"?({_ALL})"?\(\).*')
_CALLEE: Final = re.compile(r'^ .*?\b(?:call|invoke)\b[^@\n]*@"?([^"(\s]+)', re.MULTILINE)
_LABEL: Final = re.compile(r'^("[^"]+"|[-$.\w]+):')
_INCOMING: Final = re.compile(r', %("[^"]+"|[-$.\w]+) \]')
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
    builder.call(module.globals.get(name) or nb.ir.Function(module, nb.ir.FunctionType(nb.ir.VoidType(), []), name), [])


def _call_graph(module: Any) -> dict[str, set[str]]:
    """Return the names that each defined function of a module calls."""
    functions = [function for function in module.functions if not function.is_declaration]
    return {function.name: set(_CALLEE.findall(str(function))) for function in functions}


def inline_waiting_functions(module: Any, ramp: str, pass_builder: Any) -> None:
    """Inline every function that can wait into the ramp.

    Raises:
        NotImplementedError: when a function that waits calls itself.
    """
    calls = _call_graph(module)
    waiting = set(WAITS)
    while more := {name for name, called in calls.items() if called & waiting} - waiting:
        waiting |= more
    for name in waiting - WAITS - {ramp}:
        module.get_function(name).add_function_attribute("alwaysinline")
    manager = nb.llvm.create_new_module_pass_manager()
    manager.add_always_inliner_pass()
    manager.run(module, pass_builder)
    calls = _call_graph(module)
    left = {name for name, called in calls.items() if WAITS & called} - {ramp}
    if left & _reachable(calls, ramp):
        raise NotImplementedError(
            "a device function that calls itself cannot contain a barrier: move the barrier into the kernel"
        )


def _reachable(calls: dict[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    front = {start}
    while front:
        reached |= front
        front = {callee for name in front for callee in calls.get(name, ())} - reached
    return reached


def _split_body(lines: list[str]) -> list[str]:
    """Replace the placeholders of one function and mend the phi nodes that name a block which was cut in two."""
    call = "call void" if _END == "void" else "%cc.end = call i1"
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
        if kind in WAITS:
            written.append(_SUSPEND_TEXT.format(n=count))
            renamed[label] = f"cc.go{count}"
            count += 1
        elif kind == ENTER:
            written.append(_ENTER_TEXT)
            renamed[label] = "cc.begin"
        else:
            written.append(_LEAVE_TEXT.format(call=call))

    def rename(match: re.Match[str]) -> str:
        return f", %{renamed.get(match.group(1), match.group(1))} ]"

    return [_INCOMING.sub(rename, line) if " = phi " in line else line for line in written]


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
    whole = text[: head.start()] + opening + body + text[tail:] + _DECLARATIONS.format(end=_END)
    parsed = nb.llvm.parse_assembly(whole)
    parsed.verify()
    return parsed


class DeviceLibrary(nb.CPUCodeLibrary):
    """Code that is only ever linked into a kernel's launcher: optimised and turned into machine code there, once."""

    def _optimize_final_module(self) -> None:
        """Leave optimisation to the launcher's library."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class LauncherLibrary(nb.JITCodeLibrary):
    """A kernel with the loops around it: optimised as one program and turned into machine code.

    Everything but the launcher becomes internal: the optimiser may then fold it into the loops, and two launchers that
    link the same device function never clash.
    """

    is_ramp: bool = False
    level: int = 3
    _final_module: Any

    def _require_symbols(self, module: Any) -> None:
        """Refuse unknown functions here, by name: LLVM would end the process."""
        for function in module.functions:
            known = function.name.startswith(("llvm.", "cuda_cpu.")) or nb.llvm.address_of_symbol(function.name)
            if function.is_declaration and not known:
                raise NotImplementedError(f"the kernel needs {function.name}, which this machine does not have")

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave all optimisation to the final module."""
        ll_module.data_layout = self._codegen._data_layout  # noqa: SLF001  # numba's own protocol

    def _optimize_final_module(self) -> None:
        module = self._final_module
        self._require_symbols(module)
        for value in (*module.functions, *module.global_variables):
            if (
                not value.is_declaration
                and value.name != self.name
                and not value.name.startswith(("llvm.", "_ZN08NumbaEnv"))
            ):
                value.linkage = "internal"
        passes = self._codegen._module_pass_manager  # noqa: SLF001  # numba's own protocol
        splitter, plain_builder = passes(opt=0, loop_vectorize=False, slp_vectorize=False)
        if self.is_ramp:
            inline_waiting_functions(module, self.name, plain_builder)
            module = self._final_module = split_ramp(module, self.name)
        if self.is_ramp or not self.level:
            splitter.run(module, plain_builder)
        if self.level:
            manager, builder = passes(opt=self.level)
            manager.run(module, builder)


class ThreadCodegen(nb.JITCPUCodegen):
    """Makes libraries for this machine's processor."""

    _library_class = DeviceLibrary

    def insert_unresolved_ref(self, builder: Any, fnty: Any, name: str) -> Any:
        """Return a function that is still being compiled; the launcher's library links it."""
        return nb.cgutils.get_or_insert_function(builder.module, fnty, name)


class ThreadCallConv(nb.MinimalCallConv):
    """Calling convention ``status f(result*, thread record*, arguments...)``."""

    def _make_call_helper(self, builder: Any) -> Any:
        """Return the object that numbers `raise` statements; all functions share its numbers, so that none clash."""
        return SimpleNamespace(_add_exception=faults.register_exception)

    def return_user_exc(
        self, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: Any = None
    ) -> None:
        """Emit the return of this exception's number; without `loc`, its place is the line that is being compiled.

        An `IndexError` without a line comes from Numba's own bounds check of slices, not from a ``raise`` statement.
        """
        place = loc if loc is not None else getattr(self.context, "current_loc", None)
        if exc is IndexError and loc is None and place is not None:
            emit_nameless_fault(self.context, builder)
            return
        super().return_user_exc(builder, exc, exc_args, place, func_name)

    def return_dynamic_user_exc(self, *args: Any, **kws: Any) -> None:
        """Refuse an exception whose arguments are computed in the kernel."""
        raise nb.errors.UnsupportedError(
            "CUDA kernels raise exceptions with constant arguments only: remove the computed argument"
        )

    def get_function_type(self, restype: Any, argtypes: Any) -> Any:
        """Return the LLVM type of a function with this convention."""
        arguments = list(self._get_arg_packer(argtypes).argument_types)
        return nb.ir.FunctionType(nb.ir.IntType(32), [self.get_return_type(restype), I8P, *arguments])

    def decorate_function(self, fn: Any, args: Any, fe_argtypes: Any, noalias: bool = False) -> None:
        """Name the arguments; `records.state_of` finds the hidden one by its name."""
        self._get_arg_packer(fe_argtypes).assign_names(self.get_arguments(fn), ["arg." + a for a in args])
        fn.args[0].name = ".ret"
        fn.args[1].name = STATE_ARGUMENT

    def get_arguments(self, func: Any) -> Any:
        """Return the arguments that the Python function knows about."""
        return func.args[2:]

    def call_function(self, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any, state: Any = None) -> Any:
        """Call a compiled function for the running thread; ``state`` is its record if the caller has no thread."""
        kind = callee.args[0].type.pointee
        result = nb.cgutils.alloca_once(builder, kind)
        builder.store(nb.cgutils.get_null_value(kind), result)
        packed = self._get_arg_packer(argtys).as_arguments(builder, args)
        code = builder.call(callee, [result, state or state_of(builder), *packed])
        value = self.context.get_returned_value(builder, resty, builder.load(result))
        return self._get_return_status(builder, code), value
