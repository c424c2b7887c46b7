#pragma once

#include "base/result.h"

#include <QtGlobal>

#include <memory>

struct xcb_connection_t;

namespace rankdeck
{

/// A small window with a line of text, shown until the real window opens. On a display across a network it is
/// seen after 2 round trips, long before QApplication exists, which takes some sixty.
class Splash
{
public:
    /// Null where the display is local. Fails where the X display does not answer, at which QApplication
    /// would abort. Needs no application.
    static Result<std::unique_ptr<Splash>> show();
    /// Takes it away.
    ~Splash();
    Q_DISABLE_COPY_MOVE(Splash)

    /// us
    qint64 roundTrip() const { return m_roundTrip; }

private:
    explicit Splash(xcb_connection_t *connection);
    void draw(int screenNumber);

    xcb_connection_t *m_connection;
    qint64 m_roundTrip = 0;
};

} // namespace rankdeck
