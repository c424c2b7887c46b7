// How long it takes to say which of 8 ranks failed first: their logs, a GB together (the first argument; in
// GB), are written in TMPDIR, of MindSpore's lines, steps and some warnings; one rank ends with a traceback,
// the others with HCCL's timeouts. Measured as `rankdeckctl report DIRECTORY` does it, error catalogue
// included, with the logs out of memory as far as that is permitted and with the logs in memory, beside cat
// of the same files in the same run. Exit code 1 when it takes more than 5 s cold, or the verdict is wrong.
// With --quick, 50 MB, and the limit is a number of times cat: ctest runs that.

#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/verdict/diagnose.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace rankdeck;

namespace
{

constexpr int ranks = 8;
constexpr int failingRank = 3;
constexpr double mostColdSeconds = 5;
constexpr double quickGigabytes = 0.05;
/// 50 MB in memory are looked through in some 14 times what cat takes for them.
constexpr double mostTimesCat = 80;

/// One rank's log. Its clock goes on by 5 ms a line.
class LogWriter
{
public:
    LogWriter(const QString &path, int rank)
        : m_file(path)
        , m_rank(rank)
    {
    }

    bool write(qint64 bytes);

private:
    template <typename... Values>
    void line(const char *form, Values... values)
    {
        const int size = std::snprintf(m_line.data(), std::size_t(m_line.size()), form, values...);
        m_block.append(m_line.constData(), std::min<qsizetype>(size, m_line.size() - 1)).append('\n');
    }
    void training();
    void end();
    const char *stamp();

