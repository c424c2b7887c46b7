#include "run/mirror/logmirror.h"
#include "run/mirror/logsender.h"
#include "support/smalldisk.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <QTimer>

#include <memory>

namespace tst_logmirror
{

using namespace rankdeck;

/// Both ends of mirrored logs, with a link between them that can be cut.
class LogMirrorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aMirrorGrowsWithItsLog_data();
    void aMirrorGrowsWithItsLog();
    void whatIsShownComesFirst();
    void whatIsNotFollowedIsOnlyToldOf();
    void afterABreakItGoesOnWhereItWas_data();
    void afterABreakItGoesOnWhereItWas();
    void leavingAndFollowingAgainLosesNothing();
    void aLogThatBeginsAnewIsMirroredAnew_data();
    void aLogThatBeginsAnewIsMirroredAnew();
    void aMirrorThatWasRemovedIsFetchedAgain();
    void aFullDiskIsWaitedFor();
    void aMirrorThatCannotBeWrittenIsGivenUp();
    void noMoreIsSentThanWasGranted();
    void theRateIsKept();
    void aNodeThatBreaksTheRulesIsRefused_data();
    void aNodeThatBreaksTheRulesIsRefused();

private:
    static constexpr int limitMs = 30000;
    static constexpr int logs = 3;

    QString logPath(int file) const { return m_home->path(u"node-%1.log"_s.arg(file)); }
    QString mirrorPath(int file) const { return m_home->path(u"mirror/rank-%1.log"_s.arg(file)); }
    void startSender();
    void startMirror(const LogMirror::Options &options, const QStringList &files = {});
    void append(int file, const QByteArray &text) const
    {
        QFile log(logPath(file));
        QVERIFY(log.open(QIODevice::Append) && log.write(text) == text.size());
    }
    static QByteArray textOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    bool isSame(int file) const { return textOf(logPath(file)) == textOf(mirrorPath(file)); }
    /// Lines that differ, so that a piece in the wrong place shows.
    static QByteArray lines(int count)
    {
        QByteArray text;
        for (int line = 0; line < count; ++line)
            text += "step " + QByteArray::number(line) + ": loss 0.123456789\n";
        return text;
    }

    std::unique_ptr<TestHome> m_home;
    std::unique_ptr<LogSender> m_sender;
    std::unique_ptr<LogMirror> m_mirror;
    bool m_isUp = true;
    bool m_isSlow = false; ///< Chunks are on their way for a while.
    bool m_isRefused = false;
    QList<LogChunk> m_chunks; ///< That were sent.
    qint64 m_wireBytes = 0;
};

void LogMirrorTest::init()
{
    m_mirror.reset();
    m_sender.reset();
    m_home = std::make_unique<TestHome>();
    m_isUp = true;
    m_isSlow = false;
    m_isRefused = false;
    m_chunks.clear();
    m_wireBytes = 0;
}

void LogMirrorTest::startSender()
{
    QStringList paths;
    for (int file = 0; file < logs; ++file)
        paths << logPath(file);
    m_sender = std::make_unique<LogSender>(paths, std::chrono::milliseconds(20));
    connect(m_sender.get(), &LogSender::news, this, [this](const QByteArray &line) {
        QVERIFY(isLogLine(line));
        if (m_isUp)
            m_isRefused = !m_mirror->takeNews(line) || m_isRefused;
    });
    connect(m_sender.get(), &LogSender::chunk, this, [this](const QByteArray &bytes) {
        if (!m_isUp)
            return;
        m_wireBytes += bytes.size();
        m_chunks << *LogChunk::fromBytes(bytes);
        const auto deliver = [this, bytes] {
            m_isRefused = !m_mirror->takeChunk(bytes) || m_isRefused;
        };
        if (m_isSlow)
            QTimer::singleShot(5, m_mirror.get(), deliver);
        else
            deliver();
    });
}

void LogMirrorTest::startMirror(const LogMirror::Options &options, const QStringList &files)
{
    QStringList paths = files;
    for (int file = 0; paths.size() < logs; ++file)
        paths << mirrorPath(file);
    m_mirror = std::make_unique<LogMirror>(paths, options);
    connect(m_mirror.get(), &LogMirror::wish, this, [this](const QByteArray &line) {
        QVERIFY(isLogLine(line));
        if (m_isUp && m_sender)
            m_sender->take(*LogWish::fromLine(line));
    });
}

