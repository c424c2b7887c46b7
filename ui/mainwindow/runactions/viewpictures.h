#pragma once

#include "picture/pictureactions.h"

class QScrollArea;

namespace rankdeck
{

class DevicePanel;
class RunLogs;

/// The views of a run that can be saved as pictures: a menu of them, and the grid's own action.
class ViewPictures : public PictureActions
{
    Q_OBJECT

public:
    /// @param errorPage shows the error.
    ViewPictures(DevicePanel *devices, RunLogs *logs, QScrollArea *errorPage, QObject *parent);

    /// For the context menu of the grid.
    QAction *gridAction() const { return m_gridAction; }

private:
    QAction *m_gridAction;
};

} // namespace rankdeck
