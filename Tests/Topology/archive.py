"""Checks deploy/patroni/archive-wal: what is archived again with another content, with and without the end of its timeline.

    python3 archive.py
"""

import os
import pathlib
import subprocess
import sys
import tempfile

COMMAND = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy" / "patroni" / "archive-wal"
SIZE = 16 << 20


def main():
    with tempfile.TemporaryDirectory() as folder:
        archive, wal = pathlib.Path(folder) / "archive", pathlib.Path(folder) / "wal"
        archive.mkdir()

        def expect(is_accepted, name, content, text):
            with open(wal, "wb") as file:
                file.write(content)
                file.truncate(SIZE)
            outcome = subprocess.run([COMMAND, wal, name], env={**os.environ, "WAL_ARCHIVE": str(archive)})
            if (outcome.returncode == 0) != is_accepted:
                sys.exit(f"archive: not so: {text}")
            print(f"archive: {text}")

        name, earlier = "0000001A0000000000000021", "0000001A0000000000000020"
        expect(True, name, b"first", "a segment is archived")
        expect(True, name, b"first", "the same segment again is accepted")
        expect(False, name, b"other", "another content is refused")
        (archive / "0000001B.history").write_text("25\t0/200000A0\tno recovery target specified\n\n26\t0/21000000\tno recovery target specified\n")
        expect(True, name, b"other", "another content is accepted when the timeline ended before")
        if (archive / name).read_bytes()[:5] != b"first":
            sys.exit("archive: not so: the first one stays")
        expect(True, earlier, b"first", "the segment before the end of the timeline is archived")
        expect(False, earlier, b"other", "another content of it is refused")


if __name__ == "__main__":
    main()
