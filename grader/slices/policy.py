"""What a slice may contain. Students may also use what is not allowed here; then a TA reads their code.

RestrictedPython enforces such a policy by rewriting the code. Here the code that runs must be the code that was handed
in, because Numba compiles it and a clock times it. So two mechanisms enforce the policy: reading the text (this
package), and modules that hold the allowed names only (`grader.worker.sliced.facade`).
"""

import ast
import builtins
import cmath
import collections
import importlib
import itertools
import math
import operator
import re
from functools import cache
from types import ModuleType


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


def table(text: str) -> dict[str, frozenset[str]]:
    """Return module -> its names; in the text they follow the module and a colon, on further lines indented more."""
    _, *entries = re.split(r"^ {4}(\S+):", text, flags=re.MULTILINE)
    return {module: words(names) for module, names in zip(entries[::2], entries[1::2], strict=True)}


BUILTINS = words("""
    abs all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate filter float format frozenset
    hash hex id int type isinstance issubclass iter len list map max memoryview min next object oct ord pow print range
    repr reversed round set slice sorted str sum super tuple zip property staticmethod classmethod NotImplemented
    Ellipsis __name__ __debug__ __doc__ hasattr getattr setattr
""") | {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException) and name != "BaseExceptionGroup"
}
"""Built-in names: none of them runs a text, opens a file, or reaches an attribute by a computed name.

Only `getattr` and `setattr` do the last, within the limits of `freezing.of_own`.
`bytes` and the like may be named and not called: their methods read the memory of arrays unobserved.
"""

