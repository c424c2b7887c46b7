#include "mainwindow/gridactions.h"

#include "devicegrid/devicegrid.h"
#include "devicegrid/devicepanel.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QSettings>

namespace rankdeck
{

namespace
{

const QString valuesKey = QStringLiteral("window/gridValues");

/// A choice, its word in the settings and the object name of its action.
struct ValuesChoice {
    ShownSamples shown;
    const char *word;
    const char *name;
};

constexpr ValuesChoice choices[] = {{ShownSamples::Devices, "devices", "gridDevicesAction"},
                                    {ShownSamples::Processes, "processes", "gridProcessesAction"},
                                    {ShownSamples::Both, "both", "gridBothAction"},
                                    {ShownSamples::Neither, "neither", "gridNeitherAction"}};

} // namespace

GridActions::GridActions(DevicePanel *panel)
    : QObject(panel)
    , m_order(new QAction(tr("&Sort and filter ranks…"), this))
    , m_values(std::make_unique<QMenu>(tr("Show &in the grid")))
{
    m_order->setObjectName(QStringLiteral("sortRanksAction"));
    m_order->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
    connect(m_order, &QAction::triggered, panel, &DevicePanel::openOrder);

    auto *const group = new QActionGroup(this);
    const QString remembered = QSettings().value(valuesKey).toString();
    const auto text = [](ShownSamples shown) {
        switch (shown) {
        case ShownSamples::Devices:
            return tr("&NPUs");
        case ShownSamples::Processes:
            return tr("&Processes");
        case ShownSamples::Both:
            return tr("&Both");
        case ShownSamples::Neither:
            break;
        }
        return tr("N&either");
    };
    DeviceGrid *const grid = panel->grid();
    for (const ValuesChoice &choice : choices) {
        const QString word = QLatin1String(choice.word);
        if (word == remembered)
            grid->setShownSamples(choice.shown);
        auto *const action = new QAction(text(choice.shown), this);
        m_values->addAction(action);
        action->setObjectName(QLatin1String(choice.name));
        action->setCheckable(true);
        group->addAction(action);
        connect(action, &QAction::triggered, grid, [grid, shown = choice.shown, word] {
            grid->setShownSamples(shown);
            QSettings().setValue(valuesKey, word);
        });
    }
    for (qsizetype at = 0; at < group->actions().size(); ++at)
        group->actions().at(at)->setChecked(choices[at].shown == grid->shownSamples());
}

GridActions::~GridActions() = default;

QList<QAction *> GridActions::actions() const
{
    return {m_order, m_values->menuAction()};
}

} // namespace rankdeck
