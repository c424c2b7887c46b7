#include "agent/node/promptwatch.h"
#include "run/record/runevent.h"
#include "support/testmain.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_promptwatch
{

using namespace rankdeck;

class PromptWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aPromptIsToldOnceAndThatItIsLeft();
    void whoComesFirstIsToldFirst();
    void aRankThatComesAndGoesIsToldOfNowAndThen();
    void whoHasEndedIsForgotten();

private:
    static QString placeIn(const RunEvent &event) { return event.as<events::AtPrompt>()->prompt->place(); }

    std::unique_ptr<PromptWatch> m_watch;
    QList<RunEvent> m_events;
};

void PromptWatchTest::init()
{
    m_events.clear();
    m_watch = std::make_unique<PromptWatch>(QString());
    connect(m_watch.get(), &PromptWatch::happened, this,
            [this](const RunEvent &event) { m_events << event; });
}

void PromptWatchTest::aPromptIsToldOnceAndThatItIsLeft()
{
    const QDateTime before = QDateTime::currentDateTimeUtc();
    m_watch->take(3, "> /t.py(7)f()\r\n-> x\r\n(Pdb) ");
    QTRY_COMPARE(m_events.size(), 1);
    QVERIFY(m_events[0].is<events::AtPrompt>());
    QCOMPARE(m_events[0].process(), 3);
    QCOMPARE(placeIn(m_events[0]), u"t.py:7"_s);
    QVERIFY(m_events[0].wall >= before);
    // An answer at the same place is no news; the next place is.
    m_watch->take(3, "p x\r\n1\r\n(Pdb) ");
    m_watch->take(3, "n\r\n> /t.py(8)f()\r\n-> y\r\n(Pdb) ");
    QTRY_COMPARE(m_events.size(), 2);
    QCOMPARE(placeIn(m_events[1]), u"t.py:8"_s);
    m_watch->take(3, "c\r\n");
    QTRY_COMPARE(m_events.size(), 3);
    QVERIFY(m_events[2].is<events::PromptLeft>());
}

void PromptWatchTest::whoComesFirstIsToldFirst()
{
    m_watch->take(5, "(gdb) ");
    // Stamps have milliseconds.
    const QDateTime first = QDateTime::currentDateTimeUtc();
    QVERIFY(QTest::qWaitFor([&] { return QDateTime::currentDateTimeUtc() > first; }));
    m_watch->take(0, "(gdb) ");
    QTRY_COMPARE(m_events.size(), 2);
    QCOMPARE(m_events[0].process(), 5);
    QCOMPARE(m_events[1].process(), 0);
}

void PromptWatchTest::aRankThatComesAndGoesIsToldOfNowAndThen()
{
    QElapsedTimer clock;
    clock.start();
    int rounds = 0;
    QVERIFY(QTest::qWaitFor([&] {
        m_watch->take(0, rounds++ % 2 == 0 ? "(Pdb) " : "\r\n");
        return clock.elapsed() > 1000;
    }));
    QVERIFY(rounds > 20);
    QVERIFY2(m_events.size() <= clock.elapsed() / 200 + 1, qPrintable(QString::number(m_events.size())));
    m_watch->take(0, "\r\n> /t.py(9)f()\r\n(Pdb) ");
    QTRY_VERIFY(!m_events.isEmpty() && m_events.last().is<events::AtPrompt>() &&
                placeIn(m_events.last()) == "t.py:9"_L1);
}

void PromptWatchTest::whoHasEndedIsForgotten()
{
    m_watch->take(1, "(Pdb) ");
    QTRY_COMPARE(m_events.size(), 1);
    m_watch->forget(1);
    m_watch->take(2, "(Pdb) ");
    QTRY_COMPARE(m_events.size(), 2);
    QCOMPARE(m_events[1].process(), 2);
}

} // namespace tst_promptwatch

RANKDECK_TEST(tst_promptwatch, PromptWatchTest)
#include "tst_promptwatch.moc"
