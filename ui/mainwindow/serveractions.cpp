#include "mainwindow/serveractions.h"

#include "devicegrid/devicegrid.h"

#include <QAction>
#include <QSettings>

namespace rankdeck
{

namespace
{

const QString worstFirstKey = QStringLiteral("window/worstServersFirst");

} // namespace

ServerActions::ServerActions(DeviceGrid *grid)
    : QObject(grid)
    , m_grid(grid)
    , m_worstFirst(new QAction(tr("&Worst servers first"), this))
    , m_foldAll(new QAction(tr("&Fold all servers"), this))
    , m_openAll(new QAction(tr("&Unfold all servers"), this))
{
    m_worstFirst->setObjectName(QStringLiteral("worstFirstAction"));
    m_worstFirst->setCheckable(true);
    m_foldAll->setObjectName(QStringLiteral("foldAllAction"));
    m_foldAll->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Minus));
    m_openAll->setObjectName(QStringLiteral("unfoldAllAction"));
    m_openAll->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Plus));
    connect(m_worstFirst, &QAction::toggled, grid, [grid](bool worstFirst) {
        grid->setOrder(worstFirst ? ServerGroups::Order::WorstFirst : ServerGroups::Order::Table);
    });
    // Not whenever it is toggled: a setting is what the user chose.
    connect(m_worstFirst, &QAction::triggered, this,
            [](bool worstFirst) { QSettings().setValue(worstFirstKey, worstFirst); });
    connect(m_foldAll, &QAction::triggered, grid, [grid] { grid->setAllFolded(true); });
    connect(m_openAll, &QAction::triggered, grid, [grid] { grid->setAllFolded(false); });
    m_worstFirst->setChecked(QSettings().value(worstFirstKey, true).toBool());
    if (!m_worstFirst->isChecked())
        grid->setOrder(ServerGroups::Order::Table);
    update();
}

QList<QAction *> ServerActions::actions() const
{
    return {m_worstFirst, m_foldAll, m_openAll};
}

void ServerActions::update()
{
    for (QAction *action : actions())
        action->setEnabled(m_grid->groups().canFold());
}

} // namespace rankdeck