_PUBLIC: dict[str, ModuleType] = {"math": math, "cmath": cmath, "itertools": itertools, "collections": collections}
_NUMBAS_ERRORS = words("""
    NumbaDebugInfoWarning NumbaDeprecationWarning NumbaError NumbaExperimentalFeatureWarning NumbaIndexError
    NumbaParallelSafetyWarning NumbaPendingDeprecationWarning NumbaPerformanceWarning NumbaRuntimeError NumbaTypeError
    NumbaTypeSafetyWarning NumbaValueError NumbaWarning TypingError
""")
_LISTED = table("""
    __future__: annotations division print_function
    abc: ABC ABCMeta abstractmethod
    bisect: bisect bisect_left bisect_right insort insort_left insort_right
    builtins: abs all any bool complex dict divmod enumerate filter float int len list map max min pow print range
        reversed round set sorted str sum tuple zip
    collections.abc: Callable Collection Container Generator Hashable Iterable Iterator Mapping MutableMapping
        MutableSequence Reversible Sequence Set Sized ItemsView KeysView MutableSet ValuesView
    contextlib: contextmanager nullcontext suppress closing AbstractContextManager ContextDecorator ExitStack
    copy: copy deepcopy
    dataclasses: dataclass field fields is_dataclass astuple asdict replace FrozenInstanceError KW_ONLY InitVar
    datetime: date datetime time timedelta
    decimal: Decimal
    enum: Enum IntEnum Flag IntFlag auto unique StrEnum member nonmember
    fractions: Fraction
    functools: cache cached_property lru_cache partial reduce total_ordering wraps cmp_to_key update_wrapper
        singledispatch partialmethod
    gc: collect disable enable
    heapq: heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest
    logging: CRITICAL DEBUG ERROR FileHandler Formatter INFO Logger NOTSET NullHandler StreamHandler WARN WARNING
        basicConfig critical debug disable error exception getLogger info log warn warning
    mpi4py: MPI
    mpi4py.MPI: SUM PROD MAX MIN LAND LOR LXOR BAND BOR BXOR MAXLOC MINLOC IN_PLACE ANY_SOURCE ANY_TAG PROC_NULL ROOT
        UNDEFINED SUCCESS IDENT CONGRUENT SIMILAR UNEQUAL COMM_TYPE_SHARED COMM_NULL REQUEST_NULL Comm Intracomm
        Cartcomm Request Prequest Message Status Datatype Op Exception Wtime Wtick Get_processor_name Get_version
        Get_library_version Is_initialized Is_finalized Compute_dims VERSION SUBVERSION BYTE CHAR BOOL C_BOOL CXX_BOOL
        SHORT INT LONG LONG_LONG UNSIGNED_CHAR UNSIGNED_SHORT UNSIGNED UNSIGNED_LONG UNSIGNED_LONG_LONG INT8_T INT16_T
        INT32_T INT64_T UINT8_T UINT16_T UINT32_T UINT64_T FLOAT DOUBLE LONG_DOUBLE FLOAT32_T FLOAT64_T COMPLEX
        DOUBLE_COMPLEX C_COMPLEX C_FLOAT_COMPLEX C_DOUBLE_COMPLEX REAL DOUBLE_PRECISION INTEGER DOUBLE_INT FLOAT_INT
        INT_INT LONG_INT
    numba: boolean byte bool_ c16 c8 complex128 complex64 cuda double f4 f8 float32 float64 float_ guvectorize i1 i2 i4
        i8 int16 int32 int64 int8 int_ intc intp jit long_ longlong njit prange pndindex short single typed types u1 u2
        u4 u8 uchar uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong ushort vectorize void get_num_threads
        set_num_threads get_thread_id literal_unroll optional threading_layer config b1 char from_dtype typeof
    numba.cuda: In InOut Out activemask atomic blockDim blockIdx cbrt close const current_context defer_cleanup detect
        device_array device_array_like devicearray event event_elapsed_time external_stream ffs fma get_current_device
        gpus grid gridDim gridsize is_available jit laneid lanemask_lt libdevice list_devices local managed_array mapped
        mapped_array mapped_array_like nanosleep pinned pinned_array pinned_array_like popc clz brev
        per_thread_default_stream default_stream legacy_default_stream profile_start profile_stop profiling reduce
        Reduce select_device selp shared shfl_down_sync shfl_sync shfl_up_sync shfl_xor_sync stream synchronize
        syncthreads syncthreads_and syncthreads_count syncthreads_or syncwarp threadIdx threadfence threadfence_block
        threadfence_system to_device vote_sync_all all_sync any_sync ballot_sync eq_sync match_all_sync match_any_sync
        warpsize fp16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 float16 cg cudadrv types
        is_cuda_array is_float16_supported as_cuda_array runtime get_supported_ccs float32x2 float32x3 float32x4
        float64x2 float64x3 float64x4 int32x2 int32x3 int32x4 int64x2 uint32x2 uint32x4 float2 float4 double2 double4
        int2 int4 uint2 uint4 long2 longlong2
    numba.cuda.cudadrv: devicearray driver error
    numba.cuda.cudadrv.devicearray: DeviceNDArray
    numba.cuda.cudadrv.driver: CudaAPIError
    numba.cuda.cudadrv.error: CudaSupportError
    numba.extending: register_jitable
    numba.typed: List Dict
    numba.types: Array boolean bool_ complex128 complex64 double float16 float32 float64 int16 int32 int64 int8 intp
        uint16 uint32 uint64 uint8 uintp void Tuple UniTuple ListType DictType Optional none f4 f8 i4 i8 u1 u4 u8 string
        unicode_type int_ float_ uint intc
    numba.core: errors types
    numba.np: numpy_support
    numba.np.numpy_support: from_dtype
    numbers: Complex Integral Number Rational Real
    numpy.typing: ArrayLike DTypeLike NDArray
    os: environ getenv cpu_count name linesep
    pathlib: Path PurePath
    pprint: pprint
    random: Random betavariate choice choices expovariate gauss getrandbits normalvariate randint random randrange
        sample seed shuffle triangular uniform
    scipy.special: expit logit log_expit softmax xlogy
    scipy.stats: logistic norm uniform truncnorm
    statistics: fmean quantiles geometric_mean harmonic_mean mean median mode pstdev pvariance stdev variance
    string: ascii_letters ascii_lowercase ascii_uppercase digits hexdigits punctuation
    sys: argv byteorder exit float_info getrecursionlimit getsizeof int_info maxsize platform setrecursionlimit stderr
        stdout version version_info
    threading: Lock RLock
    time: monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns sleep time time_ns ctime
        strftime localtime struct_time thread_time thread_time_ns
    textwrap: dedent fill indent shorten wrap
    timeit: default_timer
    traceback: format_exc print_exc
    types: SimpleNamespace MappingProxyType NoneType TracebackType BuiltinFunctionType FunctionType GeneratorType
        LambdaType MethodType ModuleType
    typing: Annotated Any Callable ClassVar Dict Final Generator Generic Iterable Iterator List Literal NamedTuple
        NewType NoReturn Optional Protocol Sequence Set Tuple Type TypeAlias TypeVar TypedDict Union Self TYPE_CHECKING
        cast final overload override ParamSpec Concatenate SupportsFloat SupportsInt Mapping MutableMapping Deque
        ContextManager runtime_checkable AbstractSet AnyStr Collection Container DefaultDict FrozenSet Hashable Never
        OrderedDict Reversible Sized SupportsIndex Text TypeGuard TypeVarTuple Unpack assert_never no_type_check
    typing_extensions: Self TypeAlias override Literal Protocol Annotated Final
    warnings: catch_warnings filterwarnings simplefilter warn
""")
_LISTED["numba"] |= _NUMBAS_ERRORS
_LISTED["numba.core.errors"] = _NUMBAS_ERRORS
_LISTED["numba.core.types"] = _LISTED["numba.types"]
_LISTED["operator"] = frozenset(
    name for name in vars(operator) if not name.startswith("_") and name not in {"attrgetter", "methodcaller", "call"}
)
_WITHOUT = {"math": words("sumprod dist")}
"""Module -> public names that are not allowed, because they do the homework's inner loop."""
_LATER = {"itertools": words("batched"), "math": words("fma")}
"""Module -> names that it has in later versions of Python: files ask for them, and have something in their place."""

