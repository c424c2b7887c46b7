#include "diagnosis/evidence/rankevidence.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_nodelayout
{

using namespace rankdeck;

namespace
{

RankEvidence worker(int rank, int device, const char *server)
{
    RankEvidence made;
    made.rank = Rank{rank};
    made.device = DeviceId{device};
    made.server = server;
    return made;
}

NodeLayout layoutOf(const std::vector<RankEvidence> &workers)
{
    return NodeLayout(RankTable(), workers, {});
}

} // namespace

class TestNodeLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPlaceIsLookedUpByServerAndDevice()
    {
        const NodeLayout layout = layoutOf({worker(0, 0, "10.0.0.1"), worker(1, 1, "10.0.0.1"),
                                            worker(2, 0, "10.0.0.2"), worker(3, 1, "10.0.0.2")});
        QCOMPARE(layout.rankAt({"10.0.0.1", 1, {}}), std::optional(1));
        QCOMPARE(layout.rankAt({"10.0.0.2", 1, {}}), std::optional(3));
        QCOMPARE(layout.rankAt({"10.0.0.3", 1, {}}), std::nullopt);
    }
    void aNodeWithoutANameMayBeTheOneThatIsNamed()
    {
        const NodeLayout layout = layoutOf({worker(0, 0, ""), worker(1, 1, "")});
        QCOMPARE(layout.rankAt({"10.0.0.1", 1, {}}), std::optional(1));
    }
    void theLogsOfOneNodeDoNotTellOfAnother()
    {
        const NodeLayout layout = layoutOf({worker(0, 0, "10.0.0.1"), worker(1, 1, "10.0.0.1")});
        QCOMPARE(layout.rankAt({"10.0.0.2", 1, {}}), std::nullopt);
        QCOMPARE(layout.rankAt({{}, 1, {}}), std::optional(1));
    }
};

} // namespace tst_nodelayout

RANKDECK_TEST(tst_nodelayout, TestNodeLayout)
#include "tst_nodelayout.moc"
