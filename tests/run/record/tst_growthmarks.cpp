#include "run/record/growthmarks.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include <array>

namespace tst_growthmarks
{

using namespace rankdeck;

constexpr qint64 secondMs = 1000;
constexpr qint64 minuteMs = 60 * secondMs;
constexpr qint64 hourMs = 60 * minuteMs;
constexpr qint64 dayMs = 24 * hourMs;
constexpr qint64 end = 1'700'000'000'000;

class GrowthMarksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWeekOfMarksIsSmall();
    void aReaderGoesOnInAThinnedFile();
    void marksAreThinnedAsTheyAreWritten();

private:
    QString path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    /// Writes a mark each half second until `end`; the log grows by a byte each time.
    qint64 writeMarks(const QString &name, qint64 begin) const
    {
        QByteArray marks;
        qint64 size = 0;
        for (qint64 time = begin; time <= end; time += secondMs / 2) {
            const std::array<qint64, 2> mark{qToLittleEndian(time), qToLittleEndian(++size)};
            marks.append(reinterpret_cast<const char *>(mark.data()), sizeof mark);
        }
        QFile file(name);
        return file.open(QIODevice::WriteOnly) && file.write(marks) == marks.size() ? size : -1;
    }

    QTemporaryDir m_folder;
};

void GrowthMarksTest::aWeekOfMarksIsSmall()
{
    const QString file = path("week");
    const qint64 most = writeMarks(file, end - 7 * dayMs);
    QVERIFY(most > 1'000'000);
    thinMarks(file, end);
    // 7,200 of the last hour, 1,380 of the day, 864 before.
    QVERIFY2(QFile(file).size() < 9'500 * 16, qPrintable(QString::number(QFile(file).size())));
    GrowthTimes times(file);
    const auto isNear = [&](qint64 age, qint64 within) {
        const qint64 time = end - age;
        const auto reached = times.reached(most - age / (secondMs / 2));
        return reached && reached->toMSecsSinceEpoch() >= time &&
               reached->toMSecsSinceEpoch() <= time + within;
    };
    QVERIFY(isNear(6 * dayMs, 10 * minuteMs));
    QVERIFY(isNear(dayMs - minuteMs, minuteMs));
    QVERIFY(isNear(2 * hourMs, minuteMs));
    QVERIFY(isNear(59 * minuteMs, 0));
    QVERIFY(isNear(0, 0));
    const qint64 once = QFile(file).size();
    thinMarks(file, end);
    QCOMPARE(QFile(file).size(), once);
    const auto last = marksUntil(file, end, 1);
    QVERIFY(last && last->size() == 1 && last->front().size == most);
}

void GrowthMarksTest::aReaderGoesOnInAThinnedFile()
{
    const QString file = path("followed");
    const qint64 most = writeMarks(file, end - 3 * hourMs);
    GrowthTimes times(file);
    QCOMPARE(times.reached(most - 1000)->toMSecsSinceEpoch(), end - 500 * secondMs);
    thinMarks(file, end);
    QCOMPARE(times.reached(most - 100)->toMSecsSinceEpoch(), end - 50 * secondMs);
    QCOMPARE(times.reached(most)->toMSecsSinceEpoch(), end);
}

void GrowthMarksTest::marksAreThinnedAsTheyAreWritten()
{
    // What an earlier part of the run has left.
    const QString folder = path("growth");
    QVERIFY(QDir().mkpath(folder));
    writeMarks(folder + u"/0"_s, end - dayMs);
    QFile log(path("log"));
    QVERIFY(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    GrowthMarks marks(folder, {log.fileName()});
    const qint64 before = QFile(folder + u"/0"_s).size();
    for (int each = 0; each < 4000; ++each) {
        log.write("x");
        marks.mark();
    }
    QVERIFY(QFile(folder + u"/0"_s).size() < before / 10);
}

} // namespace tst_growthmarks

RANKDECK_TEST(tst_growthmarks, GrowthMarksTest)
#include "tst_growthmarks.moc"
