#include "widgets/problembox.h"

#include <QMessageBox>

namespace rankdeck
{

void showProblem(QWidget *parent, const QString &title, const QString &sentence)
{
    auto *box = new QMessageBox(QMessageBox::Warning, title, {}, QMessageBox::Ok, parent);
    box->setObjectName(QStringLiteral("problemBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    // Qt would interpret markup in informative text.
    box->setText(title + QStringLiteral("\n\n") + sentence);
    box->open();
}

} // namespace rankdeck
