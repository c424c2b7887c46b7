#pragma once

#include "collective/group/processgroup.h"
#include "collective/store/storeclient.h"

#include <QHash>

#include <gloo/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/device.h>

// Of this folder's own: what includes Gloo's headers is compiled only where Gloo is.

namespace rankdeck
{

/// A StoreClient with Gloo's interface, all keys below a prefix. Data larger than a value is set in
/// parts.
class GlooStore : public gloo::rendezvous::Store
{
public:
    GlooStore(StoreClient &store, QByteArray prefix, std::chrono::milliseconds timeout);

    void set(const std::string &key, const std::vector<char> &data) override;
    std::vector<char> get(const std::string &key) override;
    void wait(const std::vector<std::string> &keys) override;
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
    std::shared_ptr<ProcessGroup> subgroup(QList<int> members) override;

private:
    void broadcastOf(ElementType type, void *data, std::size_t count, int root, Tag tag) override;
    void allreduceOf(ElementType type, void *data, std::size_t count, Reduction reduction, Tag tag) override;
    [[noreturn]] void fail(const QString &doing, const std::exception &error);

    std::shared_ptr<GlooWorld> m_world;
    std::shared_ptr<gloo::Context> m_context;
};

/// Names what the process does during its lifetime, for the message if Gloo ends the process.
class GlooOperation
{
public:
    explicit GlooOperation(QString doing);
    ~GlooOperation();
    GlooOperation(const GlooOperation &) = delete;
    GlooOperation &operator=(const GlooOperation &) = delete;

private:
    QString m_doing;
};

/// Installs the handlers of std::terminate() and SIGPIPE that connectGloo() describes.
void explainGloosEnd();

} // namespace rankdeck
