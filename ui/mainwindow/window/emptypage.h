#pragma once

#include <QWidget>

namespace rankdeck
{

/// What stands where a run would be, before one is chosen.
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