NUMPY_DENIED = words("""
    DataSource ScalarType asmatrix bmat char common_type core ctypeslib f2py from_dlpack fromfile fromregex genfromtxt
    get_include getbufsize geterrcall info load loadtxt ma matrix memmap nested_iters poly1d polynomial rec recarray
    record save savetxt savez savez_compressed sctypeDict setbufsize seterrcall show_config show_runtime strings test
    typename flatiter busdaycalendar apply_over_axes broadcast
""")
"""Names that read files, run code of others, or make arrays of kinds that are not observed."""

NUMPY_PARTS = table("""
    random: Generator MT19937 PCG64 PCG64DXSM Philox RandomState SFC64 SeedSequence default_rng exponential normal
        permutation rand randint randn random random_sample seed standard_normal uniform choice shuffle integers
    linalg: LinAlgError norm inv solve det multi_dot matmul eigvalsh eigh eigvals matrix_norm outer vector_norm eig svd
        svdvals qr cholesky lstsq pinv matrix_rank matrix_power cond slogdet trace diagonal matrix_transpose
    testing: assert_allclose assert_almost_equal assert_array_almost_equal assert_array_equal assert_equal
    fft: fft ifft rfft irfft fft2 ifft2
    lib: stride_tricks
    lib.stride_tricks: as_strided sliding_window_view
""")
"""Modules of NumPy that slices may use, and the names in them."""

LAYOUT = words("""
    array asarray asanyarray ascontiguousarray asfortranarray copy reshape ravel transpose permute_dims swapaxes
    moveaxis rollaxis concatenate concat stack hstack vstack dstack column_stack row_stack block append split
    array_split hsplit vsplit dsplit unstack pad tile repeat roll flip fliplr flipud rot90 expand_dims squeeze
    broadcast_to broadcast_arrays atleast_1d atleast_2d atleast_3d zeros_like empty_like ones_like full_like triu tril
    diag diagonal diagflat resize copyto put place fill_diagonal require insert delete take put_along_axis astype
    frombuffer fromiter real imag matrix_transpose shape size ndim iscomplexobj isrealobj result_type can_cast
    may_share_memory shares_memory asarray_chkfinite array_str array_repr array2string trim_zeros flatten byteswap view
    sliding_window_view tolist tobytes item itemset fill setflags getfield mT T conj conjugate
""")
"""Functions and methods that move or copy numbers, and do not change them."""

ELEMENTWISE = words("""
    around round clip fix nan_to_num real_if_close angle i0 sinc where isclose iscomplex isreal isneginf isposinf
""")
"""Functions that treat each entry of one array by itself; with two arrays, they combine numbers."""

