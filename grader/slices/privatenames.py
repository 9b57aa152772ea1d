"""Private names of what a slice can hold, which its own classes may therefore not use.

A class may call its fields and helpers `_host` or `_launch`. Were one of them named as here, its name would also read
the field of that name of an array, a kernel, or a warning's context. Taken from the sources of the grader, Numba,
NumPy and Python; a test compares, and prints the list anew.
"""

from grader.slices.arraynames import words

TAKEN = words("""
    _DUFunc _Kernel _NoValue _PROTOTYPES _WARNING_DETAILS __INSTANCE __base_kwargs __cast __hardroot __isgen __map
    __marker __r __reduce __root __update __uuid __wrapped _abc_caches_clear _abc_impl _abc_registry_clear
    _activate_context_for _add _add_loop _all _allocated _allowed _any _args _arr _array_desc _asdict
    _at_fork_reinit _attempt_allocation _auto_called _auto_null _bound _broadcast _broadcast_add_axis
    _broadcast_array _broadcast_scalar_input _build_element_wise_ufunc_wrapper _build_wrapper _builder
    _builtin_open _builtins _cache_hits _cache_misses _call _call_as_normal _call_steps _call_ufunc _call_words
    _callback_add_compiler_timer _callback_add_llvm_timer _callback_add_timer _can_compile _category_name _cb_type
    _check_ctypes_error _check_cuda_python_error _check_error _check_methods _class_getitem_inner _clear
    _clear_cache _closed _cls_name _code _codelibrary _compilation_chain_init_hook _compile _compile_cached
    _compile_core _compile_element_wise_function _compile_for_args _compile_for_argtys _compile_kernel
    _compile_ufunc _compile_wrapper _compiler _compiling_counter _compute_extent _compute_layout
    _compute_thread_per_block _cons _context _copy_result_to_host _counter _create_async_cb_wrapper
    _create_async_exit_wrapper _create_cb_wrapper _create_exit_wrapper _cres _ctor_template_class
    _ctypes_active_blocks_per_multiprocessor _ctypes_max_potential_block_size _ctypes_wrap_fn _cuda_call
    _cuda_python_active_blocks_per_multiprocessor _cuda_python_max_potential_block_size _cuda_python_wrap_fn
    _current_program _customize_flags _default_stream _defaults _define _defn _denominator _depth _describe
    _destroy_all_contexts _detect_fork _determine_array_spec _determine_new_args _dict_type _disable
    _disable_count _dispatcher _div _divide _divmod _do_getitem _do_setitem _doc _dummy _dump_registry
    _enable_sysmon _enter _enter_frame _entered _evaluate _exceptions _exit _exit_callbacks _exit_wrapper
    _explain_ambiguous _explain_matching_error _extensions _failed_cache _failures _field_type _fields _files
    _fill_argtypes _fill_arrays _filter _filters _filters_mutated _finalize_signature _finalize_ufunc_signature
    _finalizer _find_api _find_referenced_environments _finfo_cache _finish _fix_exception_context _fixupChildren
    _fixupParents _floordiv _fmt _fold_args _folder _foreign _format _found _from_iterable _frozen _func _function
    _function_type _functor _generate_next_value _get_actual_args _get_array_operator _get_attached_context
    _get_dispatcher_for_current_target _get_ewise_dtypes _get_final_replacement
    _get_function_globals_for_reduction _get_function_type _get_globals _get_implementation _get_kernel_source
    _get_object _get_operands _get_or_create_context_uncached _get_strided_loop _get_ufunc_and_otypes _getframe
    _getitem _getvalue _globals _gnv _gufunc_wrapper _handle _handle_inputs _handle_inputs_result _handle_matches
    _has_chunks _has_explicit_output _hash _identity _ignore _impl _impl_class _impl_keys _import
    _in_and_out_core_dims _init _init_stage_2 _initial_value _initialise_dict _initialise_list _initialise_set
    _initialize _initialize_extras _insert _inst _install_cg _install_type _install_ufunc_at
    _install_ufunc_attributes _install_ufunc_methods _install_ufunc_reduce _install_ufunc_reduceat _intern
    _invalid _ipc_handle _is_dynamic _is_internal _is_mutable _is_observed _is_protocol _is_runtime_protocol
    _is_top _is_view _iter _iter_ty _iterator_type _jit _keep_alive _keep_positive _keepalive _kernel_jit
    _kernel_name _kernel_template _key _kwargs _label _last_values _legal_kwargs _legalize_arg_types _len _linker
    _list_ty _list_type _literal_init _literal_type_cache _literal_value _load_flat _load_val _loaded _loader
    _lock _log _logger _lower_me _m _mainthread _majorDbg _majorIR _make_finalizer _make_heterogeneous_tuple
    _make_homogeneous_tuple _make_immutable _make_mutable _make_substitution _make_unbound_method _makers _mapping
    _marshal _match_array_expr _max_depth _max_pending_bytes _max_vals _mem _member_names _memo _memory _method
    _min_vals _minorDbg _minorIR _mod _module _modules _mpi_announce _mpi_collect _mpi_deal _mpi_divide _mpi_done
    _mpi_exchange _mpi_finish _mpi_is _mpi_line _mpi_link _mpi_match _mpi_meet _mpi_number _mpi_received
    _mpi_start _mpi_value _mu _mul _new_target _normalize_fields _notimplemented _nparams _ntclazz _num_args_match
    _numerator _nvrtc _object _observe _observe_steps _observed _old_cwd _old_targets _opaque _open _opened_mem
    _operator_fallbacks _over _overload_func _overloads _owner _owners _packers _paramspec_tvars _parse_arg
    _partialmethod _parts _per_signature _place _plain _pre_compile _prepare _prepare_args _prepare_numba _program
    _property _proto_hook _ptds _ptsz _push_async_cm_exit _push_cm_exit _push_exit_callback _radix _randbelow
    _randbelow_with_getrandbits _randbelow_without_getrandbits _ranges _read_registered _read_typed _real _rebound
    _rebuild _rebuild_reduction _recent _record _recreate_cm _reduce_class _reduce_extras _reduce_states
    _referenced_environments _register _registered _replaced _report _repr _reset_overloads
    _resolve_dtypes_and_context _resolve_signature _result _richcmp _root _run _scale _schedule
    _search_matching_signature _search_new_conversions _see _seen _sentry_source_info _set_attached_context
    _set_type _set_uuid _shape_and_strides _showwarning _showwarning_orig _showwarnmsg_impl _sigma _sigs
    _singleton _size_of_list _slice _specialize_template _specialized _store_object _store_val _stream_callback
    _style _sub _supported_ccs _suppress_deprecation_warning_nopython_not_supplied _time_s _tls _tls_cache _tm
    _token _tpl _trace_line _translate_expr _try_error _ty_cls _type_annotation _type_me _typed _typename
    _types_active_call _ufunc _under _update_globals _uuid _v2 _v2_ptds _v2_ptsz _value _value_key _vectorize_call
    _vectorize_call_with_signature _vformat _view _with_old_values _words _wr _wrap _wrap_api_call
    _wrapper_function_type _write_back _yield_type
""")
