// A log of a GB (the first argument; in GB), 100 bytes a line, in the window: how long until its last line is
// on the screen, until a search has the first hit there, what the window weighs then, and what several views
// of it cost, beside cat of the file in the same run. The log is made in TMPDIR, and read once before, so
// that it is in memory as far as that has room. Needs a display.

#include "logview/panes/logtiles.h"
#include "logview/view/logview.h"
#include "mainwindow/window/mainwindow.h"

#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <functional>

using namespace rankdeck;

namespace
{

constexpr qint64 lineBytes = 100;
constexpr int longestMs = 300'000;

QByteArray line(const QByteArray &text)
{
    return ("[INFO] ME(4711,7f1c,python):2026-11-22-10:00:00.000.000 [train.py:12] " + text)
               .leftJustified(lineBytes - 1, '.', true) +
           '\n';
}

bool write(const QString &path, qint64 bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        return false;
    QByteArray block;
    for (int number = 0; number < 10'000; ++number)
        block += line("loss is 0." + QByteArray::number(number));
    bool ok = file.write(line("the first step")) > 0;
    while (ok && file.size() < bytes)
        ok = file.write(block) == block.size();
    return ok && file.write(line("the last step")) > 0;
}

/// Of this process, megabytes.
double residentMegabytes()
{
    QFile status(u"/proc/self/status"_s);
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &row : status.readAll().split('\n')) {
        if (row.startsWith("VmRSS:"))
            return row.mid(6).trimmed().split(' ').first().toDouble() / 1024;
    }
    return 0;
}

double secondsUntil(const std::function<bool()> &isThere)
{
    QElapsedTimer clock;
    clock.start();
    while (!isThere() && clock.elapsed() < longestMs)
        QTest::qWait(1);
    return double(clock.nsecsElapsed()) / 1e9;
}

void say(const char *what, double seconds, double cat)
{
    std::printf("%-42s %7.3f s  %4.1f times cat  %6.1f MB resident\n", what, seconds, seconds / cat,
                residentMegabytes());
    std::fflush(stdout);
}

} // namespace

int main(int argc, char *argv[])
{
    const QTemporaryDir home;
    qputenv("XDG_STATE_HOME", home.filePath(u"state"_s).toLocal8Bit());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path());
    QCoreApplication::setOrganizationName(u"rankdeck"_s);
    QApplication application(argc, argv);
    const double gigabytes = argc < 2 ? 1 : QByteArray(argv[1]).toDouble();
    const QString folder = home.filePath(u"logs"_s);
    const QString path = folder + u"/worker_0.log"_s;
    if (!QDir().mkpath(folder) || !write(path, qint64(gigabytes * 1e9))) {
        std::fprintf(stderr, "the log cannot be written\n");
        return 1;
    }
    QElapsedTimer clock;
    QProcess cat;
    cat.setStandardOutputFile(QProcess::nullDevice());
    for (int round = 0; round < 2; ++round) {
        clock.start();
        cat.start(u"cat"_s, {path});
        cat.waitForFinished(-1);
    }
    const double catSeconds = double(clock.nsecsElapsed()) / 1e9;
    std::printf("%.1f GB, cat: %.2f s\n", gigabytes, catSeconds);

    MainWindow window;
    window.resize(1280, 800);
    window.show();
    if (!QTest::qWaitForWindowExposed(&window, 30000))
        return 1;
    say("the empty window", 0, catSeconds);
    window.openRecorded(folder);
    const LogPane *pane = nullptr;
    const auto shows = [&](const LogView *view, const char *text) {
        return view && view->visibleText().contains(QLatin1String(text));
    };
    const auto view = [&]() -> LogView * {
        pane = window.findChild<LogTiles *>()->pane(0);
        return pane ? pane->view() : nullptr;
    };
    say("until the last line is shown", secondsUntil([&] { return shows(view(), "the last step"); }),
        catSeconds);

    LogView *const log = view();
    log->setTopLine(0);
    secondsUntil([&] { return shows(log, "the first step"); });
    log->openFind();
    auto *const edit = log->findChild<QLineEdit *>();
    log->findChild<QCheckBox *>(u"findRegex"_s)->setChecked(true);
    edit->setText(u"loss is 0\\.9[0-9]{3}"_s);
    log->findNext(false);
    say("first hit of a regular expression shown", secondsUntil([&] { return shows(log, "loss is 0.9000"); }),
        catSeconds);
    edit->setText(u"the l[a-z]st step"_s);
    log->findNext(false);
    say("one that is only at the end", secondsUntil([&] { return shows(log, "the last step"); }), catSeconds);
    return 0;
}
