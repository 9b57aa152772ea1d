"""Whether a GPU really works, and which: `python -I -m grader.worker.gpuprobe` prints it as JSON.

It compiles and launches a kernel and reads the result, because a device that answers queries may still run no kernel.
The kernel takes a maximum, which students write, and which not every CUDA target of Numba can compile. Numba is
imported only when a function of this module runs.
"""

import importlib
import json
import sys
from typing import Any

_THREADS = 64
_DEFAULT = 0  # the compute mode in which several processes may use a card: `cuDeviceGetAttribute` in NVIDIA's reference
_EXCLUSIVE = (
    "one process at a time may use this card (compute mode {}), and grading starts two: let the administrator run "
    "`nvidia-smi -c DEFAULT`, or ask for `srun --gpu_cmode=shared` where Slurm has that plugin"
)


class GpuError(Exception):
    """No kernel runs here; the text says why."""


def try_gpu() -> dict[str, str]:
    """Choose a GPU, run a kernel on it, and return its `name` and its `uuid`, as CUDA_VISIBLE_DEVICES takes it.

    Of several GPUs, it takes the one with the most free memory; CUDA_VISIBLE_DEVICES has limited the choice before.

    Raises:
        GpuError: no GPU works, or only one process may use it; the text is what the driver or Numba says.
    """
    try:
        cuda = importlib.import_module("numba.cuda")
        numbers = _find_shared(cuda)
        device = cuda.gpus[max(numbers, key=lambda number: _free_bytes(cuda, number) if len(numbers) > 1 else 0)]
        with device:
            run_kernel(cuda)
            used = cuda.get_current_device()
            name, uuid = used.name.decode() if isinstance(used.name, bytes) else str(used.name), str(used.uuid)
            # Numba begins each UUID with `GPU-`, but that of a MIG instance needs `MIG-`.
            return {"name": name, "uuid": uuid.replace("GPU-", "MIG-", 1) if " MIG " in name else uuid}
    except GpuError:
        raise
    except Exception as error:
        raise GpuError(_in_words(error)) from error


def run_kernel(cuda: Any) -> None:
    """Compile, launch and read back a kernel on the current GPU; `cuda` is `numba.cuda`.

    Raises:
        GpuError: the result is wrong. Other exceptions of Numba or the driver are not caught.
    """

    @cuda.jit  # type: ignore[untyped-decorator] # Numba has no types
    def larger(a: Any, b: Any, out: Any) -> None:
        i = cuda.grid(1)
        if i < out.size:
            out[i] = max(a[i], b[i])

    numpy = importlib.import_module("numpy")
    a = numpy.arange(_THREADS, dtype=numpy.float64)
    on_gpu = cuda.to_device(a)
    larger[1, _THREADS](on_gpu, cuda.to_device(a[::-1].copy()), on_gpu)
    cuda.synchronize()
    if not numpy.array_equal(on_gpu.copy_to_host(), numpy.maximum(a, a[::-1])):
        raise GpuError("a kernel ran, and its result is wrong")


def synchronise(device: str) -> None:
    """Wait until the GPU has done all that this process asked of it; return at once where no GPU runs kernels.

    It imports nothing, starts no driver and makes no context: a GPU that was never used has nothing to finish.

    Raises:
        CudaAPIError: Numba's, if a kernel has failed, such as by an illegal address: that is the student's fault.
    """
    cuda = sys.modules.get("numba.cuda")
    if device != "gpu" or cuda is None:
        return
    module: Any = sys.modules.get("numba.cuda.cudadrv.driver")
    noted: dict[int, Any] = getattr(getattr(module, "driver", None), "devices", {})
    for number in [number for number, device in noted.items() if device.primary_context is not None]:
        with cuda.gpus[number]:  # a context of another thread, or of a second GPU, counts as well
            cuda.synchronize()


def _find_shared(cuda: Any) -> list[int]:
    """Return the numbers of the GPUs that several processes may use; `GpuError` if there are others only."""
    modes = [int(getattr(cuda.gpus[number], "COMPUTE_MODE", _DEFAULT)) for number in range(len(cuda.gpus))]
    if modes and _DEFAULT not in modes:
        raise GpuError(_EXCLUSIVE.format(modes[0]))
    return [number for number, mode in enumerate(modes) if mode == _DEFAULT]


def _free_bytes(cuda: Any, number: int) -> int:
    with cuda.gpus[number]:
        return int(cuda.current_context().get_memory_info()[0])


def _in_words(error: Exception) -> str:
    text = " ".join(str(error).split())[:300]
    if "Signature mismatch" in text:
        return "Numba's own CUDA target cannot compile max() of two numbers: install numba-cuda"
    return f"{type(error).__name__}: {text}"


def main() -> None:
    """Print what was found; the exit code is 1 if nothing works."""
    try:
        sys.stdout.write(json.dumps(try_gpu()))
    except GpuError as error:
        sys.stdout.write(str(error))
        sys.exit(1)


if __name__ == "__main__":
    main()
