#pragma once

#include <QByteArray>

class QLocalSocket;

namespace rankdeck
{

/// Whether the process at the other end of a local socket is this user's. Asked by both ends: a 0600 socket
/// in a 0700 directory keeps others out, but permissions can be loosened.
bool isSameUser(const QLocalSocket &socket);

/// First line each end sends; another version says so instead of guessing.
inline constexpr char runProtocol[] = "rankdeck-run 1";

} // namespace rankdeck
