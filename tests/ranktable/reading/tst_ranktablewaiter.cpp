#include "ranktable/reading/ranktablewaiter.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDateTime>
#include <QSignalSpy>
#include <QTest>

namespace tst_ranktablewaiter
{

using namespace rankdeck;
using namespace std::chrono_literals;

namespace
{

constexpr char initializing[] = R"({"status": "initializing"})";
constexpr char completed[] = R"({"status": "completed", "version": "1.0", "server_list": [
    {"server_id": "s", "device": [{"device_id": "0", "rank_id": "0"}]}]})";

void writeFile(const QString &path, const QByteArray &text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(text);
}

void makeOld(const QString &path)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(-60), QFileDevice::FileModificationTime));
}

} // namespace

class RankTableWaiterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }
    void aCompletedTableIsThereAtOnce();
    void anUnfinishedTableIsWaitedFor();
    void halfAFileIsWaitedFor();
    void aFileThatIsNotThereOrCutOffIsWaitedFor_data();
    void aFileThatIsNotThereOrCutOffIsWaitedFor();
    void withoutItsFolderAFileIsNotWaitedFor();
    void anOldBrokenFileIsRefusedAtOnce();
    void theTimeLimitNamesTheStatus();
    void theTimeLimitNamesWhatIsMissingAndTheOption();
    void cancelEndsTheWait();
    void theBlockingWaitCanBeCancelledAndTellsItsProgress();

private:
    QString tablePath() const { return m_home->filePath(u"t.json"_s); }

    /// What the waiter found, once it has; the test fails when it never does.
    static std::optional<Result<RankTable>> answerOf(RankTableWaiter &waiter)
    {
        auto answer = std::make_shared<std::optional<Result<RankTable>>>();
        connect(&waiter, &RankTableWaiter::finished, &waiter,
                [answer](const Result<RankTable> &result) { *answer = result; });
        waiter.start();
        return QTest::qWaitFor([&] { return answer->has_value(); }, 15000) ? *answer : std::nullopt;
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

void RankTableWaiterTest::aCompletedTableIsThereAtOnce()
{
    writeFile(tablePath(), completed);
    RankTableWaiter waiter(tablePath(), 0s);
    const auto answer = answerOf(waiter);
    QVERIFY(answer && *answer);
    QCOMPARE((*answer)->deviceCount(), 1);
}

void RankTableWaiterTest::anUnfinishedTableIsWaitedFor()
{
    writeFile(tablePath(), initializing);
    RankTableWaiter waiter(tablePath(), 60s);
    QString seen;
    connect(&waiter, &RankTableWaiter::waiting, this, [&](const QString &status, int) {
        seen = status;
        writeFile(tablePath(), completed);
    });
    const auto answer = answerOf(waiter);
    QVERIFY(answer && *answer);
    QCOMPARE(seen, u"initializing"_s);
}

void RankTableWaiterTest::halfAFileIsWaitedFor()
{
    writeFile(tablePath(), R"({"status": "compl)");
    RankTableWaiter waiter(tablePath(), 60s);
    connect(&waiter, &RankTableWaiter::waiting, this, [&] { writeFile(tablePath(), completed); });
    const auto answer = answerOf(waiter);
    QVERIFY(answer && *answer);
}

void RankTableWaiterTest::aFileThatIsNotThereOrCutOffIsWaitedFor_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("status");
    QTest::newRow("not there") << QByteArray() << u"file not found yet"_s;
    QTest::newRow("empty") << QByteArray("") << u"being written"_s;
    QTest::newRow("cut off") << QByteArray(R"({"status": "completed", "server_list": [)")
                             << u"being written"_s;
}

/// However long ago it was changed.
void RankTableWaiterTest::aFileThatIsNotThereOrCutOffIsWaitedFor()
{
    QFETCH(QByteArray, text);
    if (!text.isNull()) {
        writeFile(tablePath(), text);
        makeOld(tablePath());
    }
    RankTableWaiter waiter(tablePath(), 60s);
    QString seen;
    connect(&waiter, &RankTableWaiter::waiting, this, [&](const QString &status, int) {
        seen = status;
        writeFile(tablePath(), completed);
    });
    const auto answer = answerOf(waiter);
    QVERIFY(answer && *answer);
    QTEST(seen, "status");
}

void RankTableWaiterTest::withoutItsFolderAFileIsNotWaitedFor()
{
    RankTableWaiter waiter(m_home->filePath(u"no/such/t.json"_s), 60s);
    const auto answer = answerOf(waiter);
    QVERIFY(answer && !*answer);
    QVERIFY2(answer->error().what.contains("no rank table found"_L1), qPrintable(answer->error().what));
}

void RankTableWaiterTest::anOldBrokenFileIsRefusedAtOnce()
{
    writeFile(tablePath(), "{]");
    makeOld(tablePath());
    RankTableWaiter waiter(tablePath(), 60s);
    QSignalSpy waiting(&waiter, &RankTableWaiter::waiting);
    const auto answer = answerOf(waiter);
    QVERIFY(answer && !*answer);
    QVERIFY(answer->error().where.endsWith(":1:2"_L1));
    QCOMPARE(waiting.size(), 0);
}

void RankTableWaiterTest::theTimeLimitNamesTheStatus()
{
    writeFile(tablePath(), initializing);
    RankTableWaiter waiter(tablePath(), 0s);
    const auto answer = answerOf(waiter);
    QVERIFY(answer && !*answer);
    QVERIFY2(answer->error().what.contains("\"initializing\""_L1), qPrintable(answer->error().what));
}

void RankTableWaiterTest::theTimeLimitNamesWhatIsMissingAndTheOption()
{
    RankTableWaiter waiter(tablePath(), 1s);
    waiter.setLimitOption(u"--timeout"_s);
    const auto answer = answerOf(waiter);
    QVERIFY(answer && !*answer);
    QCOMPARE(answer->error().what, u"after 1 s the rank table still cannot be read (file not found yet)"_s);
    QVERIFY2(answer->error().mend.contains("with --timeout"_L1), qPrintable(answer->error().mend));
}

void RankTableWaiterTest::cancelEndsTheWait()
{
    writeFile(tablePath(), initializing);
    RankTableWaiter waiter(tablePath(), 60s);
    connect(&waiter, &RankTableWaiter::waiting, &waiter, &RankTableWaiter::cancel, Qt::QueuedConnection);
    const auto answer = answerOf(waiter);
    QVERIFY(answer && !*answer);
    QVERIFY(answer->error().what.contains("cancelled"_L1));
}

void RankTableWaiterTest::theBlockingWaitCanBeCancelledAndTellsItsProgress()
{
    writeFile(tablePath(), initializing);
    QStringList seen;
    const auto answer = RankTableWaiter::wait(
        tablePath(), 60s, [&] { return !seen.isEmpty(); },
        [&](const QString &status, int) { seen << status; });
    QVERIFY(!answer);
    QCOMPARE(seen, QStringList{u"initializing"_s});
}

} // namespace tst_ranktablewaiter

RANKDECK_TEST(tst_ranktablewaiter, RankTableWaiterTest)
#include "tst_ranktablewaiter.moc"
