#include "collective/store/rendezvous.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_rendezvous
{

using namespace rankdeck;

class RendezvousTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void variablesSayWhichRankThisIs_data();
    void variablesSayWhichRankThisIs();
    void variablesThatContradictAreNamed_data();
    void variablesThatContradictAreNamed();
    void variablesSayWhereTheStoreIs_data();
    void variablesSayWhereTheStoreIs();
    void ranksThatDisagreeOnTheirNumberAreNamed();
    void whoHasNotSetItsKeyIsFound();
    void aRankThatLeavesIsNotMissed();

private:
    static QProcessEnvironment environment(const QStringList &variables)
    {
        QProcessEnvironment made;
        for (const QString &each : variables)
            made.insert(each.section('='_L1, 0, 0), each.section('='_L1, 1));
        return made;
    }
    static QStringList words(const char *text)
    {
        return QString::fromLatin1(text).split(' '_L1, Qt::SkipEmptyParts);
    }
    static TcpStoreServer *server(int worldSize, Listener &&listener)
    {
        return new TcpStoreServer(std::move(listener), worldSize, std::chrono::seconds(20));
    }
    static std::unique_ptr<StoreClient> client(quint16 port, int rank, int worldSize)
    {
        const auto addresses = resolve(u"127.0.0.1"_s, port);
        auto socket = connectTo(*addresses, {}, QDeadlineTimer(20'000));
        return socket ? joinStore(std::move(socket.value()), rank, worldSize) : nullptr;
    }
};

void RendezvousTest::variablesSayWhichRankThisIs_data()
{
    QTest::addColumn<QStringList>("variables");
    QTest::addColumn<DistMethod>("method");
    QTest::addColumn<int>("rank");
    QTest::addColumn<int>("worldSize");
    const auto slurm = DistMethod::Slurm;
    const auto single = DistMethod::SingleNode;
    QTest::newRow("none") << QStringList() << slurm << -1 << -1;
    QTest::newRow("slurm") << words("SLURM_PROCID=3 SLURM_NTASKS=8") << slurm << 3 << 8;
    QTest::newRow("ascend") << words("RANK_ID=2 RANK_SIZE=4") << slurm << 2 << 4;
    QTest::newRow("torch") << words("RANK=1 WORLD_SIZE=2") << slurm << 1 << 2;
    const QStringList both = words("SLURM_PROCID=0 SLURM_NTASKS=1 RANK=1 WORLD_SIZE=2");
    QTest::newRow("slurm first") << both << slurm << 0 << 1;
    QTest::newRow("a launch inside a job") << both << single << 1 << 2;
    QTest::newRow("ascend before torch")
        << words("RANK_ID=2 RANK_SIZE=4 RANK=1 WORLD_SIZE=2") << single << 2 << 4;
}

void RendezvousTest::variablesSayWhichRankThisIs()
{
    QFETCH(QStringList, variables);
    QFETCH(DistMethod, method);
    QFETCH(int, rank);
    QFETCH(int, worldSize);
    const auto placement = placementFrom(environment(variables), method);
    QVERIFY2(placement, qPrintable(placement.error().sentence()));
    if (rank < 0)
        QVERIFY(!*placement);
    else
        QVERIFY((**placement == Placement{rank, worldSize}));
}

void RendezvousTest::variablesThatContradictAreNamed_data()
{
    QTest::addColumn<QStringList>("variables");
    QTest::addColumn<QString>("where");
    QTest::newRow("no size") << words("RANK=1") << u"WORLD_SIZE"_s;
    QTest::newRow("no rank") << words("RANK_SIZE=1") << u"RANK_ID"_s;
    QTest::newRow("no number") << words("RANK=x WORLD_SIZE=2") << u"RANK"_s;
    QTest::newRow("negative") << words("RANK=-1 WORLD_SIZE=2") << u"RANK"_s;
    QTest::newRow("nobody") << words("RANK=0 WORLD_SIZE=0") << u"WORLD_SIZE"_s;
    QTest::newRow("beyond the size") << words("SLURM_PROCID=2 SLURM_NTASKS=2") << u"SLURM_PROCID"_s;
    QTest::newRow("beyond all") << words("RANK=0 WORLD_SIZE=999999999999") << u"WORLD_SIZE"_s;
}

void RendezvousTest::variablesThatContradictAreNamed()
{
    QFETCH(QStringList, variables);
    QFETCH(QString, where);
    const auto placement = placementFrom(environment(variables), DistMethod::Slurm);
    QVERIFY(!placement);
    QCOMPARE(placement.error().where, where);
}

void RendezvousTest::variablesSayWhereTheStoreIs_data()
{
    QTest::addColumn<QStringList>("variables");
    QTest::addColumn<DistMethod>("method");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    const auto slurm = DistMethod::Slurm;
    const auto single = DistMethod::SingleNode;
    QTest::newRow("none") << QStringList() << single << u"127.0.0.1"_s << 29500;
    QTest::newRow("given") << words("MASTER_ADDR=node1 MASTER_PORT=123") << single << u"node1"_s << 123;
    const QStringList step = words("SLURM_PROCID=0 SLURM_JOB_ID=12 SLURM_STEP_ID=3 "
                                   "SLURM_NODELIST=a[1-4] SLURM_STEP_NODELIST=a[03-04,7],b");
    QTest::newRow("a step") << step << slurm << u"a03"_s << 20000 + 12 * 131 + 3;
    QTest::newRow("a step, and an address")
        << step + words("MASTER_ADDR=x") << slurm << u"x"_s << 20000 + 12 * 131 + 3;
    QTest::newRow("a launch inside a step") << step << single << u"127.0.0.1"_s << 29500;
    QTest::newRow("one host") << words("SLURM_PROCID=0 SLURM_NODELIST=login") << slurm << u"login"_s << 20000;
    QTest::newRow("no port") << words("MASTER_PORT=70000") << single << QString() << -1;
}

void RendezvousTest::variablesSayWhereTheStoreIs()
{
    QFETCH(QStringList, variables);
    QFETCH(DistMethod, method);
    QFETCH(QString, host);
    QFETCH(int, port);
    const auto master = masterFrom(environment(variables), method);
    if (port < 0) {
        QVERIFY(!master);
        QCOMPARE(master.error().where, u"MASTER_PORT"_s);
        return;
    }
    QVERIFY(master);
    QCOMPARE(master->host, host);
    QCOMPARE(int(master->port), port);
}

void RendezvousTest::ranksThatDisagreeOnTheirNumberAreNamed()
{
    auto listener = listenOn(Listening::Loopback, 0);
    QVERIFY(listener);
    const quint16 port = listener->port;
    const std::unique_ptr<TcpStoreServer> store(server(3, std::move(listener.value())));
    const auto one = client(port, 1, 3);
    one->set("key", "value");
    QCOMPARE(one->get("key", QDeadlineTimer(20'000)), QByteArray("value"));
    const auto other = client(port, 2, 4);
    QTRY_COMPARE(one->over(), u"rank 2 was started as one of 4 ranks, but rank 0 as one of 3"_s);
    QTRY_COMPARE(other->over(), u"rank 0 is one of 3 ranks"_s);
}

void RendezvousTest::whoHasNotSetItsKeyIsFound()
{
    auto listener = listenOn(Listening::Loopback, 0);
    QVERIFY(listener);
    const std::unique_ptr<TcpStoreServer> store(server(1, std::move(listener.value())));
    const auto zero = joinStore(store->takeOwnEnd(), 0, 1);
    for (const char *key : {"here/0", "here/2"})
        zero->set(key, "1");
    QCOMPARE(zero->missingOf("here/", 4, QDeadlineTimer(10)), (QList<int>{1, 3}));
    QList<int> many{1};
    for (int rank = 3; rank < 40; ++rank)
        many << rank;
    QCOMPARE(zero->missingOf("here/", 40, QDeadlineTimer(10)), many);
    zero->set("here/1", "");
    QCOMPARE(zero->missingOf("here/", 3, QDeadlineTimer(20'000)), QList<int>());
    QCOMPARE(zero->find("here/0", QDeadlineTimer(20'000)), std::optional<QByteArray>("1"));
    QVERIFY(!zero->find("here/3", QDeadlineTimer(10)));
    QVERIFY_EXCEPTION_THROWN(zero->get("here/3", QDeadlineTimer(10)), DistError);
    QVERIFY_EXCEPTION_THROWN(zero->wait({"here/2", "here/3"}, QDeadlineTimer(10)), DistError);
    // It can still be asked.
    QCOMPARE(zero->get("here/0", QDeadlineTimer(20'000)), QByteArray("1"));
    QCOMPARE(zero->over(), QString());
}

void RendezvousTest::aRankThatLeavesIsNotMissed()
{
    auto listener = listenOn(Listening::Loopback, 0);
    QVERIFY(listener);
    const quint16 port = listener->port;
    const std::unique_ptr<TcpStoreServer> store(server(3, std::move(listener.value())));
    const auto zero = joinStore(store->takeOwnEnd(), 0, 3);
    auto one = client(port, 1, 3);
    auto two = client(port, 2, 3);
    one->set(leftKey(1), "1");
    one.reset();
    two->set("after", "1");
    zero->wait({leftKey(1), "after"}, QDeadlineTimer(20'000));
    QCOMPARE(zero->over(), QString());
    QVERIFY(!store->waitUntilAllLeft(QDeadlineTimer(0)));
    two.reset();
    QTRY_COMPARE(zero->over(), u"rank 2 has gone away"_s);
    QVERIFY_EXCEPTION_THROWN(zero->get("key", QDeadlineTimer(20'000)), DistError);
}

} // namespace tst_rendezvous

RANKDECK_TEST(tst_rendezvous, RendezvousTest)
#include "tst_rendezvous.moc"
