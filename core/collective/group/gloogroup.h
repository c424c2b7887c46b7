#pragma once

// Of this folder's own: what includes Gloo's headers is compiled only where Gloo is.

#include "collective/processgroup.h"
#include "collective/storeclient.h"

#include <QHash>

#include <gloo/context.h>
#include <gloo/transport/device.h>

namespace rankdeck
{

/// What all groups of a process share.
struct GlooWorld {
    StoreClient &store;
    GlooSettings settings;
    std::shared_ptr<gloo::transport::Device> device;
    QHash<QByteArray, int> made = {}; ///< How many groups of the same ranks there have been.
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

/// For its lifetime this is what the process does, in case that it comes to its end by it.
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

/// See connectGloo(): what std::terminate() and SIGPIPE do from now on.
void explainGloosEnd();

} // namespace rankdeck
