#!/usr/bin/env bash
# Installs what is missing, builds, and opens Rankdeck's window on the built-in demo launch. Without a display the same
# demo runs in the terminal. Arguments go to rankdeck, or to `rankdeckctl demo` without a display.
set -euo pipefail
script=$(readlink -f "${BASH_SOURCE[0]}")
cd "$(dirname "$script")/.."
source app/packages.sh

packages=("${build_packages[@]}" "${run_packages[@]}")
[[ -n ${DISPLAY:-} || -z ${WAYLAND_DISPLAY:-} ]] || packages+=(qt6-wayland)
install_missing "${packages[@]}"
install_offered "${optional_build_packages[@]}"
become_caller "$script" "$@"

configure release
cmake --build --preset release --parallel "$(nproc)" --target rankdeck rankdeckctl >&2

bin=build/release/bin
if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    exec "$bin/rankdeck" --demo "$@"
fi
echo "No display (DISPLAY and WAYLAND_DISPLAY are not set): the demo runs in this terminal, through rankdeckctl." >&2
exec "$bin/rankdeckctl" demo "$@"
