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

# copy_tree ROOT: what git knows, as it stands here. Files keep their times, so that the next build is short.
copy_tree()
{
    local file files=()
    while read -r -d '' file; do
        [[ ! -e $file ]] || files+=("$file")
    done < <(git ls-files -z --cached --others --exclude-standard)
    mkdir -p "$1/rankdeck" "$1/shared"
    find "$1/rankdeck" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
    printf '%s\0' "${files[@]}" | tar -c --null -T - | tar -x -C "$1/rankdeck"
}

# run_tests ROOT OPTION...: mounts are in a namespace of their own, which ends with the tests. Processes are not: in a
# pid namespace the tests would see a container, where nobody can tell whose the processes on an NPU are.
run_tests()
{
    unshare --mount bash -euc '
        root=$1
        shift
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount --rbind /sys "$root/sys"
        [[ ! -d ../shared ]] || mount --bind -o ro ../shared "$root/shared"
        cp /etc/resolv.conf "$root/etc/resolv.conf"
        exec chroot "$root" env -i HOME=/root USER=root LOGNAME=root TERM="${TERM:-dumb}" PATH="$PATH" \
            bash /rankdeck/tests/run.sh "$@"
    ' bash "$@"
}

failed=()
for release in "${releases[@]}"; do
    root=$PWD/build/distributions/$release
    echo "== $release" >&2
    install_release "$release" "$root"
    copy_tree "$root"
    run_tests "$root" "$@" </dev/null || failed+=("$release")
done
if ((${#failed[@]})); then
    echo "Failed on ${failed[*]}." >&2
    exit 1
fi
echo "Built without a warning, and all tests passed, on ${releases[*]}."
