#include "runlist/deletequestion.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QLocale>
#include <QPushButton>

namespace rankdeck
{

DeleteQuestion::DeleteQuestion(const QList<RunFiles> &runs, const QStringList &refused, QWidget *parent)
    : QMessageBox(parent)
    , m_outside(new QCheckBox(this))
{
    setObjectName(QStringLiteral("deleteQuestion"));
    setIcon(QMessageBox::Warning);
    setTextFormat(Qt::PlainText);
    qint64 bytes = 0;
    qint64 outsideBytes = 0;
    int outside = 0;
    QStringList folders;
    for (const RunFiles &run : runs) {
        bytes += run.bytes;
        outsideBytes += run.outsideBytes;
        outside += int(run.outsideLogs.size());
        for (const QString &path : run.outsideLogs)
            folders << QFileInfo(path).path();
    }
    folders.removeDuplicates();

    const int count = int(runs.size());
    setWindowTitle(count == 1 ? tr("Delete the run") : tr("Delete runs"));
    QStringList lines{
        count == 1 ? tr("Delete %1?").arg(runs.constFirst().name) : tr("Delete %n runs?", nullptr, count),
        QString(),
        (count == 1 ? tr("This deletes its directory, %1 with the logs there, and cannot be undone.")
                    : tr("This deletes their directories, %1 with the logs there, and cannot be "
                         "undone."))
            .arg(QLocale().formattedDataSize(bytes))};
    if (!refused.isEmpty())
        lines << QString() << refused;
    // Not as informative text, which Qt would look through for markup.
    setText(lines.join(QLatin1Char('\n')));

    m_outside->setObjectName(QStringLiteral("deleteLogsBox"));
    m_outside->setText((outside == 1 ? tr("Also delete &the log in %1 (%2)")
                                     : tr("Also delete &the %n logs in %1 (%2)", nullptr, outside))
                           .arg(folders.value(0).replace(QLatin1Char('&'), QLatin1String("&&")) +
                                    (folders.size() > 1 ? QStringLiteral(", …") : QString()),
                                QLocale().formattedDataSize(outsideBytes)));
    m_outside->setToolTip(folders.join(QLatin1Char('\n')).toHtmlEscaped());
    if (outside > 0)
        setCheckBox(m_outside);
    else
        m_outside->hide();

    QPushButton *yes = addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("confirmDeleteButton"));
    setDefaultButton(addButton(QMessageBox::Cancel));
    connect(yes, &QPushButton::clicked, this, [this] { Q_EMIT confirmed(m_outside->isChecked()); });
}

} // namespace rankdeck
