#pragma once

#include <QMessageBox>
#include <QStringList>

namespace rankdeck
{

/// Asked when the window is closed while runs are live: leave them running (the default), stop them, or stay.
class CloseQuestion : public QMessageBox
{
    Q_OBJECT

public:
    /// @param names of the live runs; at least one.
    explicit CloseQuestion(const QStringList &names, QWidget *parent = nullptr);

Q_SIGNALS:
    void leaveRunning();
    void stopRuns();
};

} // namespace rankdeck
