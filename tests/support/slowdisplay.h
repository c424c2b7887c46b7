#pragma once

#include "canvas/drawing/displaybackend.h"

namespace rankdeck
{

/// A display across a network that answers when a test tells it to.
class SlowDisplay : public DisplayEcho
{
public:
    void ask() override { ++asked; }
    quint64 bytesSent() const override { return sent; }
    bool isOverNetwork() const override { return overNetwork; }

    int asked = 0;
    quint64 sent = 0;
    bool overNetwork = true;
};

} // namespace rankdeck
