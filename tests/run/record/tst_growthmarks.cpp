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
constexpr qint64 step = 45'000; ///< Bytes: 1,000 lines a second.

class GrowthMarksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWeekOfMarksIsSmall();
    void aReaderGoesOnInAThinnedFile();
    void marksAreThinnedAsTheyAreWritten();
    void aReaderThatWasAwaySeesThatTheFileIsAnother();
    void whatIsWrittenIsReadAgain();
    void halfAMarkIsNotRead();
    void aFileThatShrankIsWrittenOn();

private:
    QString path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    /// Writes a file of the older form: a mark each half second of the last two hours until `end`, and each
    /// ten seconds before; the log grows by 45 kB in half a second.
    qint64 writeMarks(const QString &name, qint64 begin) const
    {
        QByteArray marks;
        qint64 size = 0;
        for (qint64 time = begin; time <= end;
             time += end - time > 2 * hourMs ? 10 * secondMs : secondMs / 2) {
            size = (time - begin) / (secondMs / 2) * step;
            const std::array<qint64, 2> mark{qToLittleEndian(time), qToLittleEndian(size)};
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
    const auto marks = growthMarks(file);
    QVERIFY(marks);
    // 7,200 of the last hour, 1,380 of the day, 864 before.
    QCOMPARE_GE(marks->size(), std::size_t(9'400));
    QCOMPARE_LE(marks->size(), std::size_t(9'500));
    // Five minutes more can be there until it is thinned again.
    const qint64 mostBetween = 600 * QFile(file).size() / 9'400;
    QVERIFY2(QFile(file).size() + mostBetween < 50'000, qPrintable(QString::number(QFile(file).size())));
    GrowthTimes times(file);
    const auto isNear = [&](qint64 age, qint64 within) {
        const qint64 time = end - age;
        const auto reached = times.reached(most - step * (age / (secondMs / 2)));
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
    QCOMPARE(times.reached(most - step * 1000)->toMSecsSinceEpoch(), end - 500 * secondMs);
    thinMarks(file, end);
    QCOMPARE(times.reached(most - step * 100)->toMSecsSinceEpoch(), end - 50 * secondMs);
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
    const auto size = [&] {
        return QFile(folder + u"/0"_s).size();
    };
    const qint64 before = size();
    qint64 now = end;
    const auto grow = [&](qint64 hours) {
        for (const qint64 until = now + hours * hourMs; now < until; now += secondMs / 2) {
            log.write("x");
            marks.mark(now);
        }
    };
    grow(1);
    const qint64 first = size();
    QVERIFY(first < before / 10);
    grow(1);
    QVERIFY2(size() < first + 5'000, qPrintable(QString::number(size()))); // 22 kB more without thinning.
}

/// It may have been away for long, and the file may be longer than it was.
void GrowthMarksTest::aReaderThatWasAwaySeesThatTheFileIsAnother()
{
    const QString file = path("away");
    const auto write = [&](const std::vector<GrowthMark> &marks, qint64 now) {
        QFile out(file);
        return out.open(QIODevice::WriteOnly) && out.write(growthBytes(marks, now)) > 0;
    };
    QVERIFY(write({{end, 1000}, {end + 500, 2000}}, end));
    GrowthTimes times(file);
    QCOMPARE(times.reached(2000)->toMSecsSinceEpoch(), end + 500);
    QVERIFY(write({{end + 500, 2000}, {end + 60'000, 70'000}, {end + 120'000, 5'000'000'000}}, end + 1));
    QTRY_COMPARE(times.reached(70'000)->toMSecsSinceEpoch(), end + 60'000);
    QCOMPARE(times.reached(5'000'000'000)->toMSecsSinceEpoch(), end + 120'000);
}

void GrowthMarksTest::whatIsWrittenIsReadAgain()
{
    constexpr qint64 far = std::numeric_limits<qint64>::max();
    const std::vector<GrowthMark> marks{{end, 1}, {end + 10, far}, {end - dayMs, 0}, {0, 64}, {end, 63}};
    QByteArray bytes = growthBytes(marks);
    // As a reader meets them that looks while they are written: byte by byte.
    MarkReader reader;
    std::vector<GrowthMark> read;
    for (qsizetype size = 0; size <= bytes.size(); ++size) {
        const qint64 from = reader.offset;
        for (const GrowthMark &mark : reader.take(QByteArrayView(bytes).first(size).sliced(from)))
            read.push_back(mark);
    }
    QCOMPARE(read.size(), marks.size());
    for (std::size_t at = 0; at < marks.size(); ++at) {
        QCOMPARE(read[at].time, marks[at].time);
        QCOMPARE(read[at].size, marks[at].size);
    }
}

void GrowthMarksTest::halfAMarkIsNotRead()
{
    const QString folder = path("half");
    QFile log(path("halflog"));
    QVERIFY(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    GrowthMarks marks(folder, {log.fileName()});
    log.write("12345");
    QCOMPARE(marks.mark(), std::vector<int>{0});
    QVERIFY(marks.mark().empty());
    QFile file(folder + u"/0"_s);
    QVERIFY(file.open(QIODevice::Append | QIODevice::Unbuffered));
    // What a full disk has left of a mark.
    file.write("\xff\xff");
    QCOMPARE(growthMarks(file.fileName())->size(), std::size_t(1));
    log.write("67890");
    marks.mark();
    const auto read = growthMarks(file.fileName());
    QCOMPARE(read->size(), std::size_t(2));
    QCOMPARE(read->back().size, 10);
    QCOMPARE_GE(read->back().time, read->front().time);
}

void GrowthMarksTest::aFileThatShrankIsWrittenOn()
{
    const QString folder = path("shrunk");
    QFile log(path("shrunklog"));
    QVERIFY(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    GrowthMarks marks(folder, {log.fileName()});
    const auto grow = [&] {
        log.write("12345");
        marks.mark();
    };
    grow();
    grow();
    const QString file = folder + u"/0"_s;
    for (const bool isGone : {false, true}) {
        QVERIFY(isGone ? QDir(folder).removeRecursively() : QFile(file).resize(3));
        grow(); // Finds it.
        grow();
        const auto read = growthMarks(file);
        QVERIFY(read && !read->empty());
        QCOMPARE(read->back().size, log.size());
    }
}

} // namespace tst_growthmarks

RANKDECK_TEST(tst_growthmarks, GrowthMarksTest)
#include "tst_growthmarks.moc"
