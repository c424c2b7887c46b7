#include "mainwindow/stopquestion.h"

#include <QPushButton>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString howTheyEnd(const RunState &run, StopQuestion::How how)
{
    return how == StopQuestion::How::Kill
               ? StopQuestion::tr("SIGKILL leaves no time to save anything.")
               : StopQuestion::tr("SIGTERM, and SIGKILL for what is still alive %1 s later.")
                     .arg(run.plan->graceSeconds);
}

} // namespace

QString runningRanks(const RunState &run)
{
    int ranks = 0;
    int running = 0;
    for (std::size_t process = 0; process < run.ranks.size(); ++process) {
        const bool isRank = run.plan->processes[process].role == Role::Worker;
        ranks += isRank ? 1 : 0;
        running += isRank && run.ranks[process].phase == RankPhase::Running ? 1 : 0;
    }
    if (ranks == 1 && running == 1)
        return StopQuestion::tr("Its rank is running.");
    return running == ranks ? StopQuestion::tr("All %1 ranks are running.").arg(ranks)
                            : StopQuestion::tr("%1 of %2 ranks are running.").arg(running).arg(ranks);
}

StopQuestion::StopQuestion(const RunState &run, How how, QWidget *parent)
    : QMessageBox(parent)
{
    setObjectName(how == How::Kill ? QStringLiteral("killQuestion") : QStringLiteral("stopQuestion"));
    QString consequences = howTheyEnd(run, how);
    if (how == How::Kill)
        consequences += QLatin1Char(' ') + tr("Stop lets them end in order.");
    ask(how == How::Kill ? tr("Kill the run") : tr("Stop the run"),
        (how == How::Kill ? tr("Kill every process of %1 at once?") : tr("Stop %1?")).arg(run.name),
        runningRanks(run) + QLatin1Char('\n') + consequences, how);
}

StopQuestion::StopQuestion(const RunState &run, const QString &part, int processes, How how, QWidget *parent)
    : QMessageBox(parent)
{
    setObjectName(QStringLiteral("rankQuestion"));
    const QString others =
        processes < run.count(RankPhase::Running) + run.count(RankPhase::Waiting)
            ? tr("The other ranks go on, and may wait for it in their next collective operation. It is not "
                 "started again in this run.")
            : tr("No other rank is left then.");
    ask(how == How::Kill ? tr("Kill ranks") : tr("Stop ranks"),
        (how == How::Kill ? tr("Kill %1 of %2?") : tr("Stop %1 of %2?")).arg(part, run.name),
        howTheyEnd(run, how) + QLatin1Char('\n') + others, how);
}

void StopQuestion::ask(const QString &title, const QString &question, const QString &consequences, How how)
{
    setIcon(QMessageBox::Warning);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(title);
    setTextFormat(Qt::PlainText);
    // Not as informative text, which Qt would look through for markup.
    setText(question + QStringLiteral("\n\n") + consequences);
    QPushButton *yes = addButton(how == How::Kill ? tr("&Kill") : tr("&Stop"), QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("confirmStopButton"));
    setDefaultButton(addButton(QMessageBox::Cancel));
    connect(yes, &QPushButton::clicked, this, &StopQuestion::confirmed);
}

} // namespace rankdeck
