"""Builders of broken and hostile zips, one per mistake, each with a fragment of the sentence that refuses it.

A builder returns the bytes that a student would hand in. Damage is done to the bytes of a right archive, because
no library writes wrong ones on request.
"""

import io
import stat
import struct
import tarfile
import zipfile
import zlib

FILES = ("utils.py", "max_functions.py", "matmul_functions.py", "hw1.pdf")
CONTENTS = {
    "utils.py": b"def sigmoid(x):\n    return x\n",
    "max_functions.py": b"def max_cpu(A, B):\n    return A\n",
    "matmul_functions.py": b"def matmul_transpose_trivial(X):\n    return X\n",
    "hw1.pdf": b"%PDF-1.4\n" + b"a page of text\n" * 40,
}
REFUSED = {}
"""Name of the builder -> (builder, fragment of the sentence)."""


def refused(fragment, **builders):
    """Register `builders`, and return a decorator that registers the function below it."""
    REFUSED.update({name: (builder, fragment) for name, builder in builders.items()})

    def register(builder):
        REFUSED[builder.__name__] = (builder, fragment)
        return builder

    return register


def pack(members, method=zipfile.ZIP_DEFLATED):
    """Return a zip of (name or ZipInfo, bytes) pairs, in order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


def right(prefix="", **changed):
    return [(prefix + name, changed.get(name.partition(".")[0], data)) for name, data in CONTENTS.items()]


def member(name, mode, data=b"", system=3):
    info = zipfile.ZipInfo(name)
    info.create_system = system
    info.external_attr = mode << 16
    return info, data


def renamed(old, new, count=2):
    """A right zip whose member `old` is renamed in the raw bytes; both names have the same length."""
    data = pack([*right(), (old, b"x")], zipfile.ZIP_STORED)
    assert data.count(old.encode()) == count
    return data.replace(old.encode(), new)


def tarred(mode):
    """An archive of tar's, packed as `mode` says."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        archive.addfile(tarfile.TarInfo("utils.py"))
    return buffer.getvalue()


def patched(signature, offset, form, value, method=zipfile.ZIP_DEFLATED):
    """A right zip with one header field overwritten, in the last header that has the signature."""
    data = bytearray(pack(right(), method))
    struct.pack_into(form, data, data.rindex(signature) + offset, value)
    return bytes(data)


LOCAL, CENTRAL, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"

