#include "mainwindow/window/emptypage.h"

#include "widgets/widgetparts.h"

namespace rankdeck
{

EmptyPage::EmptyPage(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("emptyPage"));
    auto *title = new QLabel(tr("No run selected"), this);
    makeBold(title, 1.4);
    auto *hint =
        plainLabel("", tr("Launch your training script, open a log directory, or select a run on the "
                          "left.\nThe demo runs eight small processes on this machine and needs no NPU."));
    hint->setAlignment(Qt::AlignCenter);

    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    const auto addButton = [this, buttons](const QString &text, const char *name, auto signal) {
        auto *button = named(new QPushButton(text, this), name);
        connect(button, &QPushButton::clicked, this, signal);
        buttons->addWidget(button);
        return button;
    };
    addButton(tr("Launch…"), "emptyLaunchButton", &EmptyPage::launchWanted);
    addButton(tr("Run demo"), "emptyDemoButton", &EmptyPage::demoWanted);
    addButton(tr("Open rank table…"), "emptyRankTableButton", &EmptyPage::rankTableWanted)
        ->setToolTip(tr("Check a rank table without launching anything"));
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
