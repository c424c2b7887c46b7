#include "mainwindow/runactions/rankactions.h"
#include "support/handmaderun.h"
#include "support/windowtest.h"

#include <QAction>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

namespace tst_signalactions
{

using namespace rankdeck;

/// The menu of signals for the chosen ranks.
class TestSignalActions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void withoutARunThereIsNothingToSend();
    void harmlessOnesAreSentAtOnce_data();
    void harmlessOnesAreSentAtOnce();
    void othersComeAfterAQuestion_data();
    void othersComeAfterAQuestion();
    void whatHasEndedGetsNothing();

private:
    QAction *action(int number) const
    {
        return m_actions->action()->menu()->findChild<QAction *>(ExitStatus::signalName(number));
    }
    QMessageBox *question() const { return m_page->findChild<QMessageBox *>(u"signalQuestion"_s); }

    std::unique_ptr<QWidget> m_page;
    SignalActions *m_actions = nullptr;
    QList<SignalRequest> m_wanted;
};

void TestSignalActions::init()
{
    m_wanted.clear();
    m_page = std::make_unique<QWidget>();
    m_actions = new SignalActions(m_page.get());
    connect(m_actions, &SignalActions::requested, this,
            [this](const Request &request) { m_wanted << std::get<SignalRequest>(request); });
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get(), 30000));
}

void TestSignalActions::withoutARunThereIsNothingToSend()
{
    QVERIFY(!m_actions->action()->isEnabled());
    QCOMPARE(m_actions->action()->menu()->actions().size(), 7);
}

void TestSignalActions::harmlessOnesAreSentAtOnce_data()
{
    QTest::addColumn<int>("number");
    for (const int number : {SIGINT, SIGUSR1, SIGUSR2, SIGCONT})
        QTest::addRow("%d", number) << number;
}

void TestSignalActions::harmlessOnesAreSentAtOnce()
{
    QFETCH(int, number);
    m_actions->setChosen(running(handMadeRun()), {5, 3});
    action(number)->trigger();
    QVERIFY(!question());
    QCOMPARE(m_wanted, (QList<SignalRequest>{{number, {3, 5}}}));
}

void TestSignalActions::othersComeAfterAQuestion_data()
{
    QTest::addColumn<int>("number");
    for (const int number : {SIGTERM, SIGKILL, SIGSTOP})
        QTest::addRow("%d", number) << number;
}

void TestSignalActions::othersComeAfterAQuestion()
{
    QFETCH(int, number);
    m_actions->setChosen(running(handMadeRun()), {3});
    action(number)->trigger();
    QVERIFY(question());
    QVERIFY2(question()->text().startsWith(u"Send %1 to rank 3 of "_s.arg(ExitStatus::signalName(number))),
             qPrintable(question()->text()));
    question()->button(QMessageBox::Cancel)->click();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(m_wanted.isEmpty());
    action(number)->trigger();
    question()->findChild<QPushButton *>(u"confirmSignalButton"_s)->click();
    QCOMPARE(m_wanted, (QList<SignalRequest>{{number, {3}}}));
}

void TestSignalActions::whatHasEndedGetsNothing()
{
    RunState run = running(handMadeRun());
    run.ranks[3].phase = RankPhase::Failed;
    m_actions->setChosen(run, {3});
    QVERIFY(!m_actions->action()->isEnabled());
    m_actions->setChosen(run, {3, 4});
    action(SIGUSR1)->trigger();
    QCOMPARE(m_wanted, (QList<SignalRequest>{{SIGUSR1, {4}}}));
}

} // namespace tst_signalactions

RANKDECK_WINDOW_TEST(tst_signalactions, TestSignalActions)
#include "tst_signalactions.moc"
