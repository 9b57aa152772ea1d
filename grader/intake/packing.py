"""Zip archives whose bytes depend on the names and contents of their files alone."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable

_NO_TIME = (1980, 1, 1, 0, 0, 0)
_MODE, _UNIX = 0o644 << 16, 3


def pack(contents: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of `contents`, names and bytes in this order, without folders, dates or owners.

    What goes into another zip is best left as it is, `zipfile.ZIP_STORED`: there it is compressed as a whole.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents:
            info = zipfile.ZipInfo(name, _NO_TIME)
            info.compress_type, info.external_attr, info.create_system = method, _MODE, _UNIX
            archive.writestr(info, data, compresslevel=9)
    return buffer.getvalue()
