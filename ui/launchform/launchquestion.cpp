#include "launchform/launchquestion.h"

#include "ranktable/severitywords.h"

#include <QPushButton>

namespace rankdeck
{

LaunchQuestion::LaunchQuestion(const TableCheck &check, QWidget *parent)
    : QMessageBox(parent)
{
    setObjectName(QStringLiteral("launchQuestion"));
    setIcon(QMessageBox::Warning);
    setTextFormat(Qt::PlainText);
    setWindowTitle(tr("The rank table has errors"));
    QStringList lines{
        tr("The rank table has %1. Launch with it anyway?").arg(countWords(Severity::Error, check.errors)),
        QString()};
    lines += check.firstErrors;
    if (const int more = check.errors - int(check.firstErrors.size()); more > 0)
        lines += more == 1 ? tr("and 1 more") : tr("and %n more", nullptr, more);
    lines += {QString(), tr("With such a table the ranks fail to find each other: at once, or after half an "
                            "hour of waiting.")};
    // Not as informative text, which Qt would look through for markup.
    setText(lines.join(QLatin1Char('\n')));

    QPushButton *anyway = addButton(tr("&Launch anyway"), QMessageBox::DestructiveRole);
    anyway->setObjectName(QStringLiteral("launchAnywayButton"));
    QPushButton *cancel = addButton(QMessageBox::Cancel);
    cancel->setObjectName(QStringLiteral("cancelLaunchButton"));
    setDefaultButton(cancel);
    setEscapeButton(cancel);
    connect(this, &QDialog::finished, this, [this, anyway] {
        if (clickedButton() == anyway)
            Q_EMIT launchAnyway();
        else
            Q_EMIT cancelled();
    });
}

} // namespace rankdeck
