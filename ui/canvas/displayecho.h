#pragma once

#include <QObject>

#include <memory>

namespace rankdeck
{

/// Asks the display to say when it has done all that it was sent. What it stands for can be replaced in
/// tests.
class DisplayEcho : public QObject
{
    Q_OBJECT

public:
    /// The one of the display that Qt uses. Null where that cannot be asked, as in a window that is not on an
    /// X server.
    static std::unique_ptr<DisplayEcho> ofApplication();

    /// Ask behind whatever was sent up to now; answered() comes for each time. Never waits.
    virtual void ask() = 0;
    /// Bytes sent to the display since the start.
    virtual quint64 bytesSent() const = 0;
    /// Whatever is sent goes through a network.
    virtual bool isOverNetwork() const = 0;

Q_SIGNALS:
    void answered();
};

} // namespace rankdeck
