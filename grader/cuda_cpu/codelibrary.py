"""Libraries of LLVM code: functions wait until a launcher links them; only launchers become machine code."""

from __future__ import annotations

from typing import Any, Final

from grader.cuda_cpu.coroutines import inline_waiting_functions, split_ramp
from grader.cuda_cpu.numba_internals import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen, cgutils, llvm

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
