#pragma once

#include "collective/group/agreement.h"
#include "collective/store/storeclient.h"

#include <QHash>

#include <gloo/rendezvous/store.h>
#include <gloo/transport/device.h>

// Private to this folder: sources that include Gloo's headers are compiled only where Gloo is installed.

namespace rankdeck
{

/// A StoreClient with Gloo's interface, all keys below a prefix. Data larger than a value is set in parts.
class GlooStore : public gloo::rendezvous::Store
{
public:
    GlooStore(StoreClient &store, QByteArray prefix, std::chrono::milliseconds timeout);

    void set(const std::string &key, const std::vector<char> &data) override;
    std::vector<char> get(const std::string &key) override;
    void wait(const std::vector<std::string> &keys) override { wait(keys, m_timeout); }
    void wait(const std::vector<std::string> &keys, const std::chrono::milliseconds &timeout) override;

private:
    StoreClient &m_store;
    QByteArray m_prefix;
    std::chrono::milliseconds m_timeout;
};

/// Shared by all groups of a process.
struct GlooWorld {
    StoreClient &store;
    GlooSettings settings;
    std::shared_ptr<gloo::transport::Device> device;
    QHash<QByteArray, int> made = {}; ///< Number of groups made so far, by their ranks.
};

class GlooGroup : public ProcessGroup
{
public:
    /// @throws DistError
    GlooGroup(std::shared_ptr<GlooWorld> world, QList<int> members);

    void barrier(Tag tag) override;
    QByteArray broadcastObject(const QByteArray &object, int root, Tag tag) override;
    QList<QByteArray> allgather(const QByteArray &own, Tag tag) override;
    std::shared_ptr<ProcessGroup> subgroup(QList<int> members) override;

private:
    void broadcastOf(ElementType type, void *data, std::size_t count, int root, Tag tag) override;
    void allreduceOf(ElementType type, void *data, std::size_t count, Reduction reduction, Tag tag) override;
    [[noreturn]] void fail(const QString &doing, const std::exception &error);
    /// Returns what all ranks call, in their order. @throws DistError their calls differ, or some are late.
    std::vector<CollectiveCall> agree(const CollectiveCall &own, Tag tag);
    void moveBroadcast(int root, ElementType type, void *data, std::size_t count, Tag tag);

    /// @throws DistError which ranks have not come to the operation; returns if all have.
    void sayWhoIsMissing(const CollectiveCall &own, Tag tag);

    std::shared_ptr<GlooWorld> m_world;
    QByteArray m_prefix; ///< Prefix of the group's keys in the store.
    std::shared_ptr<gloo::Context> m_context;
    std::unique_ptr<Agreement> m_agreement; ///< Without a tag. Uses the context. Null in a group of one.
    quint64 m_agreements = 0;               ///< Without a tag, so far.
};

/// Names what the process does during its lifetime, for the message if Gloo ends the process.
class GlooOperation
{
public:
    explicit GlooOperation(QString doing);
    ~GlooOperation();
    Q_DISABLE_COPY(GlooOperation)

private:
    QString m_doing;
};

} // namespace rankdeck
