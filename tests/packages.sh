#!/usr/bin/env bash
# Tries what app/package.sh has made: in an empty root folder, and on releases of Debian and Ubuntu that have only Python.
set -euo pipefail

usage()
{
    cat <<'END'
usage: tests/packages.sh [x86_64 | aarch64]... [bullseye | bookworm | trixie | jammy | noble]...

  (nothing)   this machine's architecture, the three releases of Debian

Packages are made first where build/packages has none. Debs are tried on the releases that app/package.sh has made them
for. Each release is installed below build/releases by debootstrap (about 300 MB), once. Another architecture needs
qemu-user-static 8 or later (an older one starts no program for QProcess), and a kernel that knows of it. Needs root, and
Ubuntu the keys of its archive (its package ubuntu-keyring).
END
}

architectures=() releases=()
while (($#)); do
    case $1 in
        x86_64 | aarch64) architectures+=("$1") ;;
        bullseye | bookworm | trixie | jammy | noble) releases+=("$1") ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
((${#architectures[@]})) || architectures=("$(uname -m)")
((${#releases[@]})) || releases=(bullseye bookworm trixie)
if ((EUID != 0)); then
    echo "tests/packages.sh: only root can install a release and change into it." >&2
    exit 2
fi

cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
source app/packages.sh
install_missing debootstrap debian-archive-keyring xvfb lintian
packages=$PWD/build/packages
declare -A debian_name=([x86_64]=amd64 [aarch64]=arm64)

# prepare_emulator ARCHITECTURE: where systemd runs, installing it is enough.
prepare_emulator()
{
    install_missing qemu-user-static
    local known=/proc/sys/fs/binfmt_misc
    if [[ ! -e $known/qemu-$1 ]]; then
        echo "The kernel does not know that qemu runs programs of $1. Run this as root, then try again:" >&2
        echo "  mount -t binfmt_misc binfmt_misc $known; cat /usr/lib/binfmt.d/qemu-$1.conf >$known/register" >&2
        exit 2
    fi
}

# try ARCHITECTURE ROOT: ROOT is empty for a root folder where nothing else is, and for this system.
try()
{
    echo "== $1 ${2##*/}" >&2
    (cd tests/package && RANKDECK_ROOT=$2 RANKDECK_ARCHITECTURE=$1 RANKDECK_PACKAGES=$packages \
        RANKDECK_BUILT=$packages/work/$(uname -m)/build/bin/rankdeck python3 -B -m unittest -v tst_packages) ||
        failed+=("$1 ${2##*/}")
}

failed=()
for architecture in "${architectures[@]}"; do
    [[ $architecture == "$(uname -m)" ]] || prepare_emulator "$architecture"
    compgen -G "$packages/rankdeck-*-linux-$architecture.tar.gz" >/dev/null ||
        bash app/package.sh "$architecture" tgz wheel deb rpm
    try "$architecture" ""
    for release in "${releases[@]}"; do
        root=$PWD/build/releases/$release-$architecture
        install_release "$release" "$root" --include=python3-venv --arch="${debian_name[$architecture]}"
        try "$architecture" "$root"
    done
done
if ((${#failed[@]})); then
    echo "Failed on ${failed[*]}." >&2
    exit 1
fi
echo "The packages work on ${releases[*]}, and where nothing else is (${architectures[*]})."
