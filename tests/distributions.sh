#!/usr/bin/env bash
# Builds Rankdeck with warnings as errors, and runs its tests, on releases of Debian other than this machine's.
set -euo pipefail

usage()
{
    cat <<'END'
usage: tests/distributions.sh [bookworm | trixie | sid]... [-- OPTION_OF_RUN_SH...]

  (nothing)   all three

Each release is installed below build/distributions by debootstrap (about 2 GB), once; the tree is copied there and
tests/run.sh runs in it as root. Needs root.
END
}

releases=()
while (($#)); do
    case $1 in
        bookworm | trixie | sid) releases+=("$1") ;;
        --) shift; break ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
((${#releases[@]})) || releases=(bookworm trixie sid)
if ((EUID != 0)); then
    echo "tests/distributions.sh: only root can install a release and change into it." >&2
    exit 2
fi

cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
source app/packages.sh
install_missing debootstrap debian-archive-keyring

failed=()
for release in "${releases[@]}"; do
    root=$PWD/build/distributions/$release
    echo "== $release" >&2
    install_release "$release" "$root"
    copy_tree "$root"
    run_in_release "$root" bash tests/run.sh "$@" </dev/null || failed+=("$release")
done
if ((${#failed[@]})); then
    echo "Failed on ${failed[*]}." >&2
    exit 1
fi
echo "Built without a warning, and all tests passed, on ${releases[*]}."
