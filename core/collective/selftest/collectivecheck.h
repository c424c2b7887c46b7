#pragma once

#include "collective/group/processgroup.h"
#include "collective/selftest/selftest.h"

#include <functional>
#include <memory>

namespace rankdeck
{

/// Runs collective operations in a group, checks at every rank that the result is right to the last bit, and
/// times them.
class CollectiveCheck
{
public:
    /// Called at the group's first rank only.
    using OnResult = std::function<void(const CollectiveResult &)>;
    /// Called after each operation, at every rank.
    using OnStep = std::function<void()>;

    /// @param sizes bytes of a rank's data, each a multiple of 4.
    CollectiveCheck(std::shared_ptr<ProcessGroup> group, QList<qint64> sizes, OnResult result, OnStep step);

    /// Barrier, broadcasts from the first and the last rank, allreduce sum and max of each size. All ranks of
    /// the group together. @throws DistError
    void run();
    /// Returns the first problem at this rank; empty if none.
    const QString &problem() const { return m_problem; }

private:
    using Fill = std::function<float(int index)>;
    struct Operation {
        QString name;
        Fill input;
        Fill expected;
        std::function<void()> run;
    };
    void barrier();
    void broadcast(qint64 bytes);
    void allreduce(qint64 bytes, Reduction reduction);
    double timed(const Operation &operation, QString &problem);
    QString agreed(const QString &problem);
    void tell(CollectiveResult result, std::vector<double> times, const QString &problem);

    std::shared_ptr<ProcessGroup> m_group;
    QList<qint64> m_sizes;
    OnResult m_result;
    OnStep m_step;
    QString m_problem;
    std::vector<float> m_data;
};

} // namespace rankdeck
