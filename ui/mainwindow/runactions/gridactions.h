#pragma once

#include "base/tr.h"

#include <QList>
#include <QObject>

#include <memory>

class QAction;
class QMenu;

namespace rankdeck
{

class DevicePanel;

/// Menu actions for the device grid: the order and folding of its servers, how ranks are sorted and filtered,
/// and what the cells show. Order and cell values are kept in the settings.
class GridActions : public QObject
{
    Q_OBJECT

public:
    explicit GridActions(DevicePanel *panel);
    ~GridActions() override;

    QList<QAction *> actions() const;
    /// To be called when the grid shows another run, or none.
    void update();

private:
    void addServerActions();
    void addValueActions();

    DevicePanel *m_panel;
    QAction *m_worstFirst;
    QAction *m_foldAll;
    QAction *m_openAll;
    QAction *m_order;
    std::unique_ptr<QMenu> m_values;
};

} // namespace rankdeck
