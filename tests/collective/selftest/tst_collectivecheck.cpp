#include "collective/selftest/selftestrank.h"
#include "support/testmain.h"

#include <QTest>

#include <algorithm>
#include <cstring>

namespace tst_collectivecheck
{

using namespace rankdeck;

namespace
{

/// A rank of two, whose peer is imagined: it sends what the check's own pattern says, but for what `spoil`
/// makes of it.
class HalfGroup : public ProcessGroup
{
public:
    std::function<void(float *data, std::size_t count)> spoil;

    HalfGroup()
        : ProcessGroup(0, {0, 1})
    {
    }
    void barrier(Tag /*tag*/) override {}
    QByteArray broadcastObject(const QByteArray &object, int /*root*/, Tag /*tag*/) override
    {
        return object;
    }
    QList<QByteArray> allgather(const QByteArray &own, Tag /*tag*/) override { return {own, own}; }
    std::shared_ptr<ProcessGroup> subgroup(QList<int> /*members*/) override { return nullptr; }

private:
    void broadcastOf(ElementType type, void *data, std::size_t count, int root, Tag /*tag*/) override
    {
        if (type != ElementType::Float)
            return;
        auto *const values = static_cast<float *>(data);
        // Rank 1's values are rank 0's with one more at even places and one less at odd ones.
        for (std::size_t index = 0; index < count && root == 1; ++index)
            values[index] += index % 2 ? -1.0F : 1.0F;
        if (spoil)
            spoil(values, count);
    }
    void allreduceOf(ElementType type, void *data, std::size_t count, Reduction reduction,
                     Tag /*tag*/) override
    {
        if (type != ElementType::Float)
            return; // Whether any rank has a problem: this one may.
        auto *const values = static_cast<float *>(data);
        for (std::size_t index = 0; index < count; ++index) {
            const float other = values[index] + (index % 2 ? -1.0F : 1.0F);
            values[index] =
                reduction == Reduction::Sum ? values[index] + other : std::max(values[index], other);
        }
        if (spoil)
            spoil(values, count);
    }
};

} // namespace

class CollectiveCheckTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rightResultsHaveNoProblem();
    void aWrongValueNamesRankIndexAndValues();
    void dataThatComesToTheWrongPlaceIsNoticed();

private:
    static std::vector<CollectiveResult> check(const std::shared_ptr<HalfGroup> &group, QString &problem)
    {
        std::vector<CollectiveResult> results;
        CollectiveCheck tested(
            group, {4, 65536}, [&](const CollectiveResult &each) { results.push_back(each); }, [] {});
        tested.run();
        problem = tested.problem();
        return results;
    }
};

void CollectiveCheckTest::rightResultsHaveNoProblem()
{
    QString problem;
    const auto results = check(std::make_shared<HalfGroup>(), problem);
    QCOMPARE(problem, QString());
    QCOMPARE(results.size(), std::size_t(1 + 3 * 2));
    for (const CollectiveResult &result : results) {
        QCOMPARE(result.problem, QString());
        QCOMPARE(result.ranks, (QList<int>{0, 1}));
    }
    QCOMPARE(results[0].operation, u"barrier"_s);
    QCOMPARE(results[2].bytes, 65536);
    QCOMPARE(results.back().operation, u"allreduce max"_s);
}

void CollectiveCheckTest::aWrongValueNamesRankIndexAndValues()
{
    const auto group = std::make_shared<HalfGroup>();
    group->spoil = [](float *data, std::size_t count) {
        if (count > 5000)
            data[5000] = 1e6F;
    };
    QString problem;
    const auto results = check(group, problem);
    // 5000 is 59 beyond a multiple of 61; rank 0 sends one more than that at an even place.
    QCOMPARE(problem, u"broadcast: rank 0 has 1e+06 at index 5000, not 60"_s);
    QCOMPARE(results[1].problem, QString());
    QCOMPARE(results[2].problem, u"rank 0 has 1e+06 at index 5000, not 60"_s);
    QCOMPARE(results[4].problem, u"rank 0 has 1e+06 at index 5000, not 119"_s);
    QCOMPARE(results[6].problem, u"rank 0 has 1e+06 at index 5000, not 60"_s);
}

void CollectiveCheckTest::dataThatComesToTheWrongPlaceIsNoticed()
{
    const auto group = std::make_shared<HalfGroup>();
    group->spoil = [](float *data, std::size_t count) {
        std::rotate(data, data + 1, data + count);
    };
    QString problem;
    const auto results = check(group, problem);
    QVERIFY(!problem.isEmpty());
    QVERIFY(!results[2].problem.isEmpty() && !results[4].problem.isEmpty() && !results[6].problem.isEmpty());
}

} // namespace tst_collectivecheck

RANKDECK_TEST(tst_collectivecheck, CollectiveCheckTest)
#include "tst_collectivecheck.moc"
