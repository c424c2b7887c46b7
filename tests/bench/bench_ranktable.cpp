// How long a large rank table takes: bench_ranktable [DEVICES] [BYTES_PER_DEVICE], by default 100,000 and
// 1,000. The peer is Python's json module in the same run, since the field's own tools (hccl_tools.py,
// davincirun) read with it: it parses only, without places and without checks.

#include "ranktable/reading/ranktablereader.h"
#include "ranktable/rules/ranktablecheck.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>

using namespace rankdeck;

namespace
{

QByteArray tableOf(int devices, int bytesPerDevice)
{
    const QByteArray note(std::max(bytesPerDevice - 160, 1), 'x');
    QByteArray text = "{\n  \"version\": \"1.0\",\n  \"status\": \"completed\",\n  \"server_count\": \"" +
                      QByteArray::number((devices + 7) / 8) + "\",\n  \"server_list\": [";
    for (int rank = 0; rank < devices; ++rank) {
        if (rank % 8 == 0)
            text += (rank > 0 ? "\n      ]\n    }," : "") +
                    QByteArray("\n    {\n      \"server_id\": \"host-") +
                    QByteArray::number(rank / 8).rightJustified(6, '0') + "\",\n      \"device\": [";
        const QByteArray ip = "10." + QByteArray::number(rank >> 16) + '.' +
                              QByteArray::number(rank >> 8 & 255) + '.' + QByteArray::number(rank & 255);
        text += (rank % 8 > 0 ? "," : "") + QByteArray("\n        {\n          \"device_id\": \"") +
                QByteArray::number(rank % 8) + "\",\n          \"device_ip\": \"" + ip +
                "\",\n          \"rank_id\": \"" + QByteArray::number(rank) + "\",\n          \"note\": \"" +
                note + "\"\n        }";
    }
    return text + "\n      ]\n    }\n  ]\n}\n";
}

double secondsOf(const std::function<void()> &work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e9;
}

} // namespace

int main(int argc, char *argv[])
{
    const int devices = argc > 1 ? std::atoi(argv[1]) : 100'000;
    const int bytesPerDevice = argc > 2 ? std::atoi(argv[2]) : 1'000;
    const QTemporaryDir directory;
    const QString path = directory.filePath(u"table.json"_s);
    QFile file(path);
    if (devices < 1 || !file.open(QIODevice::WriteOnly) || file.write(tableOf(devices, bytesPerDevice)) < 0) {
        std::fprintf(stderr, "usage: bench_ranktable [DEVICES] [BYTES_PER_DEVICE]\n");
        return 2;
    }
    file.close();

    const auto peer = [&] {
        QProcess::execute(u"python3"_s, {u"-c"_s, u"import json, sys; json.load(open(sys.argv[1]))"_s, path});
    };
    peer(); // Both find the file in memory.
    std::printf("%d devices, %.1f MB\n%8s %8s %8s %12s\n", devices, static_cast<double>(file.size()) / 1e6,
                "read s", "check s", "python s", "check/python");
    for (int round = 0; round < 5; ++round) {
        int read = 0;
        const double readSeconds = secondsOf([&] {
            const auto table = readRankTable(path);
            read = table ? table->deviceCount() : 0;
        });
        const double checkSeconds = secondsOf([&] {
            const auto report = checkRankTableFile(path);
            read += report ? report->table.deviceCount() : 0;
        });
        const double peerSeconds = secondsOf(peer);
        if (read != 2 * devices) {
            std::fprintf(stderr, "the table was not read whole\n");
            return 1;
        }
        std::printf("%8.2f %8.2f %8.2f %12.2f\n", readSeconds, checkSeconds, peerSeconds,
                    checkSeconds / peerSeconds);
    }
    return 0;
}
