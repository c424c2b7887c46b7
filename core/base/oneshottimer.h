#pragma once

#include <QTimer>

namespace rankdeck
{

/// A timer that runs out once after each start().
class OneShotTimer : public QTimer
{
public:
    explicit OneShotTimer(QObject *parent = nullptr)
        : QTimer(parent)
    {
        setSingleShot(true);
    }
    /// @param interval ms
    explicit OneShotTimer(int interval, QObject *parent = nullptr)
        : OneShotTimer(parent)
    {
        setInterval(interval);
    }
};

} // namespace rankdeck
