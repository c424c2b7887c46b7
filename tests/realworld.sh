#!/usr/bin/env bash
# Runs faults of real programs below Rankdeck and beside it, and says how often the verdict was right.
#
# usage: tests/realworld.sh [torch | transformers | accelerate | mpi] [--form FORM]... [--fault FAULT]... [--again]
#                           [--keep DIR]
#        tests/realworld.sh podman [--client docker]
#        tests/realworld.sh stacks [SUITE]...
#        tests/realworld.sh recorder
#        tests/realworld.sh torchtests WHEEL
#
# Each fault of the table (tests/realworld/*.tsv) is run in five forms: `live` (rankdeckctl torchrun), `wrap` (rankdeckctl
# wrap around torchrun, accelerate launch or mpirun), `dir` and `console` (that launcher alone: torchrun's log directory,
# and what it printed), and `adopt` (rankdeckctl adopt while it runs). What was found is kept in build/realworld with the
# commit; what was found of this commit is not run again, except with --again. --keep copies logs and runs into DIR.
# stacks: whether ranks of the Pythons of Debian's suites (all from 11 to sid) tell where they stand, and how fast.
# recorder: what torch's flight recorder costs for each collective. torchtests: torch's own tests of start_processes() and of
# torchrun, from Debian's source package, with those of the Python package WHEEL (app/package.sh wheel) in their place.
# podman: ranks in a container of podman, in a root of this machine's release; with --client docker reached by docker's
# client, which must be there, over podman's socket.
#
# Needs root, and the first time debootstrap and the network: torch, its Python and their friends are Debian's (suite sid),
# in a root of their own, ROOT=/var/tmp/rankdeck-realworld, about 2.5 GB. This torch is told there to do without libuv.
# RANKDECKCTL names the program, by default that of preset check. It is no part of the tests: all faults of a form take up
# to 40 minutes.
set -euo pipefail
script=$(readlink -f "${BASH_SOURCE[0]}")
cd "$(dirname "$script")/.."
root=${ROOT:-/var/tmp/rankdeck-realworld}
work=$PWD/build/realworld
program=${RANKDECKCTL:-$PWD/build/check/bin/rankdeckctl}
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,26s/^# \?//p' "$script"; exit; }
[[ -x $program ]] || { echo "There is no $program: build it first (tests/run.sh), or set RANKDECKCTL." >&2; exit 2; }
((EUID == 0)) || { echo "This needs root, for a root of Debian sid." >&2; exit 2; }
# In a mount namespace of its own: whatever happens, no folder of this machine stays mounted below the root.
[[ -n ${REALWORLD_NAMESPACE:-} ]] || REALWORLD_NAMESPACE=1 exec unshare --mount --propagation private "$script" "$@"

make_root()
{
    source app/packages.sh
    install_missing debootstrap debian-archive-keyring
    debootstrap --variant=minbase --include=ca-certificates,python3,gdb,elfutils,procps,iproute2 sid "$root"
    # Also where a mirror of sid is some weeks old.
    echo 'APT::Install-Recommends "false"; Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/99small"
    chroot "$root" apt-get update -q
    DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -yq python3-torch python3-numpy python3-accelerate \
        python3-transformers python3-safetensors python3-mpi4py
    # Debian's torch is built without libuv, which torchrun asks for whatever the environment says.
    chroot "$root" python3 - <<'PYTHON'
import re
from pathlib import Path

file = Path("/usr/lib/python3/dist-packages/torch/distributed/__init__.py")
text = file.read_text()
imported = re.search(r"\n        TCPStore,(?:\n        .*)*\n    \)\n", text)
without = """
    class TCPStore(TCPStore):
        def __init__(self, *values, **names):
            super().__init__(*values, **{**names, "use_libuv": False})

"""
file.write_text(text[:imported.end()] + without + text[imported.end():])
PYTHON
    touch "$root/.made"
}

