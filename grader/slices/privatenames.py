"""Private names of what a slice can hold, which its own classes may therefore not use.

A class may call its fields and helpers `_host` or `_launch`. Were one of them named as here, its name would also read
the field of that name of an array, a kernel, or a warning's context. Taken from the sources of the grader, Numba,
NumPy and Python; a test compares, and prints the list anew.
"""

from grader.slices.arraynames import words

TAKEN = words("""
    _WARNING_DETAILS __reduce __uuid _abc_impl _add_loop _allocated _allowed _any_program _array_desc
    _at_fork_reinit _attempt_allocation _auto_called _auto_null _broadcast _broadcast_add_axis _broadcast_array
    _broadcast_scalar_input _builtin_open _cache_hits _cache_misses _call_each _call_machine_code _call_steps
    _callback_add_compiler_timer _callback_add_llvm_timer _callback_add_timer _can_compile _category_name _cb_type
    _check_ctypes_error _check_cuda_python_error _check_methods _clear_cache _closed _cls_name _code _codelibrary
    _compilation_chain_init_hook _compile _compile_cached _compile_class _compile_core _compile_for_args
    _compile_for_argtys _compile_kernel _compile_twin _compiled _compiled_class _compiler _compiling_counter
    _compute_thread_per_block _cons _copy_result_to_host _create_async_cb_wrapper _create_async_exit_wrapper
    _create_cb_wrapper _create_exit_wrapper _ctypes_active_blocks_per_multiprocessor
    _ctypes_max_potential_block_size _ctypes_wrap_fn _cuda_call _cuda_python_active_blocks_per_multiprocessor
    _cuda_python_max_potential_block_size _cuda_python_wrap_fn _current_program _customize_flags _default_stream
    _defaults _detect_fork _dict_type _disable _disable_count _dispatcher _do_getitem _do_setitem _dummy
    _enable_sysmon _enter _entered _exceptions _exit _exit_callbacks _exit_wrapper _explain_ambiguous
    _explain_matching_error _extensions _failed_cache _field_type _fill_argtypes _fill_arrays _filter _filters
    _filters_mutated _finalizer _find_api _find_kernel _find_program _find_referenced_environments
    _fix_exception_context _fixupChildren _fixupParents _fmt _fold_args _frozen _functions_of_slice
    _generate_next_value _get_actual_args _get_dispatcher_for_current_target _get_function_globals_for_reduction
    _get_globals _get_implementation _get_kernel_source _get_strided_loop _getframe _globals _gnv _handleof
    _has_chunks _holds_data _ignore _impl _impl_class _initialise_dict _initialise_list _initialize
    _initialize_extras _insert _install_cg _install_type _install_ufunc_at _install_ufunc_attributes
    _install_ufunc_methods _install_ufunc_reduce _install_ufunc_reduceat _ipc_handle _is_mutable _is_observed
    _is_top _is_view _jit _jitclass _keep_alive _keepalive _kernel_template _label _last_values
    _legal_kwargs _legalize_arg_types _len _linker _list_type _log _logger _made _made_and_alive _make_finalizer
    _make_immutable _make_mutable _make_unbound_method _makers _marshal _max_pending_bytes _mem _member_names
    _memo _method_of_ufunc _methods_together _module _modules _mpi_begin _mpi_call _mpi_end _mpi_receive
    _mpi_value _new_target _note_written _observe_steps _observed _old_cwd _old_targets _on_host _opaque _open
    _opened_mem _owner _owners _packers _parse_arg _partialmethod _per_signature _plain _pre_compile _prepare_args
    _prepare_numba _programs _property _ptds _ptsz _push_async_cm_exit _push_cm_exit _push_exit_callback _real
    _rebuild _rebuild_reduction _recent _record _recreate_cm _reduce_class _reduce_extras _reduce_states
    _referenced_environments _register _registered _remember_source _report _reset_overloads
    _resolve_dtypes_and_context _resolve_signature _run_blocks _run_compiled _schedule _search_matching_signature
    _search_new_conversions _see _sentry_source_info _set_uuid _showwarning _showwarning_orig _showwarnmsg_impl
    _singleton _specialized _stand_in_for _stream_callback _style _time_s _tls_cache _tm _tpl _type_annotation
    _type_me _typed _types_active_call _update_globals _uuid _v2 _v2_ptds _v2_ptsz _view _write_back
""")