void LogMirrorTest::aMirrorGrowsWithItsLog_data()
{
    QTest::addColumn<bool>("compress");
    QTest::newRow("as it is") << false;
    QTest::newRow("compressed") << true;
}

void LogMirrorTest::aMirrorGrowsWithItsLog()
{
    QFETCH(bool, compress);
    append(0, "there before\n");
    startSender();
    LogMirror::Options options;
    options.compress = compress;
    startMirror(options);
    m_mirror->connected();
    QTRY_VERIFY_WITH_TIMEOUT(isSame(0), limitMs);
    const QByteArray text = lines(20000);
    append(0, text);
    append(1, text.left(1000));
    QTRY_VERIFY_WITH_TIMEOUT(isSame(0) && isSame(1), limitMs);
    QVERIFY(!QFile::exists(mirrorPath(2)));
    append(2, QByteArray("\0\xff\r\n\n", 5));
    QTRY_VERIFY_WITH_TIMEOUT(isSame(2) && QFile::exists(mirrorPath(2)), limitMs);
    QCOMPARE(m_mirror->behind(), 0);
    QVERIFY(!m_isRefused);
    QVERIFY(compress ? m_wireBytes < text.size() / 2 : m_wireBytes > text.size());
    const auto open =
        QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
    QVERIFY(!(QFile::permissions(mirrorPath(0)) & open));
    QVERIFY(!(QFile::permissions(m_home->path("mirror")) & open));
}

void LogMirrorTest::whatIsShownComesFirst()
{
    for (int file = 0; file < logs; ++file)
        append(file, lines(50000));
    startSender();
    startMirror({});
    m_mirror->setFirst({1});
    m_mirror->connected();
    QTRY_VERIFY_WITH_TIMEOUT(m_mirror->behind() == 0 && isSame(0) && isSame(1) && isSame(2), limitMs);
    qsizetype lastShown = 0;
    qsizetype firstOther = m_chunks.size();
    for (qsizetype index = 0; index < m_chunks.size(); ++index) {
        if (m_chunks[index].file == 1)
            lastShown = index;
        else
            firstOther = std::min(firstOther, index);
    }
    QVERIFY(lastShown < firstOther);
    // The others take turns.
    QVERIFY(m_chunks[firstOther].file != m_chunks[firstOther + 1].file);
}

void LogMirrorTest::whatIsNotFollowedIsOnlyToldOf()
{
    startSender();
    LogMirror::Options options;
    options.followAll = false;
    startMirror(options);
    m_mirror->connected();
    append(0, lines(1000));
    append(1, lines(10));
    QTRY_COMPARE_WITH_TIMEOUT(m_mirror->sizeOnNode(0), lines(1000).size(), limitMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_mirror->sizeOnNode(1), lines(10).size(), limitMs);
    QVERIFY(m_chunks.isEmpty());
    m_mirror->follow({1});
    QTRY_VERIFY_WITH_TIMEOUT(isSame(1), limitMs);
    QVERIFY(!QFile::exists(mirrorPath(0)));
}

void LogMirrorTest::afterABreakItGoesOnWhereItWas_data()
{
    QTest::addColumn<bool>("isSenderNew");
    QTest::addColumn<bool>("isMirrorNew");
    QTest::newRow("the link") << false << false;
    QTest::newRow("the head") << false << true;
    QTest::newRow("the node's agent") << true << false;
    QTest::newRow("all") << true << true;
}

void LogMirrorTest::afterABreakItGoesOnWhereItWas()
{
    QFETCH(bool, isSenderNew);
    QFETCH(bool, isMirrorNew);
    const QByteArray text = lines(30000);
    append(0, text);
    startSender();
    LogMirror::Options options;
    options.window = 256 * 1024;
    startMirror(options);
    // In the middle: what is sent from now on is lost.
    const auto cut =
        connect(m_sender.get(), &LogSender::chunk, this, [this] { m_isUp = m_chunks.size() < 3; });
    m_mirror->connected();
    QTRY_VERIFY_WITH_TIMEOUT(!m_isUp, limitMs);
    disconnect(cut);
    append(0, "while it was cut\n");
    if (isMirrorNew)
        startMirror(options);
    if (isSenderNew)
        startSender();
    QVERIFY(m_mirror->size(0) > 0);
    m_isUp = true;
    m_mirror->connected();
    QTRY_VERIFY_WITH_TIMEOUT(isSame(0), limitMs);
    QVERIFY(!m_isRefused);
    QVERIFY2(m_wireBytes < text.size() + 10000, "something was sent twice");
}

