import re

import llvmlite.binding as llvm
import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from numba import cuda

from grader.cuda_cpu import codelibrary
from grader.cuda_cpu.codelibrary import ENTER, LEAVE, SUSPEND, inline_waiting_functions, split_ramp

RAMP = f"""
declare void @"{ENTER}"()
declare void @"{LEAVE}"()
declare void @"{SUSPEND}"()

define i32 @step(i32 %x) {{
entry:
  call void @"{SUSPEND}"()
  %y = add i32 %x, 1
  ret i32 %y
}}

define ptr @ramp(ptr %frame, ptr %out, ptr %frame_bytes) {{
entry:
  call void @"{ENTER}"()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @"{SUSPEND}"()
  %next = call i32 @step(i32 %i)
  store i32 %next, ptr %out
  %more = icmp slt i32 %next, 3
  br i1 %more, label %loop, label %done
done:
  call void @"{LEAVE}"()
  unreachable
}}
"""


def machine(triple=None):
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(triple or llvm.get_process_triple()).create_target_machine(opt=3)


def optimise(module, target_machine):
    builder = llvm.create_pass_builder(target_machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)


def test_a_ramp_becomes_a_coroutine_with_a_resume_function():
    module = llvm.parse_assembly(RAMP)
    assert SUSPEND in {function.name for function in module.functions}
    target_machine = machine()
    builder = llvm.create_pass_builder(target_machine, llvm.create_pipeline_tuning_options())
    inline_waiting_functions(module, "ramp", builder)
    split = split_ramp(module, "ramp")
    optimise(split, target_machine)
    assert {"ramp", "ramp.resume"} <= {function.name for function in split.functions if not function.is_declaration}
    assert SUSPEND not in "".join(str(f) for f in split.functions if f.name.startswith("ramp"))


def test_a_function_that_waits_and_calls_itself_is_refused():
    @cuda.jit("int64(int64)", device=True)
    def wait(n):
        cuda.syncthreads()
        if n > 0:
            return wait(n - 1)
        return n

    with pytest.raises(NotImplementedError, match="calls itself cannot contain a barrier"):
        kernel_of("out", "out[0] = wait(3)", names={"wait": wait})[1, 1](np.zeros(1))


@pytest.mark.parametrize("triple", ["aarch64-unknown-linux-gnu", "arm64-apple-darwin"])
def test_kernels_with_barriers_compile_for_other_processors(monkeypatch, triple):
    texts = []

    def keep(module, ramp):
        split = split_ramp(module, ramp)
        texts.append(str(split))
        return split

    @cuda.jit(coroutines=True)
    def kernel(out):
        i = cuda.threadIdx.x
        total = 0
        for k in range(3):
            cuda.syncthreads()
            total += k * i
        out[i] = total

    monkeypatch.setattr(codelibrary, "split_ramp", keep)
    kernel[1, 4](np.zeros(4))
    target_machine = machine(triple)
    text = re.sub(r'target triple = ".*"', f'target triple = "{triple}"', texts[0])
    text = re.sub(r'target datalayout = ".*"\n', "", text)
    module = llvm.parse_assembly(text)
    module.data_layout = str(target_machine.target_data)
    optimise(module, target_machine)
    assert re.search(r"ramp\.resume", target_machine.emit_assembly(module))
