"""Use the handout as its README says, on this system: `python tests/kit/on_this_system.py HANDOUT REFERENCE`.

First the template as it is, then with the staff's solution in it. On Windows itself checks are sent to WSL, and the zip
is made all the same.
"""

import shutil
import subprocess
import sys
from pathlib import Path

NATIVE_WINDOWS = sys.platform == "win32"
FILES = ("utils.py", "max_functions.py", "matmul_functions.py", "hw1.pdf")


def main() -> None:
    """Set up the kit's environment, check, make the zip, and hold what was said against what should be."""
    folder, reference = (Path(word).resolve() for word in sys.argv[1:])
    python = set_up(folder)
    expect(run(folder, python, "zip"), "hw1.pdf is missing", "still to be written: sigmoid")
    for name in FILES:
        shutil.copy(reference / name, folder)
    if NATIVE_WINDOWS:
        expect(run(folder, python, code=2), "install WSL")
        expect(run(folder, python, "zip"), "hw1.zip is written", "checks need Linux, macOS or WSL")
        return
    expect(run(folder, python, "--device", "cpu"), "Predicted: 83 to 90 of 90 automatic points")
    expect(run(folder, python, "zip"), "hw1.zip is written", "Predicted: 83 to 90 of 90")
    expect(run(folder, python, "bench", "--cores", "1", "--only", "max"), "bench-max.svg")


def set_up(folder: Path) -> str:
    """Make the environment without make, which not every system has; return its Python."""
    subprocess.run([sys.executable, "-m", "venv", ".venv"], cwd=folder, check=True)
    python = folder / (".venv/Scripts/python.exe" if NATIVE_WINDOWS else ".venv/bin/python")
    (wheel,) = (folder / "kit").glob("*.whl")
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", str(wheel)], cwd=folder, check=True)
    return str(python)


def run(folder: Path, python: str, *words: str, code: int = 0) -> str:
    """Run the kit's command and return what it said; it has to end with `code`."""
    command = [python, "-X", "utf8", "-m", "hw1check", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    print("$ hw1check", *words, f"\n{done.stdout}{done.stderr}", flush=True)
    if done.returncode != code:
        sys.exit(f"it ended with {done.returncode}, not {code}")
    return done.stdout + done.stderr


def expect(said: str, *parts: str) -> None:
    for part in parts:
        if part not in said:
            sys.exit(f"it did not say: {part}")


if __name__ == "__main__":
    main()