void LogMirrorTest::leavingAndFollowingAgainLosesNothing()
{
    append(0, lines(100000));
    startSender();
    startMirror({});
    m_isSlow = true;
    m_mirror->connected();
    for (int turn = 0; turn < 10; ++turn) {
        const qsizetype before = m_chunks.size();
        QTRY_VERIFY_WITH_TIMEOUT(m_chunks.size() > before || isSame(0), limitMs);
        m_mirror->leave({0});
        m_mirror->follow({0});
    }
    QTRY_VERIFY_WITH_TIMEOUT(isSame(0), limitMs);
    QVERIFY(!m_isRefused);
}

void LogMirrorTest::aLogThatBeginsAnewIsMirroredAnew_data()
{
    QTest::addColumn<bool>("isReplaced");
    QTest::newRow("truncated") << false;
    QTest::newRow("replaced") << true;
}

void LogMirrorTest::aLogThatBeginsAnewIsMirroredAnew()
{
    QFETCH(bool, isReplaced);
    append(0, lines(1000));
    startSender();
    startMirror({});
    m_mirror->connected();
    QTRY_VERIFY_WITH_TIMEOUT(isSame(0), limitMs);
    if (isReplaced) {
        QVERIFY(QFile::rename(logPath(0), m_home->path("old")));
        append(0, "a new file, which may be longer\n" + lines(2000));
    } else {
        QVERIFY(QFile::resize(logPath(0), 0));
        append(0, "the same file\n");
    }
    QTRY_VERIFY_WITH_TIMEOUT(isSame(0), limitMs);
    append(0, "and more\n");
    QTRY_VERIFY_WITH_TIMEOUT(isSame(0), limitMs);
    QVERIFY(!m_isRefused);
    QCOMPARE(m_mirror->behind(), 0);
}

void LogMirrorTest::aMirrorThatWasRemovedIsFetchedAgain()
{
    append(0, lines(20000));
    startSender();
    startMirror({});
    m_mirror->connected();
    QTRY_VERIFY_WITH_TIMEOUT(isSame(0), limitMs);
    QVERIFY(QDir(m_home->path("mirror")).removeRecursively());
    append(0, "more\n");
    QTRY_VERIFY_WITH_TIMEOUT(isSame(0), limitMs);
    QVERIFY(!m_isRefused);
}

void LogMirrorTest::aFullDiskIsWaitedFor()
{
    const SmallDisk disk;
    if (!disk.isThere())
        QSKIP(smallDiskNeedsRoot);
    startSender();
    LogMirror::Options options;
    options.window = 256 * 1024;
    startMirror(options, {disk.path(u"a"_s), disk.path(u"b"_s)});
    append(0, "first\n");
    m_mirror->connected();
    QTRY_COMPARE_WITH_TIMEOUT(textOf(disk.path(u"a"_s)), QByteArray("first\n"), limitMs);
    disk.fill();
    append(0, lines(8000));
    append(1, lines(8000));
    QTRY_VERIFY_WITH_TIMEOUT(m_mirror->waiting() >= options.window / 2, limitMs);
    QVERIFY(m_mirror->waiting() <= options.window);
    disk.makeRoom();
    QTRY_VERIFY_WITH_TIMEOUT(textOf(disk.path(u"a"_s)) == textOf(logPath(0)) &&
                                 textOf(disk.path(u"b"_s)) == textOf(logPath(1)),
                             limitMs);
    QCOMPARE(m_mirror->waiting(), 0);
    QVERIFY(!m_isRefused);
}