CREATING = words("""
    zeros ones empty full arange linspace logspace geomspace eye identity tri indices fromfunction meshgrid tril_indices
    triu_indices diag_indices ndarray random rand randn randint normal uniform
""")
"""Functions that make new arrays without the numbers of other arrays."""

ARGUMENTS = words("""
    nopython parallel fastmath cache nogil error_model boundscheck inline signature_or_function forceobj looplift debug
    locals device func_or_sig opt max_registers lineinfo target identity chunksize writable_args signature sig
    launch_bounds pipeline otypes excluded
""")
"""Keywords that `njit`, `cuda.jit` and `vectorize`, also NumPy's, may get: none of them runs or links code."""

_OPERATORS = frozenset(
    f"__{prefix}{name}__"
    for name in words("add sub mul matmul truediv floordiv mod pow lshift rshift and or xor")
    for prefix in ("", "r", "i")
)
DUNDER_ATTRIBUTES = _OPERATORS | words("""
    __name__ __qualname__ __doc__ __hash__ __init__ __version__ __len__ __post_init__ __call__ __getitem__ __setitem__
    __members__ __init_subclass__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __neg__ __pos__ __abs__ __invert__ __str__
    __repr__ __iter__ __next__ __enter__ __exit__ __contains__ __bool__ __int__ __float__ __delitem__ __slots__
""")
"""Attributes between double underscores that may be read: operators by name do what they do by sign."""
PLAIN_TYPES = words("bool float int str list tuple dict set")  # types that a pattern may take apart by position
LABELS = words("__name__ __qualname__ __doc__")
"""Attributes that a slice may set of its own functions, classes and objects: the worker checks whose they are."""
OF_NAMED_TUPLES = words("_asdict _fields _make _replace")
"""Attributes with an underscore in front that named tuples have, and nothing else."""

DUNDER_DEFINITIONS = _OPERATORS | words("""
    __init__ __call__ __len__ __iter__ __next__ __getitem__ __setitem__ __contains__ __enter__ __exit__ __str__ __repr__
    __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __bool__ __int__ __float__ __complex__ __index__ __slots__
    __post_init__ __doc__ __neg__ __pos__ __abs__ __invert__ __round__ __trunc__ __floor__ __ceil__ __divmod__
    __rdivmod__ __delitem__ __missing__ __reversed__ __length_hint__ __format__ __array_priority__ __get__ __set__
    __set_name__ __init_subclass__ __class_getitem__ __copy__ __deepcopy__ __getattr__ __match_args__
""")
"""Names between double underscores that classes may define: all operators, reflected and in place.

Descriptors can do no more than a property, and `__init_subclass__` no more than a decorator; `__getattr__` is asked for
no such name (`grader.worker.sliced.freezing.hide_protocols`).
"""

WITHHELD_ATTRIBUTES = words("""
    base bytes call compile dispatcher doc dump encode extensions format_map from_bytes get_state handle locals manager
    nargs nin nout ntypes parent root set_state sharedmem specialized stats to_bytes
""")
"""Attributes that a slice may read of its own objects only.

Objects of libraries hide such an attribute (`grader.worker.sliced.withheld`), or it leads to nothing outside a slice.
"""
FORBIDDEN_ATTRIBUTES = words("""
    ctypes dumps tofile getfield setfield setflags newbyteorder f_back f_globals f_locals f_builtins f_code f_trace
    tb_frame tb_next gi_frame gi_code cr_frame ag_frame py_func overloads targetdescr targetctx typingctx targetoptions
    get_compile_result inspect_types inspect_cfg mro obj gpu_data device_ctypes_pointer get_ipc_handle disable_compile
    get_overload get_call_template specializations add_overload build_ufunc compile_device copies_in copies_out
    enable_caching find_ewise_function fold_argument_types get_annotation_info get_function_type
    get_max_threads_per_block get_metadata get_regs_per_thread get_shared_mem_per_block gi_running gi_suspended
    inspect_asm inspect_disasm_cfg inspect_llvm inspect_sass is_compiling match_signature nopython_signatures
    parallel_diagnostics resolve_dtypes signatures to_memory traced_device_function typeof_pyval tobytes load_overload
    save_overload add_callback ctypeslib f2py gi_yieldfrom func_code co_code addFilter makeRecord attrname func_globals
    func_closure func_defaults func_dict bit_generator capsule cffi box_type acquire getitem_unchecked get_lines ufunc
    generate_state random_raw
""")
"""Attributes of objects of Python, NumPy and Numba that lead out of a slice; its own classes cannot use these names.

All other attributes may be read of any object: the text of a slice does not tell which object stands before the point,
and no other attribute of its objects leads out of it. Of modules, only the names in `names_within` may be read.
"""


