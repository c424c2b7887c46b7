#pragma once

#include "agent/preflight/holders.h"

#include <QMessageBox>

namespace rankdeck
{

class LaunchJob;

/// Asked before a launch whose devices or port somebody holds: stop what is ours and launch, launch all the
/// same, or cancel.
class HoldersQuestion : public QMessageBox
{
    Q_OBJECT

public:
    /// Shows itself over `parent`, answers `job`, and goes with it.
    static void ask(const QList<Holder> &holders, LaunchJob *job, QWidget *parent);

private:
    HoldersQuestion(const QList<Holder> &holders, LaunchJob *job, QWidget *parent);
};

} // namespace rankdeck
