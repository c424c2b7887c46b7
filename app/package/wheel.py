#!/usr/bin/env python3
"""Makes a wheel of an unpacked package: wheel.py TREE ARCHITECTURE VERSION FOLDER. Needs no other program.

The tree goes to lib/rankdeck of the environment, what other programs read (man pages, completion, the desktop's files)
to its share, two small scripts to its bin, and the Python package to where packages are.
"""
import base64
import hashlib
import os
import sys
import time
import zipfile

# Where these are looked for, in whatever environment.
SHARED = ("applications", "bash-completion", "doc", "fish", "icons", "man", "metainfo", "zsh")
# No PATH or library of the user's, which are for the ranks, is to mislead it.
SCRIPT = """#!/bin/sh
self=$(unset LD_PRELOAD LD_LIBRARY_PATH; PATH=/usr/bin:/bin:$PATH; readlink -f "$0")
exec "${{self%/*}}/../lib/rankdeck/bin/{}" "$@"
"""


class Wheel:
    def __init__(self, path: str) -> None:
        self.zip, self.record = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9), []
        self.time = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]

    def add(self, name: str, content: bytes, is_program: bool = False) -> None:
        entry = zipfile.ZipInfo(name, self.time)
        entry.external_attr = (0o100755 if is_program else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append("{},sha256={},{}\n".format(name, digest, len(content)))

    def close(self, folder: str) -> None:
        name = folder + "/RECORD"
        self.add(name, ("".join(self.record) + name + ",,\n").encode())
        self.zip.close()


def files(tree: str) -> list:
    found = [os.path.join(folder, name) for folder, _, names in os.walk(tree) for name in names]
    return sorted(os.path.relpath(path, tree) for path in found)


def read(*path: str) -> bytes:
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def main(tree: str, architecture: str, version: str, out: str) -> None:
    # It brings its own C library, so any that pip can ask for will do: these are the oldest that it knows.
    tag = "py3-none-manylinux_2_17_{0}.manylinux2014_{0}".format(architecture)
    path = os.path.join(out, "rankdeck-{}-{}.whl".format(version, tag))
    wheel, data, info = Wheel(path), "rankdeck-{}.data/".format(version), "rankdeck-{}.dist-info".format(version)
    python = "share/rankdeck/python/"
    for name in files(tree):
        parts, is_program = name.split("/"), os.access(os.path.join(tree, name), os.X_OK)
        if name.startswith(python):
            place = name[len(python):]
        elif parts[0] == "share" and parts[1] in SHARED:
            place = data + "data/" + name
        else:
            place = data + "data/lib/rankdeck/" + name
        wheel.add(place, read(tree, name), is_program)
    for program in ("rankdeck", "rankdeckctl"):
        wheel.add(data + "scripts/" + program, SCRIPT.format(program).encode(), is_program=True)
    wheel.add(info + "/licenses/LICENSE", read(tree, "share/licenses/rankdeck"))
    wheel.add(info + "/WHEEL", "Wheel-Version: 1.0\nGenerator: rankdeck\nRoot-Is-Purelib: false\n{}\n".format(
        "\n".join("Tag: py3-none-" + platform for platform in tag[len("py3-none-"):].split("."))).encode())
    wheel.add(info + "/METADATA", (
        "Metadata-Version: 2.1\nName: rankdeck\nVersion: {}\nLicense: Apache-2.0\nLicense-File: LICENSE\n"
        "Summary: Launcher and monitor for distributed training on Ascend NPU boxes\nRequires-Python: >=3.7\n"
        "Description-Content-Type: text/markdown\n\n".format(version)).encode() + read("README.md"))
    wheel.close(info)
    print(path)


main(*sys.argv[1:])