refused("the file is empty", nothing_at_all=lambda: b"")
refused("the zip archive is empty", no_members=lambda: pack([]))
refused("not a zip archive", random_text=lambda: b"import numpy as np\n")
refused("this is a RAR archive", rar_renamed=lambda: b"Rar!\x1a\x07\x01\x00" + bytes(100))
refused("this is a 7z archive", seven_zip_renamed=lambda: b"7z\xbc\xaf\x27\x1c" + bytes(100))
refused("this is a gzip file", tar_gz_renamed=lambda: tarred("w:gz"))
refused("this is a tar archive", tar_renamed=lambda: tarred("w"))
refused("this is a PDF document", report_alone=lambda: CONTENTS["hw1.pdf"])
refused("a web page", login_page=lambda: b"<!doctype html><title>Sign in</title>")
refused(
    "damaged or cut off",
    last_byte_missing=lambda: pack(right())[:-1],
    cut_in_the_middle=lambda: pack(right())[: len(pack(right())) // 2],
    first_half_missing=lambda: LOCAL + pack(right())[-60:],
    directory_size_wrong=lambda: patched(END, 12, "<L", 60),
)
refused(
    "it holds none of",
    other_homework=lambda: pack([("hw2/server.py", b""), ("hw2/client.py", b"")]),
    folders_only=lambda: pack([("hw1/", b""), ("hw1/utils.py/", b"")]),
)
refused("'hw1.zip'", zip_in_a_zip=lambda: pack([("hw1.zip", pack(right()))]))
refused("nothing but system files", litter_only=lambda: pack([("__MACOSX/._hw1", b"x"), (".DS_Store", b"x")]))
refused(
    "leads out of its folder",
    dot_dot=lambda: pack([*right(), ("../evil.py", b"x")]),
    dot_dot_inside=lambda: pack([*right(), ("hw1/../../utils.py", b"x")]),
    dot_dot_with_backslashes=lambda: renamed("aa_bb_evil.py", b"..\\..\\evil.py"),
    dot_dot_as_a_folder=lambda: pack([*right(), ("../", b"")]),
)
refused(
    "absolute name",
    absolute=lambda: renamed("_etc_cron.d_evil", b"/etc/cron.d/evil"),
    absolute_with_a_backslash=lambda: renamed("_evil.py", b"\\evil.py"),
    drive_letter=lambda: pack([*right(), ("C:/Users/evil.py", b"x")]),
    drive_relative=lambda: pack([*right(), ("c:evil.py", b"x")]),
    network_share=lambda: renamed("__host_share_a.py", b"\\\\host\\share_a.py"[:17]),
)
refused(
    "is a link",
    symlink_as_a_wanted_file=lambda: pack([member("utils.py", stat.S_IFLNK | 0o777, b"/etc/passwd"), *right()[1:]]),
    symlink_as_an_extra=lambda: pack([*right(), member("data", stat.S_IFLNK | 0o777, b"/")]),
    symlink_said_to_be_from_windows=lambda: pack([*right(), member("data", stat.S_IFLNK | 0o777, b"/", system=0)]),
)
refused(
    "device or pipe",
    pipe=lambda: pack([member("utils.py", stat.S_IFIFO | 0o644), *right()[1:]]),
    character_device=lambda: pack([*right(), member("zero", stat.S_IFCHR | 0o644)]),
    socket=lambda: pack([*right(), member("s", stat.S_IFSOCK | 0o644)]),
)
refused(
    "it is unclear which utils.py is meant",
    duplicate=lambda: renamed("util2.py", b"utils.py"),
    case_clash=lambda: pack([*right(), ("Utils.py", b"x")]),
    two_equal_folders=lambda: pack([*right("hw1/"), *right("hw1 - Copy/")]),
)
refused("is encrypted", encrypted=lambda: patched(CENTRAL, 8, "<H", 1))
refused(
    "'hw1.pdf' is damaged",
    wrong_checksum=lambda: patched(CENTRAL, 16, "<L", 0x12345678),
    declares_less_than_there_is=lambda: patched(CENTRAL, 24, "<L", 9),
    offset_behind_the_end=lambda: patched(CENTRAL, 42, "<L", 1 << 30),
    overlapping_members=lambda: patched(CENTRAL, 42, "<L", 0),
    names_differ_between_the_headers=lambda: pack(right()).replace(b"hw1.pdf", b"hw2.pdf", 1),
)
refused("'hw1.pdf'", declares_more_than_there_is=lambda: patched(CENTRAL, 24, "<L", 5000))
refused(
    "'hw1.pdf' does not have the 608 bytes",
    declares_one_byte_less_than_there_is=lambda: patched(CENTRAL, 24, "<L", len(CONTENTS["hw1.pdf"]) - 1),
)
refused("'utils.py' is damaged", directory_offset_wrong=lambda: patched(END, 16, "<L", 1 << 31))
refused("packed by method 9", deflate64=lambda: patched(CENTRAL, 10, "<H", 9))
refused("packed by method 14", lzma=lambda: pack(right(), zipfile.ZIP_LZMA))
refused(
    "control characters",
    name_with_a_newline=lambda: pack([*right(), ("a\nb.py", b"x")]),
    name_with_a_terminal_escape=lambda: pack([*right(), ("\x1b[2J\x1b]0;evil\x07.py", b"x")]),
    name_with_a_nul=lambda: renamed("utils.py_evil", b"utils.py\x00evil"),
)
refused("has a name of 3000 characters", overlong_name=lambda: pack([*right(), ("n" * 3000, b"x")]))
refused(
    "marked as UTF-8 and is not",
    not_utf8=lambda: pack([*right(), ("éé.py", b"x")]).replace("éé".encode(), b"\xff\xfe\xfd\xfc"),
)
refused(
    "more than 20000",
    too_many_members=lambda: pack([*right(), *((f"{n}", b"") for n in range(20_001))], zipfile.ZIP_STORED),
)
refused("would unpack", bomb=lambda: pack([*right(), ("zeros.bin", bytes(65 << 20))]))


@refused("'hw1.pdf' is damaged")
def encrypted_in_the_local_header_only():
    data = bytearray(pack(right(), zipfile.ZIP_STORED))
    at = data.rindex(LOCAL)
    struct.pack_into("<H", data, at + 6, 1)
    data[at + 30 + len("hw1.pdf")] ^= 0xFF
    return bytes(data)


@refused("'hw1.pdf' is damaged")
def one_flipped_bit():
    data = bytearray(pack(right(), zipfile.ZIP_STORED))
    data[data.rindex(b"a page of")] ^= 1
    return bytes(data)


@refused("'hw1.pdf' is damaged")
def bomb_behind_a_small_declared_size():
    """The checksum fits the declared first bytes, so that a reader who stops there notices nothing."""
    data = bytearray(pack(right(hw1=CONTENTS["hw1.pdf"][:9] + bytes(30 << 20))))
    at = data.rindex(CENTRAL)
    struct.pack_into("<L", data, at + 16, zlib.crc32(CONTENTS["hw1.pdf"][:9]))
    struct.pack_into("<L", data, at + 24, 9)
    return bytes(data)


@refused("has no name")
def name_missing():
    data = bytearray(pack([*right(), ("x", b"")]))
    struct.pack_into("<HH", data, data.rindex(CENTRAL) + 28, 0, 1)  # the name's byte becomes an extra field
    return bytes(data)


@refused("would unpack")
def declared_terabytes():
    data = bytearray(pack([*right(), *((f"{n}.bin", b"x" * 30) for n in range(300))], zipfile.ZIP_STORED))
    at = 0
    for _ in range(304):
        at = data.index(CENTRAL, at) + 4
        struct.pack_into("<L", data, at + 20, 0xFFFFFFF0)
    return bytes(data)


@refused("lists more than 200000 files")
def directory_of_headers_only():
    header = CENTRAL + struct.pack("<HHHHHHLLLHHHHHLL", 20, 20, 0, 0, 0, 33, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"x"
    directory = header * 200_001
    return directory + END + struct.pack("<HHHHLLH", 0, 0, 0xFFFF, 0xFFFF, len(directory), 0, 0)


@refused("'hw1.pdf' is larger than 64 MiB")
def wanted_file_too_large():
    data = bytearray(patched(CENTRAL, 24, "<L", 70 << 20))
    struct.pack_into("<L", data, data.rindex(CENTRAL) + 20, 60 << 20)
    return bytes(data)
