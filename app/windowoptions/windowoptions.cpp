#include "windowoptions/windowoptions.h"

#include "base/tr.h"

#include <algorithm>

namespace rankdeck
{

using namespace Qt::StringLiterals;

QList<WindowOption> windowOptions()
{
    return {
        {u"--attach"_s, u"RUN"_s,
         tr("show a run: its name, a unique part of its beginning or end, or \"last\"")},
        {u"--open"_s, u"PATH"_s,
         tr("show logs of any launcher: a directory, or one log of all ranks; or a report bundle "
            "(FILE.tar.gz)")},
        {u"--replay"_s, u"RUN"_s,
         tr("replay a past run, a directory of logs or a report bundle, from its start")},
        {u"--speed"_s, u"N"_s,
         tr("with --replay: how many seconds of the run pass in one, 1 to 1000; "
            "default: 1")},
        {u"--demo"_s, u"[DEMO]"_s,
         tr("start and show a built-in demo of eight ranks, which needs no NPU and invents eight; DEMO is a "
            "word of --list-demos, the first one if it is left out")},
        {u"--list-demos"_s, {}, tr("list the demos")},
        {u"--rank-table"_s, u"FILE"_s, tr("show a rank table and its errors")},
        {u"--lang"_s, u"LANGUAGE"_s,
         tr("language of the window: en, zh, or auto, the system's; default: as in the preferences")},
        {u"--canvas"_s, u"KIND"_s,
         tr("what draws logs and devices: raster (this program, sends pixels), glyphs (the X server) or "
            "bitmaps (this program without smoothing, sends bits); default: raster, but over a network "
            "glyphs, or "
            "bitmaps where the display has no glyphs")},
        {u"--fast-start"_s,
         {},
         tr("ask a display across a network 15 things less, which saves as many round trips; then several "
            "screens count as one, and the wheel scrolls in whole notches")},
        {u"-V, --version"_s, {}, tr("print the version, its commit and that of Qt")},
        {u"-h, --help"_s, {}, tr("print this help")}};
}

const WindowOption *findOption(const QList<WindowOption> &options, const QString &name)
{
    const auto found = std::ranges::find_if(
        options, [&](const WindowOption &option) { return option.names().contains(name); });
    return found == options.end() ? nullptr : &*found;
}

} // namespace rankdeck
