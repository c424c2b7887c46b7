#pragma once

#include <QList>
#include <QObject>

#include <memory>

class QAction;
class QMenu;

namespace rankdeck
{

class DevicePanel;

/// What the cells of the device grid show, which is remembered, and how they are sorted and filtered; for
/// menus.
class GridActions : public QObject
{
    Q_OBJECT

public:
    explicit GridActions(DevicePanel *panel);
    ~GridActions() override;

    QList<QAction *> actions() const;

private:
    QAction *m_order;
    std::unique_ptr<QMenu> m_values;
};

} // namespace rankdeck
