#pragma once

#include <QTcpServer>

namespace rankdeck
{

/// A port that nobody listens on now; 0 when there is none.
inline quint16 freePort()
{
    QTcpServer server;
    return server.listen(QHostAddress::Any) ? server.serverPort() : quint16(0);
}

} // namespace rankdeck
