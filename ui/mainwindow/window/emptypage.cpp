#include "mainwindow/emptypage.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck
{

EmptyPage::EmptyPage(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("emptyPage"));
    auto *title = new QLabel(tr("No run is shown"), this);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    large.setBold(true);
    title->setFont(large);
    auto *hint = new QLabel(tr("Launch a training run from a rank table, or choose a run on the left.\n"
                               "The demo starts eight small ranks on this machine; it needs no device."),
                            this);
    hint->setTextFormat(Qt::PlainText);
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);

    auto *launch = new QPushButton(tr("Launch…"), this);
    launch->setObjectName(QStringLiteral("emptyLaunchButton"));
    connect(launch, &QPushButton::clicked, this, &EmptyPage::launchWanted);
    auto *demo = new QPushButton(tr("Run demo"), this);
    demo->setObjectName(QStringLiteral("emptyDemoButton"));
    connect(demo, &QPushButton::clicked, this, &EmptyPage::demoWanted);

    auto *table = new QPushButton(tr("Open rank table…"), this);
    table->setObjectName(QStringLiteral("emptyRankTableButton"));
    table->setToolTip(tr("Check a rank table without a launch"));
    connect(table, &QPushButton::clicked, this, &EmptyPage::rankTableWanted);

    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(launch);
    buttons->addWidget(demo);
    buttons->addWidget(table);
    buttons->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->addStretch(2);
    layout->addWidget(title, 0, Qt::AlignHCenter);
    layout->addSpacing(6);
    layout->addWidget(hint);
    layout->addSpacing(14);
    layout->addLayout(buttons);
    layout->addStretch(3);
}

} // namespace rankdeck
