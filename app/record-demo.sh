#!/usr/bin/env bash
# Records a demo in the window, on a display of its own, for documents.
#
#   app/record-demo.sh [--bin DIR] [--fast N] DEMO FILE
#
# FILE is an animation (.gif), a film (.mp4, .webm) or a picture of the end (.png). --fast shows it N times as fast (4).
# --bin takes programs that are built; without it the release preset is built. `rankdeck --demo` names the demos.
set -euo pipefail
script=$(readlink -f "${BASH_SOURCE[0]}")
bin=
fast=4
while [[ ${1:-} == --* ]]; do
    case $1 in
        --bin) bin=$(readlink -f "$2") ;;
        --fast) fast=$2 ;;
        *) sed -n '2,7s/^# \?//p' "$script"; exit 2 ;;
    esac
    shift 2
done
if (($# != 2)) || [[ ! $fast =~ ^[1-9][0-9]*$ || ! $2 =~ \.(gif|mp4|webm|png)$ ]]; then
    sed -n '2,7s/^# \?//p' "$script" >&2
    exit 2
fi
demo=$1
file=$(realpath -m "$2")
cd "$(dirname "$script")/.."
source app/packages.sh

install_missing "${record_packages[@]}" "${run_packages[@]}"
if [[ -z $bin ]]; then
    install_missing "${build_packages[@]}"
    configure release
    cmake --build --preset release --parallel "$(nproc)" --target rankdeck rankdeckctl >&2
    bin=$PWD/build/release/bin
fi

# The window leaves room for a frame, which nobody draws here.
readonly screen=1216x848 size=1200x800 rate=10 after=6 limit=240
scratch=$(mktemp -d "${TMPDIR:-/tmp}/demo-XXXXXX")
started=()
close_all()
{
    local at
    for ((at = ${#started[@]} - 1; at >= 0; --at)); do
        kill "${started[at]}" 2>/dev/null || true
        wait "${started[at]}" 2>/dev/null || true
    done
    "$bin/rankdeckctl" stop last >/dev/null 2>&1 || true
    rm -rf "$scratch"
}
trap close_all EXIT

# Nobody's runs and nobody's settings.
export XDG_STATE_HOME=$scratch/state XDG_CONFIG_HOME=$scratch/config XDG_RUNTIME_DIR=$scratch/runtime HOME=$scratch/home
mkdir -m 700 "$scratch/runtime" "$scratch/home"
mkfifo "$scratch/display"
Xvfb -displayfd 3 -nolisten tcp -screen 0 ${screen}x24 3>"$scratch/display" 2>"$scratch/xvfb.txt" &
started+=($!)
if ! read -r -t 30 number <"$scratch/display"; then
    cat "$scratch/xvfb.txt" >&2
    echo "Xvfb did not start; its words are above." >&2
    exit 1
fi
export DISPLAY=:$number QT_QPA_PLATFORM=xcb
unset WAYLAND_DISPLAY XAUTHORITY

"$bin/rankdeck" --demo "$demo" >"$scratch/window.txt" 2>&1 &
window=$!
started+=("$window")
until [[ $("$bin/rankdeckctl" list --json) == *'"name"'* ]]; do
    if ! kill -0 "$window" 2>/dev/null; then
        cat "$scratch/window.txt" >&2
        exit 2
    fi
    sleep 0.1
done
ffmpeg -nostdin -loglevel error -f x11grab -draw_mouse 0 -framerate "$rate" -video_size "$size" -i "$DISPLAY" \
    -c:v libx264rgb -preset ultrafast -qp 0 "$scratch/raw.mkv" &
recorder=$!
started+=("$recorder")
# A demo that waits for its user, as `debug` does, never ends by itself.
"$bin/rankdeckctl" wait last --timeout "$limit" >/dev/null 2>&1 || true
sleep "$after"
kill -INT "$recorder"
wait "$recorder" || true

# The last frame stands still for a while before an animation begins again.
readonly shown="setpts=PTS/$fast,fps=5,tpad=stop_mode=clone:stop_duration=3"
readonly colours="split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none:diff_mode=rectangle"
convert_to()
{
    ffmpeg -nostdin -loglevel error -y "$@" "$file"
}
case $file in
    *.gif) convert_to -i "$scratch/raw.mkv" -vf "$shown,scale=900:-1:flags=lanczos,$colours" ;;
    *.png) convert_to -sseof -1 -i "$scratch/raw.mkv" -update 1 -frames:v 1 ;;
    *) convert_to -i "$scratch/raw.mkv" -vf "$shown" -pix_fmt yuv420p ;;
esac
echo "$file"
