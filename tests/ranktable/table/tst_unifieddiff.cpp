#include "ranktable/table/ranktablewriter.h"
#include "ranktable/table/unifieddiff.h"
#include "ranktable/tablefixture.h"
#include "support/testmain.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace tst_unifieddiff
{

using namespace rankdeck;

namespace
{

QByteArray diffOf(const QByteArray &before, const QByteArray &after)
{
    return unifiedDiff(before, after, u"before"_s, u"after"_s);
}

/// What `patch` makes of `before`; nothing when it refuses the diff.
std::optional<QByteArray> patched(const QByteArray &before, const QByteArray &diff)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"file"_s);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(before) != before.size())
        return {};
    file.close();
    QProcess patch;
    patch.setWorkingDirectory(folder.path());
    patch.start(u"patch"_s, {u"--fuzz=0"_s, u"--posix"_s, path});
    patch.write(diff);
    patch.closeWriteChannel();
    if (!patch.waitForFinished() || patch.exitCode() != 0) {
        qWarning("%s", patch.readAll().constData());
        return {};
    }
    QFile result(path);
    return result.open(QIODevice::ReadOnly) ? std::optional(result.readAll()) : std::nullopt;
}

QByteArray randomLines(QRandomGenerator &random, int count, int different)
{
    QByteArray text;
    for (int line = 0; line < count; ++line)
        text += QByteArray::number(random.bounded(different)) + '\n';
    return text;
}

} // namespace

class UnifiedDiffTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalTextsHaveNoDifference();
    void aChangedLineStandsBetweenThreeLinesOfContext();
    void distantChangesAreHunksOfTheirOwn();
    void patchMakesOneTextOfTheOther_data();
    void patchMakesOneTextOfTheOther();
    void patchMakesOneRandomTextOfTheOther();
    void longTextsAreOnlySaidToDiffer();
    void everyLineOfALargeTableMayDiffer();
};

void UnifiedDiffTest::equalTextsHaveNoDifference()
{
    QCOMPARE(diffOf("a\nb\n", "a\nb\n"), QByteArray());
}

void UnifiedDiffTest::aChangedLineStandsBetweenThreeLinesOfContext()
{
    QCOMPARE(diffOf("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
             QByteArray("--- before\n+++ after\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"));
}

void UnifiedDiffTest::distantChangesAreHunksOfTheirOwn()
{
    QByteArray before;
    for (int line = 0; line < 40; ++line)
        before += QByteArray::number(line) + '\n';
    QByteArray after = before;
    after.replace("\n5\n", "\nfive\n").replace("\n30\n", "\n");
    QCOMPARE(diffOf(before, after).count("@@ -"), 2);
}

void UnifiedDiffTest::patchMakesOneTextOfTheOther_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char *name, const char *before, const char *after) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(after);
    };
    row("from nothing", "", "a\nb\n");
    row("to one line", "a\nb\nc\n", "b\n");
    row("at the start", "b\nc\n", "a\nb\nc\n");
    row("at the end", "a\nb\n", "a\nb\nc\n");
    row("line end lost", "a\nb\n", "a\nb");
    row("line end gained", "a\nb", "a\nb\n");
    row("all", "a\nb\nc\n", "x\ny\n");
    row("moved", "a\nb\nc\nd\ne\nf\ng\nh\n", "e\nf\ng\nh\na\nb\nc\nd\n");
}

void UnifiedDiffTest::patchMakesOneTextOfTheOther()
{
    if (QStandardPaths::findExecutable(u"patch"_s).isEmpty())
        QSKIP("patch is not on this machine");
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const QByteArray diff = diffOf(before, after);
    const auto result = patched(before, diff);
    QVERIFY2(result, diff.constData());
    QCOMPARE(*result, after);
}

void UnifiedDiffTest::patchMakesOneRandomTextOfTheOther()
{
    if (QStandardPaths::findExecutable(u"patch"_s).isEmpty())
        QSKIP("patch is not on this machine");
    QRandomGenerator random(7);
    for (int round = 0; round < 60; ++round) {
        const int lines = round % 20 == 19 ? 6000 : random.bounded(60);
        const int different = round % 3 == 0 ? 4 : 200;
        const QByteArray before = randomLines(random, lines, different);
        const QByteArray after = randomLines(random, lines, different);
        const QByteArray diff = diffOf(before, after);
        if (before == after)
            continue;
        const auto result = patched(before, diff);
        QVERIFY2(result, diff.left(2000).constData());
        QCOMPARE(*result, after);
    }
}

void UnifiedDiffTest::longTextsAreOnlySaidToDiffer()
{
    const QByteArray diff = diffOf(QByteArray("a\n").repeated(20001), "b\n");
    QCOMPARE(diff.count('\n'), 1);
    QVERIFY2(diff.contains("20001") && diff.contains(" 1 "), diff.constData());
}

void UnifiedDiffTest::everyLineOfALargeTableMayDiffer()
{
    const QByteArray before = toJson(largeTable(400));
    QByteArray after = before;
    after.replace("rank_id\": \"", "rank_id\": \"9");
    QElapsedTimer timer;
    timer.start();
    const QByteArray diff = diffOf(before, after);
    QVERIFY(timer.elapsed() < generousMs);
    QCOMPARE(diff.count("\n+  "), 3200);
    QElapsedTimer reverse;
    reverse.start();
    QVERIFY(diffOf(QByteArray("a\nb\nc\n").repeated(6600), QByteArray("c\nb\na\n").repeated(6600)).size() >
            0);
    QVERIFY(reverse.elapsed() < generousMs);
}

} // namespace tst_unifieddiff

RANKDECK_TEST(tst_unifieddiff, UnifiedDiffTest)
#include "tst_unifieddiff.moc"
