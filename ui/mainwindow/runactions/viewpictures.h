#pragma once

#include "picture/pictureactions.h"

class QScrollArea;

namespace rankdeck
{

class DevicePanel;
class RunLogs;

/// The views of a run that can be saved as pictures: a menu of them, and the grid's own action.
class ViewPictures : public QObject
{
    Q_OBJECT

public:
    /// @param errorPage shows the error.
    ViewPictures(DevicePanel *devices, RunLogs *logs, QScrollArea *errorPage, QObject *parent);

    /// Opens the menu.
    QAction *action() const { return m_menu.action(); }
    /// For the context menu of the grid.
    QAction *gridAction() const { return m_gridAction; }

private:
    PictureActions m_menu;
    QAction *m_gridAction;
};

} // namespace rankdeck
