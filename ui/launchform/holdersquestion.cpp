#include "launchform/holdersquestion.h"

#include "launchform/launchjob.h"

#include <QPushButton>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Of a long list the rest is counted.
constexpr qsizetype mostShown = 10;

} // namespace

HoldersQuestion::HoldersQuestion(const QList<Holder> &holders, LaunchJob *job, QWidget *parent)
    : QMessageBox(parent)
{
    setObjectName(QStringLiteral("holdersQuestion"));
    setAttribute(Qt::WA_DeleteOnClose);
    setIcon(QMessageBox::Warning);
    setTextFormat(Qt::PlainText);
    setWindowTitle(tr("In use"));
    QStringList lines{tr("What this launch is going to use is in use."), QString()};
    for (const Holder &holder : holders.mid(0, mostShown))
        lines << holder.sentence();
    if (holders.size() > mostShown)
        lines << tr("and %n more", nullptr, int(holders.size() - mostShown));
    setText(lines.join(QLatin1Char('\n')));

    const auto ours =
        std::count_if(holders.begin(), holders.end(), [](const Holder &holder) { return holder.isOurs(); });
    QPushButton *stop = nullptr;
    if (ours > 0) {
        stop = addButton(ours == 1 ? tr("&Stop it and launch") : tr("&Stop %1 runs and launch").arg(ours),
                         QMessageBox::DestructiveRole);
        stop->setObjectName(QStringLiteral("stopHoldersButton"));
    }
    QPushButton *anyway = addButton(tr("&Launch all the same"), QMessageBox::AcceptRole);
    anyway->setObjectName(QStringLiteral("launchAllTheSameButton"));
    QPushButton *cancel = addButton(QMessageBox::Cancel);
    setDefaultButton(cancel);
    setEscapeButton(cancel);
    connect(this, &QDialog::finished, job, [this, job, stop, anyway] {
        if (stop && clickedButton() == stop)
            job->stopHolders();
        else if (clickedButton() == anyway)
            job->launchAllTheSame();
        else
            job->cancel();
    });
    connect(job, &LaunchJob::finished, this, &QWidget::close);
}

void HoldersQuestion::ask(const QList<Holder> &holders, LaunchJob *job, QWidget *parent)
{
    (new HoldersQuestion(holders, job, parent))->open();
}

} // namespace rankdeck