void LogMirrorTest::aMirrorThatCannotBeWrittenIsGivenUp()
{
    // Whatever somebody has laid there is not followed.
    QVERIFY(QDir().mkpath(m_home->path("mirror")));
    QVERIFY(QFile::link(m_home->path("elsewhere"), mirrorPath(0)));
    startSender();
    startMirror({});
    QStringList problems;
    connect(m_mirror.get(), &LogMirror::failed, this,
            [&](int file, const QString &sentence) { problems << QString::number(file) + sentence; });
    append(0, lines(10));
    append(1, lines(10));
    m_mirror->connected();
    QTRY_VERIFY_WITH_TIMEOUT(isSame(1) && problems.size() == 1, limitMs);
    QVERIFY2(problems.first().startsWith('0'_L1 + mirrorPath(0)), qPrintable(problems.first()));
    QVERIFY(!QFile::exists(m_home->path("elsewhere")));
    append(0, lines(10));
    append(1, lines(10));
    QTRY_VERIFY_WITH_TIMEOUT(isSame(1), limitMs);
    QCOMPARE(problems.size(), 1);
    QVERIFY(!m_isRefused);
}

void LogMirrorTest::noMoreIsSentThanWasGranted()
{
    append(0, lines(20000));
    LogSender sender({logPath(0)}, std::chrono::milliseconds(20));
    qint64 sent = 0;
    connect(&sender, &LogSender::chunk, this,
            [&](const QByteArray &bytes) { sent += LogChunk::fromBytes(bytes)->bytes.size(); });
    int news = 0;
    connect(&sender, &LogSender::news, this, [&] { ++news; });
    LogWish wish;
    wish.follow = {{0, 0, 0, 1}};
    wish.credit = 200000;
    sender.take(wish);
    QTRY_COMPARE_WITH_TIMEOUT(sent, 200000, limitMs);
    const int newsBefore = news;
    append(0, "more\n");
    QTRY_VERIFY_WITH_TIMEOUT(news > newsBefore, limitMs);
    QCOMPARE(sent, 200000);
    QVERIFY(sender.hasUnsent());
    LogWish more;
    more.credit = 1;
    sender.take(more);
    QTRY_COMPARE_WITH_TIMEOUT(sent, 200001, limitMs);
}

void LogMirrorTest::theRateIsKept()
{
    append(0, QByteArray(600000, 'x'));
    startSender();
    LogMirror::Options options;
    options.bytesPerSecond = 400000;
    startMirror(options);
    QElapsedTimer clock;
    clock.start();
    m_mirror->connected();
    QTRY_VERIFY_WITH_TIMEOUT(isSame(0), limitMs);
    QVERIFY2(clock.elapsed() >= 1400, QByteArray::number(clock.elapsed()).constData());
}

void LogMirrorTest::aNodeThatBreaksTheRulesIsRefused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto chunk = [](quint32 file, quint32 generation, quint32 request, qint64 offset, qsizetype size) {
        return LogChunk{file, generation, request, offset, QByteArray(size, 'x')}.toBytes(false);
    };
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no chunk") << QByteArray("../../../etc/passwd");
    QTest::newRow("another log") << chunk(logs, 0, 1, 0, 10);
    QTest::newRow("a log far away") << chunk(0xffffffff, 0, 1, 0, 10);
    QTest::newRow("a gap") << chunk(0, 0, 1, 20, 10);
    QTest::newRow("what is there") << chunk(0, 0, 1, 0, 10);
    QTest::newRow("the middle of a new one") << chunk(0, 1, 1, 10, 10);
    QTest::newRow("not asked for") << chunk(0, 0, 2, 10, 10);
    QTest::newRow("never asked for") << chunk(0, 0, 0, 10, 10);
    QTest::newRow("more than was granted") << chunk(0, 0, 1, 10, LogChunk::mostBytes);
    QTest::newRow("more than may be sent") << QByteArray(2 * LogChunk::mostBytes, 'x');
}

void LogMirrorTest::aNodeThatBreaksTheRulesIsRefused()
{
    QFETCH(QByteArray, bytes);
    LogMirror::Options options;
    options.window = LogChunk::mostBytes; // The least.
    startMirror(options);
    m_mirror->connected();
    QVERIFY(m_mirror->takeChunk(LogChunk{0, 0, 1, 0, QByteArray(10, 'a')}.toBytes(false)));
    QVERIFY(!m_mirror->takeChunk(bytes));
    QCOMPARE(textOf(mirrorPath(0)), QByteArray(10, 'a'));
    QCOMPARE(QDir(m_home->path("mirror")).entryList(QDir::Files), QStringList{u"rank-0.log"_s});
}

} // namespace tst_logmirror

RANKDECK_TEST(tst_logmirror, LogMirrorTest)
#include "tst_logmirror.moc"
