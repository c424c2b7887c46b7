#include "mainwindow/runactions/gridactions.h"

#include "devicegrid/grid/devicegrid.h"
#include "devicegrid/grid/devicepanel.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QSettings>

namespace rankdeck
{

namespace
{

const QString worstFirstKey = QStringLiteral("window/worstServersFirst");
const QString valuesKey = QStringLiteral("window/gridValues");

/// A choice of cell values.
struct ValuesChoice {
    ShownSamples shown;
    const char *text;
    const char *word; ///< In the settings.
    const char *name; ///< Object name of its action.
};

constexpr ValuesChoice choices[] = {
    {ShownSamples::Devices, QT_TRANSLATE_NOOP("rankdeck::GridActions", "&NPUs"), "devices",
     "gridDevicesAction"},
    {ShownSamples::Processes, QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Processes"), "processes",
     "gridProcessesAction"},
    {ShownSamples::Both, QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Both"), "both", "gridBothAction"},
    {ShownSamples::Neither, QT_TRANSLATE_NOOP("rankdeck::GridActions", "N&either"), "neither",
     "gridNeitherAction"},
};

} // namespace

GridActions::GridActions(DevicePanel *panel)
    : QObject(panel)
    , m_panel(panel)
    , m_worstFirst(new QAction(tr("&Worst servers first"), this))
    , m_foldAll(new QAction(tr("&Fold all servers"), this))
    , m_openAll(new QAction(tr("&Unfold all servers"), this))
    , m_order(new QAction(tr("&Sort and filter ranks…"), this))
    , m_values(std::make_unique<QMenu>(tr("Show &in the grid")))
{
    m_order->setObjectName(QStringLiteral("sortRanksAction"));
    m_order->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
    connect(m_order, &QAction::triggered, panel, &DevicePanel::openOrder);
    addServerActions();
    addValueActions();
    update();
}

GridActions::~GridActions() = default;

void GridActions::addServerActions()
{
    m_worstFirst->setObjectName(QStringLiteral("worstFirstAction"));
    m_worstFirst->setCheckable(true);
    m_foldAll->setObjectName(QStringLiteral("foldAllAction"));
    m_foldAll->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Minus));
    m_openAll->setObjectName(QStringLiteral("unfoldAllAction"));
    m_openAll->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Plus));
    DeviceGrid *const grid = m_panel->grid();
    const auto setOrder = [grid](bool worstFirst) {
        grid->setOrder(worstFirst ? ServerGroups::Order::WorstFirst : ServerGroups::Order::Table);
    };
    connect(m_worstFirst, &QAction::toggled, grid, setOrder);
    // Not on each toggle: the settings keep what the user chose.
    connect(m_worstFirst, &QAction::triggered, this,
            [](bool worstFirst) { QSettings().setValue(worstFirstKey, worstFirst); });
    connect(m_foldAll, &QAction::triggered, grid, [grid] { grid->setAllFolded(true); });
    connect(m_openAll, &QAction::triggered, grid, [grid] { grid->setAllFolded(false); });
    m_worstFirst->setChecked(QSettings().value(worstFirstKey, true).toBool());
    setOrder(m_worstFirst->isChecked());
}

void GridActions::addValueActions()
{
    auto *const group = new QActionGroup(this);
    const QString remembered = QSettings().value(valuesKey).toString();
    DeviceGrid *const grid = m_panel->grid();
    for (const ValuesChoice &choice : choices) {
        const QString word = QLatin1String(choice.word);
        if (word == remembered)
            grid->setShownSamples(choice.shown);
        auto *const action = new QAction(tr(choice.text), this);
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

QList<QAction *> GridActions::actions() const
{
    return {m_worstFirst, m_foldAll, m_openAll, m_order, m_values->menuAction()};
}

void GridActions::update()
{
    for (QAction *action : {m_worstFirst, m_foldAll, m_openAll})
        action->setEnabled(m_panel->grid()->groups().canFold());
}

} // namespace rankdeck
