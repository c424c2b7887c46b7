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
  --style     only check formatting (clang-format) and run clang-tidy, on what has not passed yet as it is now
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
[[ -z ${CI:-} ]] || install_offered "${ci_packages[@]}"
[[ -z ${CI:-} || -n $style || -n $fuzz ]] || install_offered "${optional_test_packages[@]}"
become_caller "$script" "${arguments[@]}"

export LC_ALL=C.UTF-8
# What ccache needs for precompiled headers, and for what another clone has compiled.
export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1

# step NAME: here a step begins, and the one before it ends. "end" begins none.
step()
{
    { echo "@ $EPOCHREALTIME $1"; times; } >>build/steps/steps
}

# report [PRESET...]: the steps so far, and the tests of these presets.
report()
{
    step end
    python3 tests/ctestreport.py build/steps/steps "${@/%//Testing/Temporary/LastTest.log}"
}

# build PRESET [TARGET]
build()
{
    step "$1 build"
    configure "$1"
    CCACHE_STATSLOG=$PWD/build/steps/$1.ccache cmake --build --preset "$1" --parallel "$(nproc)" ${2:+--target "$2"}
}

check_style()
{
    step format
    find app core ui tests \( -name '*.h' -o -name '*.cpp' \) -print0 | xargs -0 clang-format-14 --dry-run -Werror
    step tidy
    configure dev # file by file: a unity build would hide a missing include
    python3 tests/tidy.py ${CI:+--minutes 3}
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
    step fuzz
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

# An X server for each core, with a window manager of its own: nobody's windows in the way, nobody's settings. All of them
# end with us. A class of tests with windows has one of them for itself while it runs.
open_displays()
{
    local number numbers=() said
    unset WAYLAND_DISPLAY XAUTHORITY
    export QT_QPA_PLATFORM=xcb
    while ((${#numbers[@]} < $(nproc))); do
        said=$scratch/display${#numbers[@]} # The server before may still hold its own.
        mkfifo "$said"
        Xvfb -displayfd 3 -nolisten tcp -screen 0 1600x1000x24 3>"$said" 2>"$scratch/xvfb.txt" &
        started+=($!)
        if ! read -r -t 30 number <"$said"; then
            cat "$scratch/xvfb.txt" >&2
            echo "Xvfb did not start; its words are above." >&2
            exit 1
        fi
        export DISPLAY=:$number
        XDG_CONFIG_HOME=$scratch/config openbox --sm-disable >"$scratch/openbox.txt" 2>&1 &
        started+=($!)
        numbers+=("{\"id\": \"$number\", \"slots\": 1}")
    done
    local IFS=,
    echo "{\"version\": {\"major\": 1, \"minor\": 0}, \"local\": [{\"displays\": [${numbers[*]}]}]}" >"$scratch/displays"
}

close_displays()
{
    local pid
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$scratch"
}

# run_tests PRESET [CTEST_OPTION...]. The closing lines of ctest also go to build/steps/closing.
# Tests wait more than they compute: one after another on each core, they leave half of it idle.
run_tests()
{
    step "$1 tests"
    XDG_RUNTIME_DIR=$scratch/runtime XDG_STATE_HOME=$scratch/state XDG_CONFIG_HOME=$scratch/config \
        ctest --preset "$1" -j $((2 * $(nproc))) --resource-spec-file "$scratch/displays" "${@:2}" 2>&1 \
        | sed -u '/^[0-9]*% tests passed, /,$ w build/steps/closing'
}

# What ctest says at its end is the last that is printed.
close_tests()
{
    report "${tested[@]/#/build/}"
    cat build/steps/closing
}

mkdir -p build/steps
# .ci/run keeps the steps of its three calls together.
[[ -n ${RANKDECK_STEPS:-} ]] || rm -f build/steps/*
if [[ -n $style ]]; then
    check_style
    report
    exit
fi
if [[ -n $fuzz ]]; then
    run_fuzzers
    report
    exit
fi

started=()
scratch=$(mktemp -d)
trap close_displays EXIT
mkdir -m 700 "$scratch/runtime" "$scratch/state" "$scratch/config"

tested=(check)
build check ${asan:+plain_tests}
open_displays
run_tests check ${asan:+-L plain} "$@" || { close_tests; exit 1; }
if [[ -n $asan ]]; then
    build asan
    tested+=(asan)
    run_tests asan "$@" || { close_tests; exit 1; }
fi
close_tests
