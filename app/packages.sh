# shellcheck shell=bash disable=SC2034
# What Rankdeck needs from the system, and how the scripts get it. Sourced by app/demo.sh and tests/run.sh (bash).

# Debian 12 and Ubuntu 24.04 name these packages alike.
build_packages=(cmake ninja-build g++ qt6-base-dev libgl-dev nlohmann-json3-dev libdtl-dev libre2-dev
                libarchive-dev libutf8proc-dev libncurses-dev libvterm-dev libxcb1-dev libxcb-render0-dev libxcb-shape0-dev
                qt6-l10n-tools)
# Rankdeck is built without what these are for where they cannot be had.
optional_build_packages=(libgloo-dev)
run_packages=(python3 fonts-dejavu-core)
# What app/record-demo.sh records with.
record_packages=(xvfb ffmpeg)
# What packages bring along: a font for English, and a small free one for Chinese, Japanese and Korean.
font_packages=(fonts-dejavu-core fonts-wqy-microhei)
test_packages=(xvfb xauth openbox fonts-noto-cjk patch lld appstream desktop-file-utils icu-devtools
               python3-venv xz-utils)
# Tests that need these are skipped without them. They are large, so only continuous integration installs them.
optional_test_packages=(
    python3-torch openssh-server openssh-client
    slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge iproute2 tcsh fish zsh elfutils
    gdb strace openmpi-bin python3-ipdb libfaketime lowdown tmux dbus-daemon
)
# Continuous integration compiles only what is new with it.
ci_packages=(ccache)
# The version is part of the name: another one formats the tree differently.
style_packages=(clang-format-14 clang-tidy-14)
fuzz_packages=(clang-14 libclang-rt-14-dev)

declare -A openeuler_name=(
    [g++]=gcc-c++ [qt6-base-dev]=qt6-qtbase-devel [qt6-l10n-tools]=qt6-qttools-devel [libgl-dev]=mesa-libGL-devel
    [nlohmann-json3-dev]=nlohmann-json-devel [libre2-dev]=re2-devel [libutf8proc-dev]=utf8proc-devel
    [libncurses-dev]=ncurses-devel [libarchive-dev]=libarchive-devel [libvterm-dev]=libvterm-devel
    [libxcb1-dev]=libxcb-devel [libxcb-render0-dev]=libxcb-devel [libxcb-shape0-dev]=libxcb-devel
    [fonts-dejavu-core]=dejavu-fonts [fonts-noto-cjk]=google-noto-cjk-fonts [xvfb]=xorg-x11-server-Xvfb
    [xauth]=xorg-x11-xauth
    [clang-14]=clang [libclang-rt-14-dev]=compiler-rt [clang-format-14]=clang-tools-extra [clang-tidy-14]=clang-tools-extra
)

# What openEuler has no package of, as far as we know: the file that shows that it is there, and where it comes from.
declare -A openeuler_file=([libdtl-dev]=/usr/include/dtl/dtl.hpp)
declare -A openeuler_source=(
    [libdtl-dev]="copy the folder dtl of github.com/cubicdaiya/dtl to /usr/include (headers only, nothing to build)"
)

is_installed()
{
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# install_missing PACKAGE...: does nothing, in a fraction of a second, when all are there.
install_missing()
{
    if ! command -v apt-get >/dev/null; then
        install_missing_by_hand "$@"
        return
    fi
    local missing=() package
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]})) || return 0

    local as_root=()
    if ((EUID != 0)); then
        if ! command -v sudo >/dev/null; then
            echo "${missing[*]}: not installed. Run this as root: apt-get install ${missing[*]}" >&2
            exit 2
        fi
        as_root=(sudo)
    fi
    echo "Installing ${missing[*]}" >&2
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    if ! "${apt[@]}" update >&2 || ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2; then
        echo "${missing[*]}: apt-get could not install them. Its last lines above say why." >&2
        exit 2
    fi
}

