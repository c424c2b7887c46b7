#pragma once

#include "base/tr.h"

#include <QTimer>

namespace rankdeck
{

/// A timer that runs out once after each start().
class OneShotTimer : public QTimer
{
public:
    /// @param interval ms
    explicit OneShotTimer(int interval = 0, QObject *parent = nullptr)
        : QTimer(parent)
    {
        setInterval(interval);
        setSingleShot(true);
    }
};

} // namespace rankdeck
