"""Libraries of LLVM code: functions wait until a launcher links them; only launchers become machine code."""

from __future__ import annotations

from typing import Any, Final

from grader.cuda_cpu import faults
from grader.cuda_cpu.coroutines import inline_waiting_functions, split_ramp
from grader.cuda_cpu.faults import emit_nameless_fault
from grader.cuda_cpu.numba_internals import (
    CPUCodeLibrary,
    JITCodeLibrary,
    JITCPUCodegen,
    MinimalCallConv,
    cgutils,
    errors,
    ir,
    llvm,
)
from grader.cuda_cpu.records import I8P, STATE_ARGUMENT, state_of

_PLAIN: Final = {"opt": 0, "loop_vectorize": False, "slp_vectorize": False}


class DeviceLibrary(CPUCodeLibrary):
    """Code that is only ever linked into a kernel's launcher: optimised and turned into machine code there, once."""

    def _optimize_final_module(self) -> None:
        """Leave optimisation to the launcher's library."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class LauncherLibrary(JITCodeLibrary):
    """A kernel with the loops around it: optimised as one program and turned into machine code.

    Everything but the launcher becomes internal: the optimiser may then fold it into the loops, and two launchers that
    link the same device function never clash.
    """

    is_ramp: bool = False
    plain: bool = False
    """Whether to turn it into machine code as it is: what spends its time in calls gains nothing by optimising."""
    _final_module: Any

    def _require_symbols(self, module: Any) -> None:
        """Refuse unknown functions here: LLVM would end the process.

        Raises:
            NotImplementedError: naming the function.
        """
        for function in module.functions:
            known = function.name.startswith(("llvm.", "cuda_cpu.")) or llvm.address_of_symbol(function.name)
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
        splitter, plain_builder = self._codegen._module_pass_manager(**_PLAIN)  # noqa: SLF001  # numba's own protocol
        if self.is_ramp:
            inline_waiting_functions(module, self.name, plain_builder)
            module = self._final_module = split_ramp(module, self.name)
        if self.is_ramp or self.plain:
            splitter.run(module, plain_builder)
        if not self.plain:
            manager, builder = self._codegen._module_pass_manager()  # noqa: SLF001  # as above
            manager.run(module, builder)


class ThreadCodegen(JITCPUCodegen):
    """Makes libraries for this machine's processor."""

    _library_class = DeviceLibrary

    def insert_unresolved_ref(self, builder: Any, fnty: Any, name: str) -> Any:
        """Return a function that is still being compiled; the launcher's library links it."""
        return cgutils.get_or_insert_function(builder.module, fnty, name)

    def create_launcher_library(self, name: str) -> LauncherLibrary:
        """Return an empty library whose functions become machine code when it is finalised."""
        return LauncherLibrary(self, name)


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
