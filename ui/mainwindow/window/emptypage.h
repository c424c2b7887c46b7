#pragma once

#include "base/tr.h"

#include <QWidget>

namespace rankdeck
{

/// Shown in place of a run before one is chosen.
class EmptyPage : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyPage(QWidget *parent = nullptr);

Q_SIGNALS:
    void launchWanted();
    void demoWanted();
    void rankTableWanted();
};

} // namespace rankdeck
