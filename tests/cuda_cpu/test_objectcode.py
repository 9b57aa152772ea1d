"""Kept object code of routines: what is read back, and what is not."""

import ctypes
import shutil

from grader.cuda_cpu.routines import compile_object, load_object, make_key, read_object, write_object


def triple(number: int) -> int:
    return 3 * number


def test_kept_code_runs(tmp_path):
    name, code = compile_object(triple, ())
    write_object(name, code, tmp_path)
    address = load_object(read_object(name, tmp_path), f"cuda_cpu.routine.{triple.__module__}.triple")
    assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)(14) == 42


def test_a_file_with_another_key_or_changed_code_or_of_another_routine_or_none_is_left_alone(tmp_path):
    write_object("routine", b"some code", tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    assert read_object("routine", tmp_path) == b"some code"
    for position in (0, 31, 32, 63, 64, -1):
        content = bytearray(whole)
        content[position] ^= 1
        file.write_bytes(content)
        assert read_object("routine", tmp_path) is None, position
    write_object("other", b"other code", tmp_path)
    (other,) = set(tmp_path.iterdir()) - {file}
    shutil.copy(other, file)
    assert read_object("routine", tmp_path) is None
    assert read_object("third", tmp_path) is None


def test_the_key_is_of_the_sources(tmp_path):
    keys = set()
    for text in ("a = 1\n", "a = 2\n"):
        package = tmp_path / f"package{len(keys)}"
        package.mkdir()
        (package / "scheduler.py").write_text(text)
        keys.add(make_key(package))
    assert len(keys) == 2
