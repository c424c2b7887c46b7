#pragma once

#include "collective/store/storeserver.h"

#include <QProcessEnvironment>

namespace rankdeck
{

/// How a process finds its rank and the other ranks.
enum class DistMethod {
    Slurm,      ///< Slurm's variables first, then those of launchers.
    SingleNode, ///< A launcher's variables first, as this may be a launch inside a Slurm job.
};

struct Placement {
    int rank = 0;
    int worldSize = 1;
    bool operator==(const Placement &) const = default;
};

/// Returns rank and size from SLURM_PROCID and SLURM_NTASKS; or RANK_ID and RANK_SIZE; or RANK and
/// WORLD_SIZE: the first pair with a variable set, in the order for `method`. Nothing if none is set. Fails
/// if one of the two is missing or not a number, if the rank is not below the size, or the size above 65536.
Result<std::optional<Placement>> placementFrom(const QProcessEnvironment &environment, DistMethod method);

struct Master {
    QString host;
    quint16 port = 0;
    bool operator==(const Master &) const = default;
};

/// Returns MASTER_ADDR and MASTER_PORT. If not set: 127.0.0.1 and 29500, as torch's; for Slurm the first host
/// of SLURM_STEP_NODELIST or SLURM_NODELIST, and a port between 20000 and 29999 by job and step, so that the
/// steps of a node use different ones. Fails if MASTER_PORT is not a port.
Result<Master> masterFrom(const QProcessEnvironment &environment, DistMethod method);

/// The store at which the ranks have met, and at rank 0 its server too.
class Rendezvous
{
public:
    /// @throws DistError the port is taken; rank 0's store is not there within `timeout`. That others are
    /// missing by then is reported by the store's questions.
    Rendezvous(const Placement &placement, const Master &master, std::chrono::milliseconds timeout,
               StoreClient::OnOver onOver = {});

    StoreClient &store() { return *m_store; }
    /// Returns the address at which others most likely reach this host; 127.0.0.1 if it is the only one.
    const QString &ownAddress() const { return m_ownAddress; }
    /// Announces that this rank leaves in order; rank 0 then waits for the others, up to the timeout.
    void leave();

private:
    Placement m_placement;
    std::chrono::milliseconds m_timeout;
    QString m_ownAddress;
    std::unique_ptr<TcpStoreServer> m_server;
    std::unique_ptr<StoreClient> m_store;
};

} // namespace rankdeck
