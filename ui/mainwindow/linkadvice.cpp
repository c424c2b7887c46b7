#include "mainwindow/linkadvice.h"

#include "state/elidedlabel.h"

#include <QHBoxLayout>
#include <QSettings>
#include <QToolButton>

namespace rankdeck
{

namespace
{

const QString closedKey = QStringLiteral("advice/sshCompressionClosed");

} // namespace

bool LinkAdvice::isClosed()
{
    return QSettings().value(closedKey).toBool();
}

LinkAdvice::LinkAdvice(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("linkAdvice"));
    auto *const words = new ElidedLabel(Qt::ElideRight, this);
    words->setText(tr("The connection to the display is slow. ssh -C compresses what it carries."));
    auto *const button = new QToolButton(this);
    button->setText(tr("Close"));
    button->setToolTip(tr("Close this advice for good"));
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, &LinkAdvice::close);
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 6, 0);
    row->addWidget(words, 1);
    row->addWidget(button);
}

void LinkAdvice::close()
{
    QSettings().setValue(closedKey, true);
    hide();
    deleteLater();
}

} // namespace rankdeck
