#include "base/times.h"
#include "support/windowtest.h"
#include "widgets/statelook.h"
#include "widgets/tone.h"

#include <QTest>

namespace tst_state
{

using namespace rankdeck;

namespace
{

QPalette lightPalette()
{
    QPalette palette(QColor(0xefefef));
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::Text, Qt::black);
    return palette;
}

QPalette darkPalette()
{
    QPalette palette(QColor(0x353535));
    palette.setColor(QPalette::Base, QColor(0x2a2a2a));
    palette.setColor(QPalette::Text, QColor(0xf0f0f0));
    return palette;
}

constexpr RunPhase allPhases[] = {
    RunPhase::Starting, RunPhase::Running, RunPhase::Stopping, RunPhase::Succeeded, RunPhase::Failed,
    RunPhase::Stopped,  RunPhase::Lost,    RunPhase::Recorded, RunPhase::Writing,   RunPhase::Unknown};

} // namespace

class TestState : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ageIsCoarse_data();
    void ageIsCoarse();
    void elapsedTimeIsToTheSecond_data();
    void elapsedTimeIsToTheSecond();
    void everyToneIsLegibleOnItsBackground_data();
    void everyToneIsLegibleOnItsBackground();
    void everyPhaseHasAWordOfItsOwn();
    void badgeNamesItsStateForScreenReaders();
};

void TestState::ageIsCoarse_data()
{
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("ahead of this clock") << qint64(-30) << u"now"_s;
    QTest::newRow("just now") << qint64(59) << u"now"_s;
    QTest::newRow("a minute") << qint64(60) << u"1 min"_s;
    QTest::newRow("almost an hour") << qint64(3599) << u"59 min"_s;
    QTest::newRow("two hours") << qint64(2 * 3600) << u"2 h"_s;
    QTest::newRow("five days") << qint64(5 * 86400 + 7) << u"5 d"_s;
}

void TestState::ageIsCoarse()
{
    QFETCH(qint64, seconds);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QTEST(ageText(now.addSecs(-seconds), now), "text");
}

void TestState::elapsedTimeIsToTheSecond_data()
{
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("negative") << qint64(-3) << u"0:00"_s;
    QTest::newRow("seconds") << qint64(7) << u"0:07"_s;
    QTest::newRow("minutes") << qint64(754) << u"12:34"_s;
    QTest::newRow("hours") << qint64(3723) << u"1:02:03"_s;
    QTest::newRow("days") << qint64(3 * 86400 + 3723) << u"3 d 1:02:03"_s;
}

void TestState::elapsedTimeIsToTheSecond()
{
    QFETCH(qint64, seconds);
    QTEST(elapsedText(seconds), "text");
}

void TestState::everyToneIsLegibleOnItsBackground_data()
{
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << lightPalette();
    QTest::newRow("dark") << darkPalette();
}

void TestState::everyToneIsLegibleOnItsBackground()
{
    QFETCH(QPalette, palette);
    constexpr double enough = 4.5; // WCAG 2.1, 1.4.3
    for (const Tone tone : {Tone::Idle, Tone::Active, Tone::Good, Tone::Bad, Tone::Ended, Tone::Caution}) {
        const QColor color = toneColor(tone, palette);
        const QColor background = toneBackground(tone, palette);
        QVERIFY2(contrastRatio(color, background) >= enough, qPrintable(color.name()));
        QVERIFY2(contrastRatio(color, palette.color(QPalette::Base)) >= enough, qPrintable(color.name()));
        QVERIFY2(contrastRatio(color, palette.color(QPalette::Window)) >= enough, qPrintable(color.name()));
        QVERIFY(contrastRatio(palette.color(QPalette::Text), background) >= enough);
        QVERIFY(contrastRatio(quietColor(palette), background) >= enough);
    }
}

void TestState::everyPhaseHasAWordOfItsOwn()
{
    QSet<QString> words;
    for (const RunPhase phase : allPhases)
        words.insert(shownWord(phase));
    QCOMPARE(words.size(), qsizetype(std::size(allPhases)));
    QVERIFY(!words.contains(QString()));
}

void TestState::badgeNamesItsStateForScreenReaders()
{
    StateBadge badge;
    for (const RunPhase phase : allPhases) {
        badge.setPhase(phase);
        QCOMPARE(badge.text(), shownWord(phase));
        QVERIFY(badge.accessibleName().contains(shownWord(phase)));
    }
}

} // namespace tst_state

RANKDECK_WINDOW_TEST(tst_state, TestState)
#include "tst_state.moc"
