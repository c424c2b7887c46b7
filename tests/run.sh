#!/usr/bin/env bash
# Installs what is missing, builds preset check and runs every test, windows under an X server of their own.
set -euo pipefail

usage()
{
    cat <<'END'
usage: tests/run.sh [--asan] [--style] [--fuzz] [CTEST_OPTION...]

  (nothing)   build preset check and run every test
  --asan      every test with the address and undefined-behaviour sanitizers; without them only those that
              measure, pack or install (label "plain"). Also with RANKDECK_ASAN=1
  --style     only check formatting (clang-format) and run clang-tidy
  --fuzz      only feed what reads rank tables, run directories, messages, logs of failures and the output of programs
              in terminals with what fuzzers make of ours, for a minute; the run's socket, and what reads the output of
              npu-smi, for another one each meanwhile

Everything else goes to ctest, for example -R ranktable.
END
}

asan=${RANKDECK_ASAN:-}
style=
fuzz=
arguments=("$@")
while (($#)); do
    case $1 in
        --asan) asan=1 ;;
        --style) style=1 ;;
        --fuzz) fuzz=1 ;;
        -h | --help) usage; exit 0 ;;
        *) break ;;
    esac
    shift
done

script=$(readlink -f "${BASH_SOURCE[0]}")
cd "$(dirname "$script")/.."
source app/packages.sh
packages=("${build_packages[@]}" "${run_packages[@]}" "${test_packages[@]}")
[[ -z $style ]] || packages+=("${style_packages[@]}")
[[ -z $fuzz ]] || packages+=("${fuzz_packages[@]}")
install_missing "${packages[@]}"
install_offered "${optional_build_packages[@]}"
[[ -z ${CI:-} || -n $style || -n $fuzz ]] || install_offered "${optional_test_packages[@]}"
become_caller "$script" "${arguments[@]}"

export LC_ALL=C.UTF-8
# What ccache needs for precompiled headers, and for what another clone has compiled.
export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1

# build PRESET [TARGET]
build()
{
    configure "$1"
    cmake --build --preset "$1" --parallel "$(nproc)" ${2:+--target "$2"}
}

# Those of app, core and ui that clang-tidy is to look at, as one regular expression. Continuous integration has an hour
# for everything: it looks at what has changed, or whose header has, since .ci/tidied, a commit that all of them passed
# at. Where that is not in the clone, and everywhere else, it is all of them.
tidied_sources()
{
    local base
    base=$(<.ci/tidied)
    if [[ -z ${CI:-} ]] || ! git cat-file -e "$base^{commit}" 2>/dev/null; then
        echo "$PWD/(app|core|ui)/.*\.cpp$"
        return
    fi
    local stems
    stems=$(git diff --name-only "$base" -- app core ui | sed -nE 's/\.(h|cpp)$//p' | sort -u | paste -sd '|')
    echo "$PWD/(${stems:-none})\.cpp$"
}

check_style()
{
    find app core ui tests \( -name '*.h' -o -name '*.cpp' \) -print0 | xargs -0 clang-format-14 --dry-run -Werror
    configure dev # file by file: a unity build would hide a missing include
    # So would the precompiled headers, which are another compiler's. The headers of a room are looked at where they are,
    # not behind the links that lead there.
    mkdir -p build/tidy
    sed -E -e 's/ -Winvalid-pch -include [^ ]+//' -e 's#"command": "[^ ]*ccache #"command": "#' \
        -e "s# -I$PWD/build/dev/rooms/[^ ]+##g" -e "s#( -std=)# -I$PWD/core -I$PWD/ui -I$PWD/app\\1#" \
        build/dev/compile_commands.json >build/tidy/compile_commands.json
    local report=build/clang-tidy.txt
    if ! run-clang-tidy-14 -quiet -p build/tidy -j "$(nproc)" "$(tidied_sources)" 2>&1 \
        | sed 's/\x1b\[[0-9;]*m//g' >"$report"; then
        grep -E '(error|warning): ' "$report" | sort -u || tail -n 20 "$report"
        echo "clang-tidy is not content; all it says is in $report" >&2
        return 1
    fi
    echo "Style: clang-format and clang-tidy have nothing to say."
}

