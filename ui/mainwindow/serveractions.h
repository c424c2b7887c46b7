#pragma once

#include <QList>
#include <QObject>

class QAction;

namespace rankdeck
{

class DeviceGrid;

/// How the device grid shows the servers of a run: their order, which is remembered, and folding all; for
/// menus.
class ServerActions : public QObject
{
    Q_OBJECT

public:
    explicit ServerActions(DeviceGrid *grid);

    QList<QAction *> actions() const;
    /// The grid shows another run, or none.
    void update();

private:
    DeviceGrid *m_grid;
    QAction *m_worstFirst;
    QAction *m_foldAll;
    QAction *m_openAll;
};

} // namespace rankdeck