    QFile m_file;
    int m_rank;
    qint64 m_number = 0;
    QByteArray m_block;
    QByteArray m_line = QByteArray(1024, '\0');
    QByteArray m_stamp = QByteArray(64, '\0');
};

/// "2026-11-22-10:00:00.000.000"
const char *LogWriter::stamp()
{
    const qint64 ms = 5 * m_number;
    std::snprintf(m_stamp.data(), std::size_t(m_stamp.size()), "2026-11-%02d-%02d:%02d:%02d.%03d.000",
                  int(20 + ms / 86'400'000), int(ms / 3'600'000 % 24), int(ms / 60'000 % 60),
                  int(ms / 1000 % 60), int(ms % 1000));
    return m_stamp.constData();
}

void LogWriter::training()
{
    const int pid = 4700 + m_rank;
    const int step = int(m_number / 10);
    ++m_number;
    if (m_number % 10 == 0)
        line("epoch: %d step: %d, loss is %d.%06d", 1 + step / 100'000, step, 9 - step % 9,
             int(m_number * 7919 % 1'000'000));
    else if (m_number % 97 == 0)
        line("[WARNING] PRE_ACT(%d,ffff8aa3150,python):%s [mindspore/ccsrc/backend/common/mem_reuse/"
             "mem_dynamic_allocator.cc:%d] Alloc] The memory pool grows to %d MB.",
             pid, stamp(), 300 + step % 90, 2000 + step % 30'000);
    else if (m_number % 997 == 0)
        line("[WARNING] HCCL(%d,python):%s [hccl_comm.cc:%d] retry %d of a send, it went well", pid, stamp(),
             step % 900, step % 3);
    else
        line("[INFO] KERNEL(%d,ffff8aa3150,python):%s [mindspore/ccsrc/plugin/device/ascend/kernel/"
             "acl_kernel_mod.cc:%d] Launch] Kernel Default/network/layers.%d/MatMul-op%d is launched.",
             pid, stamp(), 100 + step % 400, step % 80, step);
}

void LogWriter::end()
{
    const int pid = 4700 + m_rank;
    if (m_rank == failingRank) {
        line("Traceback (most recent call last):");
        line("  File \"/home/user/train.py\", line 88, in <module>");
        line("    main()");
        line("  File \"/home/user/train.py\", line 61, in main");
        line("    model.train(epochs, dataset)");
        line("  File \"/usr/lib/python3.10/site-packages/mindspore/train/model.py\", line 1082, in train");
        line("    self._train(epoch, dataset)");
        line("ValueError: the batch has 31 samples where 32 are wanted");
        return;
    }
    m_number += 24'000; // HCCL_CONNECT_TIMEOUT is 120 s.
    line("[ERROR] HCCL(%d,python):%s [socket.cc:210] wait socket establish timeout, role[0] rank[%d] "
         "timeout[120 s]",
         pid, stamp(), m_rank);
    line("[ERROR] HCCL(%d,python):%s [transport_manager.cc:733] createLink para:rank[%d]-localUserrank[%d], "
         "dst_rank[%d]-remoteUserrank[%d]",
         pid, stamp(), m_rank, m_rank, failingRank, failingRank);
    line("EI0006: [PID: %d] %s Getting socket times out. Reason: Remote Rank did not send the data in time.",
         pid, stamp());
}

bool LogWriter::write(qint64 bytes)
{
    constexpr qsizetype blockBytes = 1'000'000;
    if (!m_file.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        return false;
    for (qint64 written = 0; written < bytes; written += m_block.size()) {
        m_block.clear();
        while (m_block.size() < std::min<qint64>(blockBytes, bytes - written))
            training();
        if (m_file.write(m_block) != m_block.size())
            return false;
    }
    m_block.clear();
    end();
    return m_file.write(m_block) == m_block.size();
}

/// What has been written through to the disk may leave the memory.
bool dropFromMemory(const QStringList &paths)
{
    return std::all_of(paths.begin(), paths.end(), [](const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) && ::fdatasync(file.handle()) == 0 &&
               ::posix_fadvise(file.handle(), 0, 0, POSIX_FADV_DONTNEED) == 0;
    });
}

/// In seconds; cold: the one time that counts, else the least of three.
template <typename Work>
double secondsOf(const QStringList &paths, bool isCold, const Work &work)
{
    double least = 1e9;
    for (int round = 0; round < (isCold ? 1 : 3); ++round) {
        if (isCold && !dropFromMemory(paths))
            std::fputs("the logs stay in memory: what follows is not cold\n", stderr);
        QElapsedTimer clock;
        clock.start();
        work();
        least = std::min(least, double(clock.nsecsElapsed()) / 1e9);
    }
    return least;
}

struct Times {
    double cat;
    double diagnosis;
};

/// Nothing when the verdict is wrong.
std::optional<Times> measure(const QString &folder, const QStringList &paths, bool isCold)
{
    Times times{};
    times.cat = secondsOf(paths, isCold, [&] {
        QProcess cat;
        cat.setStandardOutputFile(QProcess::nullDevice());
        cat.start(u"cat"_s, paths);
        cat.waitForFinished(-1);
    });
    Verdict verdict;
    times.diagnosis = secondsOf(paths, isCold, [&] {
        if (const auto state = LogDirectory(folder).open())
            verdict = diagnose(*state);
    });
    if (verdict.rank != Rank(failingRank) || verdict.rule != "own-error"_L1) {
        std::fprintf(stderr, "the verdict is wrong: rank %d by %s\n", verdict.rank.value,
                     qPrintable(verdict.rule));
        return std::nullopt;
    }
    return times;
}

void say(const char *what, const Times &times, double gigabytes)
{
    std::printf("%-5s verdict %6.2f s  %5.2f GB/s  cat %6.2f s  %5.1f times cat\n", what, times.diagnosis,
                gigabytes / times.diagnosis, times.cat, times.diagnosis / times.cat);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char *argv[])
{
    const bool isQuick = argc > 1 && qstrcmp(argv[1], "--quick") == 0;
    const double gigabytes = isQuick ? quickGigabytes : argc > 1 ? QByteArray(argv[1]).toDouble() : 1;
    const QTemporaryDir folder;
    const QTemporaryDir home;
    qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
    QStringList paths;
    for (int rank = 0; rank < ranks; ++rank) {
        paths << folder.filePath(u"worker_%1.log"_s.arg(rank));
        if (gigabytes <= 0 || !LogWriter(paths.back(), rank).write(qint64(gigabytes * 1e9 / ranks))) {
            std::fputs("the logs could not be written\n", stderr);
            return 1;
        }
    }
    const auto cold = measure(folder.path(), paths, true);
    const auto warm = measure(folder.path(), paths, false);
    if (!cold || !warm)
        return 1;
    say("cold", *cold, gigabytes);
    say("warm", *warm, gigabytes);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%ld MB resident at most\n", usage.ru_maxrss / 1024);
    const bool isSlow =
        isQuick ? warm->diagnosis > mostTimesCat * warm->cat : cold->diagnosis > mostColdSeconds;
    if (isSlow)
        std::fputs("that is too slow\n", stderr);
    return isSlow ? 1 : 0;
}
