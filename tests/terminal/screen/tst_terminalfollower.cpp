#include "support/testmain.h"
#include "terminal/screen/terminalfollower.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_terminalfollower
{

using namespace rankdeck;

class TerminalFollowerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aLogIsReadAndFollowed();
    void aLogMayComeLater();
    void aLargeLogIsShownFromALineNearItsEnd();
    void theNextPartWaitsUntilTheLastWasTaken();
    void whoIsFarBehindSkips();
    void anotherLogInItsPlaceIsReadFromItsBeginning();
    void anEchoIsSeenSoon();

private:
    void append(const QByteArray &text) const
    {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::Append));
        QCOMPARE(file.write(text), text.size());
    }
    void follow()
    {
        m_follower = std::make_unique<TerminalFollower>(m_path);
        connect(m_follower.get(), &TerminalFollower::part, this, [this](const TerminalFollower::Part &part) {
            m_parts.append(part);
            m_text += part.bytes;
            if (m_takes)
                QMetaObject::invokeMethod(m_follower.get(), &TerminalFollower::taken, Qt::QueuedConnection);
        });
        m_follower->start();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TerminalFollower> m_follower;
    QString m_path;
    QList<TerminalFollower::Part> m_parts;
    QByteArray m_text;
    bool m_takes = true;
};

void TerminalFollowerTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(u"rank.txt"_s);
    m_parts.clear();
    m_text.clear();
    m_takes = true;
}

void TerminalFollowerTest::cleanup()
{
    m_follower.reset();
}

void TerminalFollowerTest::aLogIsReadAndFollowed()
{
    append("old\r\n");
    follow();
    QTRY_COMPARE(m_text, QByteArray("old\r\n"));
    QVERIFY(m_parts[0].isOld && m_parts[0].isFirst);
    append("(Pdb) ");
    QTRY_COMPARE(m_text, QByteArray("old\r\n(Pdb) "));
    QCOMPARE(m_parts.size(), 2);
    QVERIFY(!m_parts[1].isOld && !m_parts[1].isFirst);
    QCOMPARE(m_parts[1].skipped, 0);
}

void TerminalFollowerTest::aLogMayComeLater()
{
    follow();
    QVERIFY(m_parts.isEmpty());
    append("here");
    QTRY_COMPARE(m_text, QByteArray("here"));
}

void TerminalFollowerTest::aLargeLogIsShownFromALineNearItsEnd()
{
    QByteArray text;
    for (int line = 0; text.size() < 3 * TerminalFollower::shownBefore; ++line)
        text += "line " + QByteArray::number(line) + "\r\n";
    append(text);
    follow();
    QTRY_VERIFY(text.endsWith(m_text) && m_text.endsWith(text.last(20)));
    QVERIFY(m_text.size() <= TerminalFollower::shownBefore);
    QVERIFY(m_text.size() > TerminalFollower::shownBefore - 100);
    QVERIFY(m_text.startsWith("line "));
    QCOMPARE(m_parts[0].skipped, text.size() - m_text.size());
    QVERIFY(m_parts.constLast().isOld);
}

void TerminalFollowerTest::theNextPartWaitsUntilTheLastWasTaken()
{
    m_takes = false;
    append("one");
    follow();
    QTRY_COMPARE(m_text, QByteArray("one"));
    append("two");
    // Long enough for several looks.
    QVERIFY(!QTest::qWaitFor([this] { return m_parts.size() > 1; }, 3 * TerminalFollower::idleInterval));
    m_follower->taken();
    QTRY_COMPARE(m_text, QByteArray("onetwo"));
}

void TerminalFollowerTest::whoIsFarBehindSkips()
{
    m_takes = false;
    append("begin\r\n");
    follow();
    QTRY_COMPARE(m_parts.size(), 1);
    const QByteArray line("0123456789 0123456789\r\n");
    append(line.repeated(int(2 * TerminalFollower::mostBehind / line.size())) + "end");
    const qint64 size = QFile(m_path).size();
    m_takes = true;
    m_follower->taken();
    QTRY_VERIFY(m_text.endsWith("end"));
    QCOMPARE(m_parts[1].skipped + m_text.size(), size);
    QVERIFY(m_parts[1].bytes.startsWith(line));
    QVERIFY(m_text.size() < 2 * TerminalFollower::shownAfterSkip);
}

void TerminalFollowerTest::anotherLogInItsPlaceIsReadFromItsBeginning()
{
    append("a long first line\r\n");
    follow();
    QTRY_COMPARE(m_parts.size(), 1);
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("new");
    file.close();
    QTRY_VERIFY(m_text.endsWith("new"));
    QVERIFY(m_parts.constLast().isFirst);
}

void TerminalFollowerTest::anEchoIsSeenSoon()
{
    follow();
    QList<qint64> waits;
    for (int key = 0; key < 10; ++key) {
        m_text.clear();
        m_follower->expectNews();
        QElapsedTimer clock;
        clock.start();
        append("y");
        QVERIFY(QTest::qWaitFor([this] { return !m_text.isEmpty(); }, 5000));
        waits.append(clock.elapsed());
    }
    // Others may keep the machine busy; who looks only now and then is never so quick.
    const qint64 shortest = *std::min_element(waits.begin(), waits.end());
    QVERIFY2(shortest <= 50, qPrintable(QString::number(shortest)));
}

} // namespace tst_terminalfollower

RANKDECK_TEST(tst_terminalfollower, TerminalFollowerTest)
#include "tst_terminalfollower.moc"
