#pragma once

#include "canvas/cells/canvas.h"

#include <QFont>
#include <QRegion>

#include <functional>

namespace rankdeck
{

/// Reports when the display has done everything that was sent to it. Tests replace it.
class DisplayEcho : public QObject
{
    Q_OBJECT

public:
    /// Asks for one answered() once everything sent so far is done. Never waits.
    virtual void ask() = 0;
    /// Bytes sent to the display since the start.
    virtual quint64 bytesSent() const = 0;
    /// Whether everything that is sent goes through a network.
    virtual bool isOverNetwork() const = 0;

Q_SIGNALS:
    void answered();
};

/// A Canvas with what its widget must pass on to it: the interface of all back ends.
class WidgetCanvas : public Canvas
{
public:
    /// Sets the widget's new size, font or device pixel ratio. Discards earlier drawings.
    virtual void reset(const QSize &size, const QFont &font, qreal devicePixelRatio) = 0;
    virtual qreal devicePixelRatio() const = 0;
    /// Paints `region` on the widget, in its paint event. Returns whether anything was painted.
    virtual bool expose(const QRegion &region) = 0;
    /// Returns the shortest time between frames, in ms, while text comes faster than anyone can read.
    virtual int floodInterval() const { return 250; }
    /// Returns whether other windows hide all of it.
    virtual bool isCovered() const { return false; }

    /// Called when it was covered and is visible again; set by the widget.
    std::function<void()> seenAgain;
};

} // namespace rankdeck
