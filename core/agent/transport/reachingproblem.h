#pragma once

#include "agent/transport/agenttransport.h"

namespace rankdeck
{

/// A node's host key as it shows itself to who has never been there.
struct HostKey {
    QString fingerprint; ///< As ssh-keygen prints it: "SHA256:…", and the key's type.
    QByteArray lines;    ///< What knownHostsPath() gets when the user trusts it.
};

/// Ask the node for its host key, by ssh, along the way that a connection would take; nobody logs in. Waits
/// 20 s at most: not for the GUI thread. Error: the node is not reached.
Result<HostKey> fetchHostKey(const QString &node, const NodeOptions &options);

/// From now on connections to its node need no question. Error: knownHostsPath() cannot be written.
std::optional<Error> trustHostKey(const HostKey &key);

/// Why no agent answered on `node`, with the mend. `how` is how its transport ended, the words of ssh or srun
/// at the end.
Error problemOfReaching(const QString &how, const QString &node);

/// Whether that is since ssh has never seen the node's host key; a changed one is something else.
bool isKeyUnknown(const QString &how);

} // namespace rankdeck
