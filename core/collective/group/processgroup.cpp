#include "collective/group/processgroup.h"

#include "base/numberranges.h"

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

class FakeGroup : public ProcessGroup
{
public:
    FakeGroup()
        : ProcessGroup(0, {0})
    {
    }
    void barrier(Tag /*tag*/) override {}
    std::shared_ptr<ProcessGroup> subgroup(QList<int> members) override
    {
        checkedMembers(std::move(members));
        return fakeGroup();
    }
    QByteArray broadcastObject(const QByteArray & /*object*/, int /*root*/, Tag /*tag*/) override
    {
        refuse();
    }
    QList<QByteArray> allgather(const QByteArray &own, Tag /*tag*/) override { return {own}; }

private:
    [[noreturn]] static void refuse()
    {
        throw DistError(tr("a broadcast needs other processes, but this one is alone"));
    }
    void broadcastOf(ElementType /*type*/, void * /*data*/, std::size_t /*count*/, int /*root*/,
                     Tag /*tag*/) override
    {
        refuse();
    }
    void allreduceOf(ElementType /*type*/, void * /*data*/, std::size_t /*count*/, Reduction /*reduction*/,
                     Tag /*tag*/) override
    {
    }
};

} // namespace

std::size_t sizeOf(ElementType type)
{
    constexpr std::array<std::size_t, 5> sizes{4, 8, 4, 8, 1}; // In the order of ElementType.
    return sizes.at(static_cast<std::size_t>(type));
}

ProcessGroup::ProcessGroup(int worldRank, QList<int> members)
    : m_members(std::move(members))
    , m_rank(static_cast<int>(m_members.indexOf(worldRank)))
{
}

QList<int> ProcessGroup::checkedMembers(QList<int> members) const
{
    std::ranges::sort(members);
    if (std::ranges::adjacent_find(members) != members.end())
        throw DistError(tr("a rank is listed twice in group %1").arg(numberRanges(members)));
    if (!members.contains(worldRank()))
        throw DistError(tr("rank %1 is not in group %2, which it creates")
                            .arg(QString::number(worldRank()), numberRanges(members)));
    if (!std::ranges::all_of(members, [this](int each) { return m_members.contains(each); }))
        throw DistError(tr("group %1 contains ranks that are not among %2")
                            .arg(numberRanges(members), numberRanges(m_members)));
    return members;
}

std::shared_ptr<ProcessGroup> fakeGroup()
{
    return std::make_shared<FakeGroup>();
}

#ifndef RANKDECK_HAS_GLOO
bool hasGloo()
{
    return false;
}

std::shared_ptr<ProcessGroup> connectGloo(StoreClient & /*store*/, const GlooSettings & /*settings*/)
{
    throw DistError(tr(
        "Rankdeck was built without Gloo, which connects ranks. Install libgloo-dev and rebuild Rankdeck."));
}
#endif

} // namespace rankdeck