# What the program needs, in a root of the release that it was built on.
run_containers()
{
    local box=${BOX:-/var/tmp/rankdeck-container} packages
    source app/packages.sh
    install_missing debootstrap podman runc
    if [[ ! -e $box/.made ]]; then
        # Some are still listed in /lib, some in /usr/lib.
        packages=$(ldd "$program" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | xargs realpath | sed 's/.*\//*\//' \
            | xargs dpkg -S | cut -d: -f1 | grep -v 'lib32\|i386' | sort -u)
        debootstrap --variant=minbase --include="$(echo python3-minimal procps gzip $packages | tr ' ' ,)" \
            "$(source /etc/os-release && echo "$VERSION_CODENAME")" "$box"
        touch "$box/.made"
    fi
    mkdir -p "$work"
    exec python3 tests/realworld/containers.py --root "$box" --work "$work" --program "$program" "$@"
}

# A root with Python for each suite; that of sid is torch's.
ask_pythons()
{
    local suite roots=() suites=("$@")
    source app/packages.sh
    install_missing debootstrap debian-archive-keyring gdb
    (($#)) || suites=(bullseye bookworm trixie sid)
    for suite in "${suites[@]}"; do
        local box=/var/tmp/rankdeck-python-$suite
        [[ $suite != sid ]] || box=$root
        if [[ $suite == sid && ! -e $box/.made ]]; then
            make_root
        elif [[ ! -e $box/.made ]]; then
            debootstrap --variant=minbase --include=ca-certificates,python3-minimal "$suite" "$box"
            touch "$box/.made"
        fi
        mkdir -p "$box/mnt/job"
        mount --bind "$work" "$box/mnt/job"
        mountpoint -q "$box/proc" || mount --bind /proc "$box/proc"
        roots+=("$box")
    done
    cp tests/realworld/waits.py "$work/"
    exec python3 tests/realworld/askpython.py --work "$work" --program "$program" "${roots[@]}"
}

# torch's tests, and the Python package as it is installed, in the root.
run_torch_tests()
{
    [[ -f ${1:-} ]] || { echo "Which package? Make one with app/package.sh wheel." >&2; exit 2; }
    local source=$root/usr/src/torch tests
    if [[ ! -d $source ]]; then
        sed -i 's/^Types: deb$/Types: deb deb-src/; s/^deb \(.*\)/&\ndeb-src \1/' "$root"/etc/apt/sources.list{,.d/*} 2>/dev/null || true
        chroot "$root" apt-get update -q
        mkdir -p "$source.part"
        chroot "$root" sh -c 'cd /usr/src/torch.part && apt-get source --download-only pytorch && apt-get install -yq python3-pytest python3-expecttest python3-hypothesis'
        tar -C "$source.part" -xf "$source.part"/pytorch_*.orig.tar.* --wildcards '*/test/distributed/elastic/multiprocessing' \
            '*/test/distributed/launcher'
        mv "$source.part" "$source"
    fi
    rm -rf "$root/opt/rankdeck"
    python3 -m pip install -q --no-deps --no-index --ignore-installed --root-user-action=ignore --prefix "$root/opt/rankdeck" "$1"
    tests=$(cd "$root" && echo usr/src/torch/*/test/distributed)
    exec chroot "$root" env LC_ALL=C.UTF-8 XDG_STATE_HOME=/mnt/job/torchtests \
        PYTHONPATH="/$(cd "$root" && echo opt/rankdeck/lib/python3*/site-packages)" python3 /mnt/job/torchtests.py "/$tests"
}

[[ ${1:-} != podman ]] || run_containers "${@:2}"
mkdir -p "$work"
[[ ${1:-} != stacks ]] || ask_pythons "${@:2}"
[[ -e $root/.made ]] || make_root
mkdir -p "$root/mnt/job"
{ cat /etc/hosts; echo "127.0.0.1 $(hostname)"; } >"$root/etc/hosts"
for folder in proc sys dev dev/pts dev/shm tmp; do
    mount --bind "/$folder" "$root/$folder"
done
mount --bind "$work" "$root/mnt/job"
cp tests/realworld/*.py "$work/"
[[ ${1:-} != torchtests ]] || run_torch_tests "${@:2}"
[[ ${1:-} != recorder ]] || exec python3 tests/realworld/recordercost.py --root "$root" --work "$work" --program "$program"
python3 tests/realworld/realworld.py --root "$root" --work "$work" --program "$program" "$@"