# fuzz TARGET SECONDS. What it finds stays in build/fuzz/found, to be given to the same program again.
fuzz()
{
    local target=$1 found=build/fuzz/found corpus=build/fuzz/corpus/$1 seeds=("tests/data/fuzz/$1")
    [[ $target != ranktable ]] || seeds=(tests/data/ranktables)
    [[ $target != ranktable || ! -d ../shared/data/ranktables ]] || seeds+=(../shared/data/ranktables)
    [[ $target != npusmi || ! -d ../shared/data/npu-smi ]] || seeds+=(../shared/data/npu-smi)
    mkdir -p "$found" "$corpus"
    echo "Fuzzing fuzz_$target"
    "build/fuzz/bin/fuzz_$target" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
        -print_final_stats=1 -artifact_prefix="$found/$target-" "$corpus" "${seeds[@]}" || show_found "$target"
}

# Where the machine is gone with its files, the output is what is left to find the fault with. Fails.
show_found()
{
    local input
    for input in build/fuzz/found/"$1"-*; do
        echo "$input, gzip and base64:"
        gzip -9 <"$input" | base64
    done
    return 1
}

# What everybody may send to a run's socket, and what npu-smi prints, have a minute of their own each, beside the minute
# that the others share.
run_fuzzers()
{
    build fuzz
    local shared=(ranktable order journal record frames verdict terminal recorder) own=(talk npusmi) started=() target index
    mkdir -p build/fuzz
    for target in "${own[@]}"; do
        fuzz "$target" 60 >"build/fuzz/$target.txt" 2>&1 &
        started+=($!)
    done
    for target in "${shared[@]}"; do
        fuzz "$target" $((60 / ${#shared[@]}))
    done
    for index in "${!own[@]}"; do
        wait "${started[index]}" || { cat "build/fuzz/${own[index]}.txt" >&2; return 1; }
        tail -n 12 "build/fuzz/${own[index]}.txt"
    done
}

# An X server and a window manager of our own: nobody's windows in the way, nobody's settings. Both end with us.
open_display()
{
    mkfifo "$scratch/display"
    Xvfb -displayfd 3 -nolisten tcp -screen 0 1600x1000x24 3>"$scratch/display" 2>"$scratch/xvfb.txt" &
    started+=($!)
    local number
    if ! read -r -t 30 number <"$scratch/display"; then
        cat "$scratch/xvfb.txt" >&2
        echo "Xvfb did not start; its words are above." >&2
        exit 1
    fi
    export DISPLAY=:$number QT_QPA_PLATFORM=xcb
    unset WAYLAND_DISPLAY XAUTHORITY
    XDG_CONFIG_HOME=$scratch/config openbox --sm-disable >"$scratch/openbox.txt" 2>&1 &
    started+=($!)
}

close_display()
{
    local pid
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$scratch"
}

# Tests wait more than they compute: one after another on each core, they leave half of it idle.
run_tests()
{
    XDG_RUNTIME_DIR=$scratch/runtime XDG_STATE_HOME=$scratch/state XDG_CONFIG_HOME=$scratch/config \
        ctest --preset "$1" -j $((2 * $(nproc))) "${@:2}"
}

if [[ -n $style ]]; then
    check_style
    exit
fi
if [[ -n $fuzz ]]; then
    run_fuzzers
    exit
fi

started=()
scratch=$(mktemp -d)
trap close_display EXIT
mkdir -m 700 "$scratch/runtime" "$scratch/state" "$scratch/config"

build check ${asan:+plain_tests}
open_display
run_tests check ${asan:+-L plain} "$@"
if [[ -n $asan ]]; then
    build asan
    run_tests asan "$@"
fi