# install_offered PACKAGE...: those that apt-get can get; without the others, and without apt-get, nothing happens.
install_offered()
{
    command -v apt-get >/dev/null || return 0
    local offered=() package
    for package in "$@"; do
        is_installed "$package" && continue
        [[ ! $(LC_ALL=C apt-cache policy "$package") =~ Candidate:\ [^\(] ]] || offered+=("$package")
    done
    ((!${#offered[@]})) || (install_missing "${offered[@]}") || echo "Going on without ${offered[*]}." >&2
}

# Where there is no apt-get the packages are only named: repositories there differ too much to install from blindly.
install_missing_by_hand()
{
    [[ -z ${RANKDECK_SKIP_PACKAGES:-} ]] || return 0
    local missing=() by_hand=() package name
    for package in "$@"; do
        if [[ -n ${openeuler_file[$package]:-} ]]; then
            [[ -e ${openeuler_file[$package]} ]] || by_hand+=("${openeuler_source[$package]}")
            continue
        fi
        name=${openeuler_name[$package]:-$package}
        rpm -q --quiet "$name" 2>/dev/null || missing+=("$name")
    done
    ((${#missing[@]} + ${#by_hand[@]})) || return 0
    echo "This system has no apt-get." >&2
    ((!${#missing[@]})) || echo "On openEuler: sudo dnf install ${missing[*]}" >&2
    ((!${#by_hand[@]})) || printf 'No package is known: %s\n' "${by_hand[@]}" >&2
    echo "If they are there under other names, set RANKDECK_SKIP_PACKAGES=1 and start again." >&2
    exit 2
}

# install_release RELEASE ROOT [OPTION...]: Debian or Ubuntu in a folder, by debootstrap; a half-installed one is installed
# anew. For Ubuntu the keys of its archive must be here: its package ubuntu-keyring has them.
install_release()
{
    [[ ! -e $2/installed ]] || return 0
    local options=("${@:3}") script=()
    if [[ $1 == jammy || $1 == noble ]]; then
        options+=(--force-check-gpg --components=main,universe)
        script=("" gutsy) # That of all later releases. It has the mirror.
    fi
    rm -rf "$2"
    debootstrap --variant=minbase "${options[@]}" "$1" "$2" "${script[@]}"
    # A mirror may be a snapshot: apt would call its lists expired.
    echo 'Acquire::Check-Valid-Until "false";' >"$2/etc/apt/apt.conf.d/snapshot"
    touch "$2/installed"
}

# copy_tree ROOT: what git knows, as it stands here, to ROOT/rankdeck. Files keep their times, so that the next build is
# short.
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

# run_in_release ROOT COMMAND...: in the tree that was copied there. Mounts are in a namespace of their own, which ends with
# the command. Processes are not: in a pid namespace tests would see a container, where nobody can tell whose the processes
# on an NPU are.
run_in_release()
{
    unshare --mount bash -euc '
        root=$1
        shift
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount --rbind /sys "$root/sys"
        [[ ! -d ../shared ]] || mount --bind -o ro ../shared "$root/shared"
        cp /etc/resolv.conf "$root/etc/resolv.conf"
        exec chroot "$root" env -i -C /rankdeck HOME=/root USER=root LOGNAME=root TERM="${TERM:-dumb}" PATH="$PATH" "$@"
    ' bash "$@"
}

# become_caller SCRIPT [ARGUMENT...]: under sudo, go on as the user who called it, so that nothing that is built or
# written belongs to root. Returns when there is no such user or the tree is not that user's to write.
become_caller()
{
    ((EUID == 0)) && [[ -n ${SUDO_USER:-} && ${SUDO_UID:-0} != 0 ]] || return 0
    runuser -u "$SUDO_USER" -- test -w "$(dirname "$1")" || return 0
    local environment=(-u SUDO_USER -u SUDO_UID -u SUDO_GID -u SUDO_COMMAND -u MAIL -u XDG_RUNTIME_DIR
                       HOME="$(getent passwd "$SUDO_USER" | cut -d: -f6)" USER="$SUDO_USER" LOGNAME="$SUDO_USER")
    [[ ! -d /run/user/$SUDO_UID ]] || environment+=(XDG_RUNTIME_DIR="/run/user/$SUDO_UID")
    exec runuser -u "$SUDO_USER" -- env "${environment[@]}" bash "$@"
}

# configure PRESET: ccache is used where it is installed, never needed. Continuous integration builds everything anew
# each time, and debug information takes long to write.
configure()
{
    local options=()
    ! command -v ccache >/dev/null || options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    [[ -z ${CI:-} ]] || options+=(-DCMAKE_CXX_FLAGS_DEBUG=-g0)
    cmake --preset "$1" "${options[@]}" >/dev/null || exit 1
}
