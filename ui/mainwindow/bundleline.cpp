#include "mainwindow/bundleline.h"

#include "state/elidedlabel.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>

namespace rankdeck
{

namespace
{
constexpr int momentMs = 300;
} // namespace

BundleLine::BundleLine(QWidget *parent)
    : QWidget(parent)
    , m_text(new ElidedLabel(Qt::ElideRight, this))
    , m_cancel(new QPushButton(tr("Ca&ncel"), this))
{
    setObjectName(QStringLiteral("bundleLine"));
    m_text->setObjectName(QStringLiteral("bundleText"));
    m_cancel->setObjectName(QStringLiteral("cancelUnpackingButton"));
    connect(m_cancel, &QPushButton::clicked, this, &BundleLine::cancelWanted);
    m_moment.setSingleShot(true);
    m_moment.setInterval(momentMs);
    connect(&m_moment, &QTimer::timeout, this, &QWidget::show);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 0, 10, 6);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_cancel);
    hide();
}

void BundleLine::setUnpacking(const QString &path)
{
    m_text->setText(tr("Unpacking %1…").arg(QFileInfo(path).fileName()));
    m_cancel->show();
    m_moment.start();
}

void BundleLine::setOrigin(const QString &sentence)
{
    m_moment.stop();
    m_text->setText(sentence);
    m_cancel->hide();
    show();
}

void BundleLine::clear()
{
    m_moment.stop();
    hide();
}

} // namespace rankdeck
