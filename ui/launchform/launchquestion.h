#pragma once

#include "ranktable/tablecheck.h"

#include <QMessageBox>

namespace rankdeck
{

/// Asked before a launch with a rank table that has errors. Cancel is the default.
class LaunchQuestion : public QMessageBox
{
    Q_OBJECT

public:
    explicit LaunchQuestion(const TableCheck &check, QWidget *parent = nullptr);

Q_SIGNALS:
    /// One of the two is emitted, once.
    void launchAnyway();
    void cancelled();
};

} // namespace rankdeck
