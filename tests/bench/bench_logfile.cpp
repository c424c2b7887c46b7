// A log of a GB (the first argument; in GB), 100 bytes a line, as a window opens it: indexed from its
// beginning, its last page read, searched for what is nowhere, beside cat and wc -l in the same run; and what
// its index weighs. The log is made in TMPDIR, and read once before, so that it is in memory as far as that
// has room.

#include "log/file/logfile.h"
#include "log/file/logfollower.h"
#include "log/file/logsearch.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <cstdio>
#include <memory>

#include <sys/resource.h>

using namespace rankdeck;

namespace
{

constexpr qint64 lineBytes = 100;

bool write(const QString &path, qint64 bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        return false;
    QByteArray block;
    for (int line = 0; line < 10'000; ++line)
        block +=
            u"[INFO] ME(4711,7f1c,python):2026-11-22-10:00:00.000.000 [train.py:%1] loss is 0.12"_s.arg(line)
                .leftJustified(lineBytes - 1, '.'_L1, true)
                .toLatin1() +
            '\n';
    while (file.size() < bytes) {
        if (file.write(block) != block.size())
            return false;
    }
    return true;
}

/// The least of three times, in seconds.
template <typename Work>
double secondsOf(const Work &work)
{
    double least = 1e9;
    for (int round = 0; round < 3; ++round) {
        QElapsedTimer clock;
        clock.start();
        work();
        least = std::min(least, double(clock.nsecsElapsed()) / 1e9);
    }
    return least;
}

long residentKilobytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

void say(const char *what, double seconds, double gigabytes, double cat)
{
    std::printf("%-34s %6.2f s  %5.2f GB/s  %4.1f times cat\n", what, seconds, gigabytes / seconds,
                seconds / cat);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char *argv[])
{
    const double gigabytes = argc < 2 ? 1 : QByteArray(argv[1]).toDouble();
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"worker_0.log"_s);
    if (gigabytes <= 0 || !write(path, qint64(gigabytes * 1e9))) {
        std::fputs("the log could not be written\n", stderr);
        return 1;
    }
    const auto program = [&](const QStringList &arguments) {
        return secondsOf([&] {
            QProcess process;
            process.setStandardOutputFile(QProcess::nullDevice());
            process.start(arguments.first(), arguments.mid(1));
            process.waitForFinished(-1);
        });
    };
    const double cat = program({u"cat"_s, path});
    say("cat FILE > /dev/null", cat, gigabytes, cat);
    say("wc -l FILE", program({u"wc"_s, u"-l"_s, path}), gigabytes, cat);
    const long before = residentKilobytes();
    qint64 lines = 0;
    const auto opened = secondsOf([&] {
        LogFile log(path);
        while (log.poll().value().more) {
        }
        lines = log.totalLines();
        log.read(LineNumber(lines - 60), 60);
    });
    say("opened, last page read", opened, gigabytes, cat);
    std::printf("%lld lines, index and buffers: %ld kB\n", static_cast<long long>(lines),
                residentKilobytes() - before);

    LogFile log(path);
    while (log.poll().value().more) {
    }
    const auto search = [&](const LogPattern &pattern, LineNumber from = {}) {
        return secondsOf([&] {
            auto finder = std::make_unique<PatternFinder>(LogMatcher::create(pattern).value());
            LogSearch looking(log, std::move(finder), from, false);
            while (looking.step(log, LogFile::pollBudget) == LogSearch::State::Running) {
            }
        });
    };
    const auto plain = [](const char *text, bool caseSensitive = true) {
        return LogPattern{QString::fromLatin1(text), false, caseSensitive};
    };
    const auto regex = [](const char *text) {
        return LogPattern{QString::fromLatin1(text)};
    };
    say("searched", search(plain("Traceback")), gigabytes, cat);
    say("searched, either case", search(plain("traceback", false)), gigabytes, cat);
    say("regex Traceback.*last", search(regex("Traceback.*last")), gigabytes, cat);
    say("regex (Runtime|Value)Error: \\d+", search(regex("(Runtime|Value)Error: \\d+")), gigabytes, cat);
    say("regex loss is .*nan", search(regex("loss is .*nan")), gigabytes, cat);
    say("regex \\d{5}\\.[a-f]+, no word in it", search(regex("\\d{5}\\.[a-f]+")), gigabytes, cat);
    say("next error", secondsOf([&] {
            LogSearch looking(log, std::make_unique<ErrorFinder>(), LineNumber(0), false);
            while (looking.step(log, LogFile::pollBudget) == LogSearch::State::Running) {
            }
        }),
        gigabytes, cat);
    std::printf("first hit of a regex at its begin: %.2f ms\n", search(regex("loss is \\d")) * 1e3);
    return 0;
}
