#include "diagnosis/catalogue/errorcatalogue.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QBuffer>
#include <QDir>
#include <QMap>
#include <QProcess>
#include <QTest>

namespace tst_harmlesslines
{

using namespace rankdeck;

namespace
{

constexpr qsizetype leastPrograms = 20;
constexpr qint64 leastLines = 200000;
/// Of one program; more would hide what the others print.
constexpr qsizetype mostNamed = 40;

/// Returns the text of a file that xz has packed; empty if xz fails.
QByteArray unpacked(const QString &path)
{
    QProcess xz;
    xz.start(u"xz"_s, {u"--decompress"_s, u"--stdout"_s, path}, QIODevice::ReadOnly);
    const bool isDone = xz.waitForFinished(programLimitMs) && xz.exitStatus() == QProcess::NormalExit;
    return isDone && xz.exitCode() == 0 ? xz.readAllStandardOutput() : QByteArray();
}

} // namespace

/// What many programs print while all is well: tests/data/harmless/README.md.
class TestHarmlessLines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void thereAreEnough();
    void noLineIsAKnownError_data();
    void noLineIsAKnownError();

private:
    QMap<QString, QByteArray> m_outputs; ///< By the name of the file.
    const ErrorCatalogue m_catalogue = ErrorCatalogue::load();
};

void TestHarmlessLines::initTestCase()
{
    const QDir folder(testData("harmless"));
    const QStringList names = folder.entryList({u"*.txt.xz"_s}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        const QByteArray output = unpacked(folder.filePath(name));
        QVERIFY2(output.endsWith('\n'), qPrintable(name + u": xz cannot read this file"_s));
        m_outputs.insert(name, output);
    }
}

void TestHarmlessLines::thereAreEnough()
{
    qint64 lines = 0;
    for (const QByteArray &output : std::as_const(m_outputs))
        lines += output.count('\n');
    QVERIFY2(m_outputs.size() >= leastPrograms, qPrintable(u"%1 programs"_s.arg(m_outputs.size())));
    QVERIFY2(lines >= leastLines, qPrintable(u"%1 lines"_s.arg(lines)));
}

void TestHarmlessLines::noLineIsAKnownError_data()
{
    QTest::addColumn<QString>("name");
    for (auto output = m_outputs.cbegin(); output != m_outputs.cend(); ++output)
        QTest::newRow(qPrintable(output.key())) << output.key();
}

void TestHarmlessLines::noLineIsAKnownError()
{
    QFETCH(QString, name);
    QByteArray output = m_outputs.value(name);
    QBuffer input(&output);
    QVERIFY(input.open(QIODevice::ReadOnly));
    qint64 count = 0;
    QStringList named;
    const auto lines = scanForErrors(input, m_catalogue, [&](const KnownLine &known) {
        ++count;
        if (named.size() < mostNamed)
            named << u"%1: line %2: %3"_s.arg(known.entry.id)
                         .arg(known.line.value + 1)
                         .arg(QString::fromUtf8(known.text));
    });
    QVERIFY(lines);
    QCOMPARE(*lines, qint64(output.count('\n')));
    // QVERIFY2 prints no more than its first kilobyte.
    if (count > 0)
        QFAIL(qPrintable(u"%1 lines are taken for errors:\n%2"_s.arg(count).arg(named.join('\n'_L1))));
}

} // namespace tst_harmlesslines

RANKDECK_TEST(tst_harmlesslines, TestHarmlessLines)
#include "tst_harmlesslines.moc"
