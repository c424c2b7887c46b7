#include "windowoptions/windowoptions.h"

namespace rankdeck
{

std::vector<CommandOption> windowOptions()
{
    CommandOption demo = option(
        "--demo [DEMO]", tr("start and show a built-in demo of eight ranks, which needs no NPU and invents "
                            "eight; DEMO is a word of --list-demos, the first one if it is left out"));
    demo.isAnyWord = true;
    return {
        option("--attach RUN",
               tr("show a run: its name, a unique part of its beginning or end, or \"last\"")),
        option("--open PATH", tr("show logs of any launcher: a directory, or one log of all ranks; or a "
                                 "report bundle (FILE.tar.gz)")),
        option("--replay RUN",
               tr("replay a past run, a directory of logs or a report bundle, from its start")),
        option("--speed N",
               tr("with --replay: how many seconds of the run pass in one, 1 to 1000; default: 1")),
        demo,
        option("--list-demos", tr("list the demos")),
        option("--rank-table FILE", tr("show a rank table and its errors")),
        option("--lang LANGUAGE",
               tr("language of the window: en, zh, or auto, the system's; default: as in the preferences")),
        option("--canvas KIND",
               tr("what draws logs and devices: raster (this program, sends pixels), glyphs (the X server) "
                  "or bitmaps (this program without smoothing, sends bits); default: raster, but over a "
                  "network glyphs, or bitmaps where the display has no glyphs")),
        option("--fast-start",
               tr("ask a display across a network 15 things less, which saves as many round trips; then "
                  "several screens count as one, and the wheel scrolls in whole notches")),
        option("-V, --version", tr("print the version, its commit and that of Qt")),
        option("-h, --help", tr("print this help"))};
}

} // namespace rankdeck
