"""How compiled functions call each other: with the record of the running thread as a hidden argument."""

from __future__ import annotations

from typing import Any

from grader.cuda_cpu import faults
from grader.cuda_cpu.bounds import emit_nameless_fault
from grader.cuda_cpu.numba_internals import MinimalCallConv, cgutils, errors, ir
from grader.cuda_cpu.records import I8P
from grader.cuda_cpu.threadstate import STATE_ARGUMENT, state_of


class _ExceptionNumbers:
    """Numbers `raise` statements for the calling convention; shared by all functions, so that codes never clash."""

    def _add_exception(self, exc: Any, exc_args: Any, locinfo: Any) -> int:
        return faults.register_exception(exc, exc_args, locinfo)


class ThreadCallConv(MinimalCallConv):
    """Calling convention ``status f(result*, thread record*, arguments...)``."""

    def _make_call_helper(self, builder: Any) -> _ExceptionNumbers:
        return _ExceptionNumbers()

    def return_user_exc(
        self, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: Any = None
    ) -> None:
        """Return the number of this exception, with the line that is being compiled where the caller names none.

        An `IndexError` without a line comes from Numba's own bounds check of slices, not from a ``raise`` statement.
        """
        place = loc if loc is not None else getattr(self.context, "current_loc", None)
        if exc is IndexError and loc is None and place is not None:
            emit_nameless_fault(self.context, builder)
            return
        super().return_user_exc(builder, exc, exc_args, place, func_name)

    def return_dynamic_user_exc(self, *args: Any, **kws: Any) -> None:
        """Refuse an exception whose arguments are computed in the kernel.

        Raises:
            UnsupportedError: always.
        """
        raise errors.UnsupportedError(
            "CUDA kernels raise exceptions with constant arguments only: remove the computed argument"
        )

    def get_function_type(self, restype: Any, argtypes: Any) -> Any:
        """Return the LLVM type of a function with this convention."""
        arguments = list(self._get_arg_packer(argtypes).argument_types)
        return ir.FunctionType(ir.IntType(32), [self.get_return_type(restype), I8P, *arguments])

    def decorate_function(self, fn: Any, args: Any, fe_argtypes: Any, noalias: bool = False) -> None:
        """Name the arguments; the hidden one is found again by its name."""
        packer = self._get_arg_packer(fe_argtypes)
        packer.assign_names(self.get_arguments(fn), ["arg." + a for a in args])
        fn.args[0].name = ".ret"
        fn.args[1].name = STATE_ARGUMENT

    def get_arguments(self, func: Any) -> Any:
        """Return the arguments that the Python function knows about."""
        return func.args[2:]

    def call_function(self, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any, state: Any = None) -> Any:
        """Call a compiled function for the running thread, or for the thread ``state`` where the caller is none."""
        kind = callee.args[0].type.pointee
        result = cgutils.alloca_once(builder, kind)
        builder.store(cgutils.get_null_value(kind), result)
        packed = self._get_arg_packer(argtys).as_arguments(builder, args)
        code = builder.call(callee, [result, state or state_of(builder), *packed])
        value = self.context.get_returned_value(builder, resty, builder.load(result))
        return self._get_return_status(builder, code), value
