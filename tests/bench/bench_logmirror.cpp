// Two nodes that print 100 MB/s each into a log for some seconds (the first argument; 5), mirrored by one
// head over sockets: how much arrived meanwhile, how far the mirrors were behind in the end, how long they
// took to catch up, and by how much the head's memory grew. Compresses with a second argument "compress".

#include "agent/channel/frames.h"
#include "run/mirror/logmirror.h"
#include "run/mirror/logsender.h"
#include "support/testhome.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QLocalSocket>
#include <QTimer>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <memory>
#include <vector>

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace rankdeck;

namespace
{

constexpr qint64 bytesPerSecond = 100'000'000;
constexpr qsizetype longestLine = 1024 * 1024;
constexpr quint16 channel = 1;

/// Prints `seconds` long, and sends until it is ended.
class Node : public QObject
{
public:
    Node(const QString &log, int socket, int seconds)
        : m_log(log)
        , m_end(seconds * bytesPerSecond)
        , m_sender({log})
    {
        m_socket.setSocketDescriptor(socket);
        if (!m_log.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
            qFatal("the log cannot be made");
        while (m_text.size() < 1'000'000)
            m_text += "step " + QByteArray::number(m_text.size()) + ": loss 0.123, 456.7 samples/s\n";
        connect(&m_sender, &LogSender::news, this,
                [this](const QByteArray &line) { m_socket.write(line + '\n'); });
        connect(&m_sender, &LogSender::chunk, this,
                [this](const QByteArray &bytes) { m_socket.write(framed(channel, bytes)); });
        connect(&m_socket, &QLocalSocket::readyRead, this, [this] {
            while (m_socket.canReadLine())
                m_sender.take(*LogWish::fromLine(m_socket.readLine().trimmed()));
        });
        connect(&m_socket, &QLocalSocket::disconnected, qApp, &QCoreApplication::quit);
        connect(&m_print, &QTimer::timeout, this, &Node::print);
        m_clock.start();
        m_print.start(10);
    }

private:
    void print()
    {
        const qint64 due = std::min(m_end, m_clock.elapsed() * bytesPerSecond / 1000);
        while (m_log.size() < due)
            m_log.write(m_text.constData(), std::min<qint64>(m_text.size(), due - m_log.size()));
    }

    QFile m_log;
    qint64 m_end;
    QByteArray m_text;
    LogSender m_sender;
    QLocalSocket m_socket;
    QTimer m_print;
    QElapsedTimer m_clock;
};

/// The head's end of one node.
class Head : public QObject
{
public:
    Head(const QString &mirror, int socket, bool compress)
        : m_mirror({mirror}, {.compress = compress})
    {
        m_socket.setReadBufferSize(256 * 1024);
        connect(&m_mirror, &LogMirror::wish, this,
                [this](const QByteArray &line) { m_socket.write(line + '\n'); });
        connect(&m_socket, &QLocalSocket::readyRead, this, &Head::read);
        m_socket.setSocketDescriptor(socket);
        m_mirror.connected();
    }
    qint64 mirrored() const { return m_mirror.size(0); }

private:
    void read()
    {
        m_decoder.add(m_socket.readAll());
        while (const auto item = m_decoder.take()) {
            const auto *frame = std::get_if<Frame>(&*item);
            if (!(frame ? m_mirror.takeChunk(frame->bytes) : m_mirror.takeNews(std::get<QByteArray>(*item))))
                qFatal("the node broke the rules");
        }
    }

    QLocalSocket m_socket;
    FrameDecoder m_decoder{longestLine};
    LogMirror m_mirror;
};

/// Resident memory of this process, bytes.
qint64 memory()
{
    QFile file(u"/proc/self/statm"_s);
    return file.open(QIODevice::ReadOnly)
               ? file.readAll().split(' ').at(1).toLongLong() * sysconf(_SC_PAGESIZE)
               : 0;
}

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double megabytes(qint64 bytes)
{
    return static_cast<double>(bytes) / 1e6;
}

} // namespace

int main(int argc, char **argv)
{
    const int seconds = argc > 1 ? QByteArray(argv[1]).toInt() : 5;
    const bool compress = argc > 2;
    const TestHome home;
    std::vector<pid_t> nodes;
    std::vector<int> sockets;
    for (int node = 0; node < 2; ++node) {
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0)
            return 1;
        nodes.push_back(fork());
        if (nodes.back() == 0) {
            close(ends[0]);
            for (const int other : sockets)
                close(other);
            const QCoreApplication app(argc, argv);
            const Node end(home.path(u"node-%1.log"_s.arg(node)), ends[1], seconds);
            _exit(QCoreApplication::exec());
        }
        close(ends[1]);
        sockets.push_back(ends[0]);
    }

    const QCoreApplication app(argc, argv);
    std::vector<std::unique_ptr<Head>> heads;
    for (std::size_t node = 0; node < sockets.size(); ++node)
        heads.push_back(
            std::make_unique<Head>(home.path(u"mirror/%1.log"_s.arg(node)), sockets[node], compress));
    const qint64 total = 2 * seconds * bytesPerSecond;
    const qint64 memoryBefore = memory();
    qint64 mostMemory = memoryBefore;
    qint64 inTime = 0;
    QElapsedTimer clock;
    clock.start();
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &look, [&] {
        mostMemory = std::max(mostMemory, memory());
        qint64 mirrored = 0;
        for (const auto &head : heads)
            mirrored += head->mirrored();
        if (clock.elapsed() <= seconds * 1000)
            inTime = mirrored;
        if (mirrored == total)
            QCoreApplication::quit();
    });
    look.start(20);
    QCoreApplication::exec();
    const double took = static_cast<double>(clock.elapsed()) / 1000;
    std::printf("printed %.0f MB in %d s; mirrored meanwhile %.0f MB, all after %.1f s (%.0f MB/s)\n",
                megabytes(total), seconds, megabytes(inTime), took, megabytes(total) / took);
    std::printf("the head: %.1f MB resident before, %.1f MB at most, %.2f s of cpu\n",
                megabytes(memoryBefore), megabytes(mostMemory), cpuSeconds());
    heads.clear();
    for (const pid_t node : nodes) {
        kill(node, SIGKILL);
        waitpid(node, nullptr, 0);
    }
    return 0;
}
