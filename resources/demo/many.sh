#!/bin/sh
# A simulated rank of Rankdeck's demo of many ranks. Rank 0 runs many.py, which writes what all of them print; the others
# only wait, and the one that is to fail does so when many.py tells it why.
# many.sh FAILING_RANK OPTIONS_OF_many.py
failing=$1
shift
if [ "$RANK" = 0 ]; then
    exec python3 "$(dirname "$0")/many.py" --fail-rank "$failing" "$@"
fi
if [ "$RANK" != "$failing" ]; then
    exec sleep 1000000
fi
log=$(readlink /proc/$$/fd/1)
why=${log%/*/*}/why
while [ ! -p "$why" ]; do
    sleep 0.1
done
cat "$why" >&2
exit 1
