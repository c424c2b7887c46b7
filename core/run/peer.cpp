#include "run/peer.h"

#include <QLocalSocket>

#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck
{

bool isSameUser(const QLocalSocket &socket)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    const int descriptor = static_cast<int>(socket.socketDescriptor());
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
}

} // namespace rankdeck