@cache
def module_names(module: str) -> frozenset[str] | None:
    """Return the names that a slice may use of `module`; None for a module that it may not import."""
    if module in _LISTED:
        return _LISTED[module]
    if module in _PUBLIC:
        public = {name for name in vars(_PUBLIC[module]) if not name.startswith("_")}
        return frozenset(public | _LATER.get(module, frozenset())) - _WITHOUT.get(module, frozenset())
    if module == "numpy" or module in {f"numpy.{part}" for part in NUMPY_PARTS}:
        return _public_names(module)
    return None


def _public_names(module: str) -> frozenset[str]:
    """Return NumPy's public names, without those that read files, run texts, or lead to other modules."""
    loaded = importlib.import_module(module)
    if listed := NUMPY_PARTS.get(module.removeprefix("numpy."), frozenset()):
        return listed
    names = {name for name in dir(loaded) if not name.startswith("_")} - NUMPY_DENIED
    modules = {name for name in names if isinstance(getattr(loaded, name), ModuleType)}
    parts = set(NUMPY_PARTS) | {"typing"} if module == "numpy" else set()
    return frozenset(names - modules | (modules & parts))


IN_SLICE = "_in_slice"
"""The ending that the worker adds to private names; no object of a library or of the grader has a name with it."""


def may_be_private(name: str) -> bool:
    """Return whether classes of a hand-in may have a field or a method of this name, which begins with an underscore.

    It refuses `_Class__field`, which Python makes of `__field` (it may be any class's), and names of `in_slice`.
    """
    return name[:1] == "_" and not (name.endswith(("_", IN_SLICE)) or "__" in name[2:] or name in OF_NAMED_TUPLES)


def in_slice(name: str) -> str:
    """Return the name that a field or method called `name` in the hand-in has while its slice runs.

    The text of a slice does not tell which object `x` is: `x._log` may be a field of the hand-in, or a field of a
    library's or the grader's object that the slice holds. Under the changed name, it can only be the hand-in's.
    """
    return f"{name}{IN_SLICE}" if may_be_private(name) else name


def as_written(text: str) -> str:
    """Return a text with all names as the hand-in has them."""
    return text.replace(IN_SLICE, "")


def is_strange(name: str) -> bool:
    """Return whether classes of a hand-in must not have a field or method of this name."""
    is_public = not name.startswith("_") or not name.strip("_")
    return name in FORBIDDEN_ATTRIBUTES or not (is_public or may_be_private(name) or name in OF_NAMED_TUPLES)


def is_guarded(node: ast.AST) -> bool:
    """Return whether the worker replaces this read, or assignment, of an attribute by a call that may refuse it."""
    match node:
        case ast.Assign(targets=targets):
            return all(isinstance(target, ast.Attribute) and target.attr in LABELS for target in targets)
        case ast.Attribute(attr="__class__" | "__setattr__" as name, value=owner, ctx=ast.Load()):
            return name == "__class__" or (isinstance(owner, ast.Name) and owner.id == "object")
    return False


def is_module_allowed(module: str) -> bool:
    """Return whether a slice may import `module`."""
    return bool(module_names(module)) or module in {"numpy", "numba", "scipy"}


SUBMODULES: dict[str, frozenset[str]] = {}  # package -> the modules in it that a slice may reach as its attributes
for _module in (*_LISTED, *(f"numpy.{part}" for part in NUMPY_PARTS)):
    _package, _, _part = _module.rpartition(".")
    SUBMODULES[_package] = SUBMODULES.get(_package, frozenset()) | {_part}


def names_within(module: str) -> frozenset[str]:
    """Return all that a slice may read of a module: its names, and the modules in it."""
    return (module_names(module) or frozenset()) | SUBMODULES.get(module, frozenset())
