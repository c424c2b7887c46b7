#pragma once

#include "widgets/widgetparts.h"

namespace rankdeck
{

class DevicePanel;

/// Divides a run's page between its devices and its logs. Until the user does, all devices have room if they
/// fit, but the logs have at least half of the page.
class PageSplitter : public QSplitter
{
    Q_OBJECT

public:
    PageSplitter(DevicePanel *devices, QWidget *logs, QWidget *parent);

    /// Returns how the user divided the page; empty if the user did not.
    QByteArray saveDivision() const { return m_userDivided ? saveState() : QByteArray(); }
    void restoreDivision(const QByteArray &saved) { m_userDivided = restoreState(saved); }
    /// To be called when there are other devices, or none are shown.
    void divide();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    DevicePanel *m_devices;
    bool m_userDivided = false;
};

} // namespace rankdeck
