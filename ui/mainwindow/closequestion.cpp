#include "mainwindow/closequestion.h"

#include <QPushButton>

namespace rankdeck
{

CloseQuestion::CloseQuestion(const QStringList &names, QWidget *parent)
    : QMessageBox(parent)
{
    setObjectName(QStringLiteral("closeQuestion"));
    setIcon(QMessageBox::Question);
    setTextFormat(Qt::PlainText);
    const int count = int(names.size());
    setWindowTitle(count == 1 ? tr("A run is live") : tr("Runs are live"));
    setText(count == 1 ? tr("%1 is still running.").arg(names.constFirst())
                       : tr("%n runs are still running.", nullptr, count));
    setInformativeText(count == 1 ? tr("It goes on without this window: open it again from the run list.")
                                  : tr("They go on without this window: open them again from the run list."));

    QPushButton *leave = addButton(tr("&Leave running"), QMessageBox::AcceptRole);
    leave->setObjectName(QStringLiteral("leaveRunningButton"));
    QPushButton *stop =
        addButton(count == 1 ? tr("&Stop") : tr("&Stop all %1").arg(count), QMessageBox::DestructiveRole);
    stop->setObjectName(QStringLiteral("stopRunsButton"));
    QPushButton *cancel = addButton(QMessageBox::Cancel);
    setDefaultButton(leave);
    setEscapeButton(cancel);
    connect(this, &QMessageBox::buttonClicked, this, [this, leave, stop](QAbstractButton *button) {
        if (button == leave)
            Q_EMIT leaveRunning();
        else if (button == stop)
            Q_EMIT stopRuns();
    });
}

} // namespace rankdeck
