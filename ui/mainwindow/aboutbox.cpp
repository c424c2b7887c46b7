#include "mainwindow/aboutbox.h"

#include <QCoreApplication>
#include <QMessageBox>

namespace rankdeck
{

namespace
{

struct AboutBox {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::AboutBox)
};

} // namespace

void showAbout(QWidget *parent)
{
    auto *box =
        new QMessageBox(QMessageBox::NoIcon, AboutBox::tr("About Rankdeck"), {}, QMessageBox::Close, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setText(AboutBox::tr("Rankdeck %1").arg(QCoreApplication::applicationVersion()));
    box->setInformativeText(
        AboutBox::tr("Launches distributed training on Ascend NPU boxes from a rank table and watches every "
                     "rank: its state, its log, how it ended.\n\nWritten with Qt %1.")
            .arg(QString::fromLatin1(qVersion())));
    box->open();
}

} // namespace rankdeck
