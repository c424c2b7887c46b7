#include "mainwindow/terminalboard.h"

#include "mainwindow/processtitle.h"
#include "mainwindow/runsession.h"
#include "terminal/terminalpane.h"
#include "terminal/terminaltiles.h"

#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

QString processName(const ProcessPlan &process)
{
    return process.role == Role::Scheduler ? TerminalBoard::tr("The scheduler")
                                           : TerminalBoard::tr("Rank %1").arg(process.rank.value);
}

QString noTerminalSentence(const ProcessPlan &process)
{
    if (process.role == Role::Scheduler)
        return TerminalBoard::tr("The scheduler has no terminal; only ranks can have one.");
    return TerminalBoard::tr("Rank %1 has no terminal. Launch with Terminals: %1 (--tty %1), or all.")
        .arg(process.rank.value);
}

} // namespace

TerminalBoard::TerminalBoard(QWidget *parent)
    : QWidget(parent)
    , m_tiles(new TerminalTiles(this))
{
    m_tiles->setObjectName(QStringLiteral("terminalTiles"));
    auto *const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tiles, 1);
    connect(m_tiles, &TerminalTiles::typed, this, [this](const TerminalInput &input) {
        if (m_session)
            m_session->type(input);
    });
}

void TerminalBoard::show(RunSession &session, const QList<int> &processes)
{
    if (m_session != &session)
        clear();
    m_session = &session;
    QList<TerminalTile> tiles;
    for (const int process : processes) {
        const ProcessPlan &plan = session.state().plan->processes[size_t(process)];
        tiles.append({process, processTitle(plan), plan.logFile,
                      plan.hasTerminal ? QString() : noTerminalSentence(plan)});
    }
    m_tiles->setTiles(tiles, [this](int process) { return m_session->followTerminal(process); });
    setState(session.state());
}

void TerminalBoard::clear()
{
    m_tiles->setTiles({}, {});
    m_session.clear();
}

void TerminalBoard::setState(const RunState &state)
{
    const QList<int> shown = m_tiles->processes();
    for (const int process : shown) {
        const RankState &rank = state.ranks.at(size_t(process));
        TerminalPane *const pane = m_tiles->pane(process);
        pane->setState(processStateWords(rank));
        const QString name = processName(state.plan->processes[size_t(process)]);
        if (rank.status)
            pane->setEnding(tr("%1 has ended: %2.", "process: exit status").arg(name, rank.status->text()));
        else if (!isLive(state.phase))
            pane->setEnding(tr("%1 has ended; nobody saw how.", "process").arg(name));
        else
            pane->setEnding({});
    }
}

} // namespace rankdeck
