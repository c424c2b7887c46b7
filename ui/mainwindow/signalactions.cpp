#include "mainwindow/signalactions.h"

#include "mainwindow/rankactions.h"
#include "run/exitstatus.h"

#include <QAction>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

#include <csignal>

namespace rankdeck
{

namespace
{

QString meaning(int number)
{
    switch (number) {
    case SIGINT:
        return SignalActions::tr("interrupt, as Ctrl-C");
    case SIGTERM:
        return SignalActions::tr("asks to end");
    case SIGKILL:
        return SignalActions::tr("ends at once");
    case SIGSTOP:
        return SignalActions::tr("suspends");
    case SIGCONT:
        return SignalActions::tr("lets go on");
    default:
        return SignalActions::tr("the program's own");
    }
}

/// Empty: nobody has to be asked.
QString consequence(int number)
{
    switch (number) {
    case SIGTERM:
        return SignalActions::tr("A rank that ends by it has failed, with all that the run does about that.");
    case SIGKILL:
        return SignalActions::tr("It leaves no time to save anything, and the rank has failed, with all that "
                                 "the run does about that. Kill ends ranks without that being a failure.");
    case SIGSTOP:
        return SignalActions::tr("It stands still until it gets SIGCONT. The other ranks may wait for it, "
                                 "and give up when their communication library does.");
    default:
        return {};
    }
}

} // namespace

SignalActions::SignalActions(QWidget *page)
    : QObject(page)
    , m_page(page)
    , m_menu(std::make_unique<QMenu>())
{
    m_menu->menuAction()->setObjectName(QStringLiteral("signalMenuAction"));
    for (const int number : sendableSignals()) {
        const QString name = ExitStatus::signalName(number);
        QAction *action =
            m_menu->addAction(QStringLiteral("%1: %2").arg(name, meaning(number)) +
                              (consequence(number).isEmpty() ? QString() : QStringLiteral("…")));
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, [this, number] { send(number); });
    }
    setChosen({}, {});
}

SignalActions::~SignalActions() = default;

QAction *SignalActions::action() const
{
    return m_menu->menuAction();
}

void SignalActions::setChosen(const RunState &run, const QList<int> &processes)
{
    m_runName = run.name;
    m_running.clear();
    for (const int process : processes) {
        if (run.plan && run.ranks.at(size_t(process)).phase == RankPhase::Running)
            m_running << process;
    }
    std::sort(m_running.begin(), m_running.end());
    m_chosenName = nameOfRanks(run, processes);
    m_menu->setTitle(tr("Si&gnal %1").arg(m_chosenName));
    m_menu->menuAction()->setEnabled(isLive(run.phase) && !m_running.isEmpty());
}

void SignalActions::send(int number)
{
    const SignalRequest request{number, m_running};
    const QString words = consequence(number);
    if (words.isEmpty()) {
        Q_EMIT wanted(request);
        return;
    }
    auto *question = new QMessageBox(m_page);
    question->setObjectName(QStringLiteral("signalQuestion"));
    question->setIcon(QMessageBox::Warning);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setWindowTitle(tr("Send a signal"));
    question->setTextFormat(Qt::PlainText);
    question->setText(
        tr("Send %1 to %2 of %3?").arg(ExitStatus::signalName(number), m_chosenName, m_runName) +
        QStringLiteral("\n\n") + words);
    QPushButton *yes = question->addButton(tr("&Send"), QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("confirmSignalButton"));
    question->setDefaultButton(question->addButton(QMessageBox::Cancel));
    connect(yes, &QPushButton::clicked, this, [this, request] { Q_EMIT wanted(request); });
    question->open();
}

} // namespace rankdeck
