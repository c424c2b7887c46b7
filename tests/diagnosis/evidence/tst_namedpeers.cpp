#include "diagnosis/evidence/namedpeers.h"
#include "support/testmain.h"

#include <QStringList>
#include <QTest>

#include <numeric>

namespace tst_namedpeers
{

using namespace rankdeck;

namespace
{

/// "1 3 | 10.0.0.2/2 10.0.0.3/1@192.0.2.1": ranks, then places with their device's address.
QString wordsOf(const NamedPeers &peers)
{
    QStringList words;
    for (const int rank : peers.ranks)
        words << QString::number(rank);
    if (!peers.places.empty())
        words << u"|"_s;
    for (const PeerPlace &place : peers.places) {
        QString word = QString::fromUtf8(place.server);
        if (place.device)
            word += u"/%1"_s.arg(*place.device);
        if (!place.deviceIp.isEmpty())
            word += '@'_L1 + QString::fromUtf8(place.deviceIp);
        words << word;
    }
    return words.join(' '_L1);
}

QByteArray listTo(int end)
{
    QByteArray list;
    for (int rank = 0; rank < end; ++rank)
        list += QByteArray::number(rank) + ',';
    return list;
}

} // namespace

class TestNamedPeers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLineNamesOthers_data();
    void aLineNamesOthers();
    void ofTenThousandTheFirstAreKept_data();
    void ofTenThousandTheFirstAreKept();
    void whatIsAddedIsThereOnceAndBounded();
};

void TestNamedPeers::aLineNamesOthers_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char *name, const QByteArray &line, const char *wanted) {
        QTest::newRow(name) << line << QString::fromLatin1(wanted);
    };
    row("nobody", "epoch: 1 step: 3, loss is 0.5, rank 4 saved", "");
    row("nobody in an empty line", "", "");
    row("a remote rank", "wait socket establish timeout, remote rank [3] timeout 120s", "3");
    row("a peer that is waited for", "Waiting peer rank: 3", "3");
    row("a peer by its name in code", "peerRank[5] has no answer", "5");
    row("a destination", "send to dest_rank=7 failed", "7");
    row("a rank of the world", "remoteUserRank[12]", "12");
    row("two, each once, in their order", "remote rank 4, remote rank 2, remote rank [4]", "4 2");
    row("unconnected ranks", "List of unconnected ranks: \"[1,]\"", "1");
    row("agents", "Failed to connect agent[1,3,]", "1 3");
    row("nodes that timed out", "Time out nodes are ['3', '5']", "3 5");
    row("a rank of ours that has gone", "selftest: rank 1: failed: rank 3 has gone away", "3");
    row("a rank of ours that never came", "failed: rank 12 has not arrived within 30 s", "12");
    row("a rank of ours that is silent", "failed: nothing was heard within 12 s of rank 2", "2");
    row("ranks of ours that have not joined", "a barrier failed: ranks 1-3,7 have not joined it within 3 s",
        "1 2 3 7");
    row("nobody from whom was broadcast",
        "a broadcast of 4 floats from rank 0 failed: rank 1 has not joined it within 3 s", "1");
    row("the keeper of our store",
        "rank 0, which keeps the store at 10.0.0.1:29500, has not arrived within 8 s: no connection", "0");
    row("the fewest that call another operation of ours",
        "the ranks do not call the same operation: ranks 1-2 call a barrier; ranks 0,3-5 call an allgather",
        "1 2");
    row("both ends of a pair", "selftest: rank 0: pair 0-3 on one host failed: no connection", "0 3");
    row("nobody of a pair that is well", "selftest: rank 0: pair 0-3: 5 us, 900 MB/s there", "");
    row("a node that timed out", "The node: 3 is timed out. It may exit with exception", "3");
    row("a row of the link table", "192.0.2.199(0) | 16666 | 192.0.3.198(1) | 16666 | client | time out | 0",
        "0");
    row("no row that is well", "192.0.2.199(0) | 16666 | 192.0.3.198(1) | 16666 | client | connected |", "");
    row("the crimer", "crimer rank [10.0.0.2/2] status[LOST]", "| 10.0.0.2/2");
    row("where the exception is",
        "Cluster Exception Location[IP/ID]:[10.0.0.2/2], Cluster Exception Location[IP/ID]:[10.0.0.3/1]",
        "| 10.0.0.2/2 10.0.0.3/1");
    row("a peer's information",
        "Peer information: server 10.0.0.2, device ID 3, device IP 192.0.2.13. Local information: server "
        "10.0.0.1",
        "| 10.0.0.2/3@192.0.2.13");
    row("a remote address", "remoteIP {server[10.0.0.2], deviceId[3], deviceIp[192.0.2.13]}",
        "| 10.0.0.2/3@192.0.2.13");
    row("those few with TLS",
        "rankList for enabled tls:[10.0.0.1/0]; rankList for disabled tls:[10.0.0.1/1],[10.0.0.1/2];",
        "| 10.0.0.1/0");
    row("those few without TLS",
        "rankList for enabled tls:[10.0.0.1/0],[10.0.0.1/1]; rankList for disabled tls:[10.0.0.1/2];",
        "| 10.0.0.1/2");
    row("nobody where as many have TLS as not",
        "rankList for enabled tls:[10.0.0.1/0]; rankList for disabled tls:[10.0.0.1/1];", "");
    row("a rank and a place", "remote rank [1], crimer rank [10.0.0.2/2]", "1 | 10.0.0.2/2");
    row("the root rank", "Failed to fetch the unique id. Please check root rank: 0's log.", "0");
    row("whose log is to be checked",
        "Rank 1 successfully reached monitoredBarrier, but received errors while waiting for send/recv from "
        "rank 2. Please check rank 0 logs for faulty rank.",
        "0");
    row("who did not pass a barrier", "[Rank 0]: Rank 3 failed to pass monitoredBarrier in 30000 ms", "3");
    row("all who did not pass a barrier", "[Rank 0]: Ranks 1, 2 failed to pass monitoredBarrier in 1 ms",
        "1 2");
    row("who writes the id of a communicator",
        "[3] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store "
        "by "
        "key '0', but store->get('0') got error: Socket Timeout",
        "0");
    row("who writes a key", "wait timeout after 15000ms, keys: /default_pg/0//cpu//0/2", "2");
    row("nobody for a key of another group", "wait timeout after 15000ms, keys: /7/0//cpu//0/2", "");
    row("nobody for a key without a rank", "timeout after 1ms, keys: /default_pg/0//cuda//timeout_dump", "");
    row("who is waited for", "gave up waiting for rank [5] after 30 s", "5");
    row("a worker of vLLM", "Worker proc VllmWorker-3 died unexpectedly, shutting down executor.", "3");
    row("who runs another operation",
        "Detected mismatch between collectives on ranks. Rank 0 is running collective: "
        "CollectiveFingerPrint(OpType=ALLREDUCE), but Rank 1 is running collective: "
        "CollectiveFingerPrint(OpType=ALLGATHER).",
        "1");
    row("whose model differs",
        "params[0] in this process with sizes [4] appears not to match sizes of the same param in process 2.",
        "2");
    row("whose model has other parameters",
        "DDP expects same model across all ranks, but Rank 0 has 12 params, while rank 3 has inconsistent 14 "
        "params.",
        "3");
    row("the end of a link",
        "createLink para:rank[3]-localUserrank[3]-localIpAddr[10.0.0.1], "
        "dst_rank[0]-remoteUserrank[0]-remote_ip_addr[10.0.0.1]",
        "0");
    row("another rank of an operation", "local rank 3, remote rank 1.", "1");
    row("who lost the heartbeat, in the old form",
        "serverId[10.0.0.2], deviceId[3], Heartbeat Lost Occurred, Possible Reason: 1. Process has exited",
        "| 10.0.0.2/3");
    row("nobody where a server is only listed", "serverId[10.0.0.2], deviceId[3], connected", "");
    row("no discoverer",
        "Cluster Exception Location[IP/ID]:[10.0.0.2/1], Discoverer:[10.0.0.1/0], ExceptionType:[Heartbeat "
        "Lost]",
        "| 10.0.0.2/1");
    row("a peer without an address",
        "Peer information: server 10.0.0.2, device ID 3. Local information: server 10.0.0.1, device ID 0",
        "| 10.0.0.2/3");
    row("nobody when a root is given", "broadcast: root rank 0, count 4", "");
    row("no rank that is too great", "remote rank [99999999999]", "");
    row("no rank cut out of a great number", "Failed to connect agent[99999999999,3]", "3");
    row("no node that is too great", "The node: 99999999999 is timed out", "");
    row("no place that is too great", "crimer rank [10.0.0.2/99999999999]", "");
    row("no rank below nought", "remote rank [-1]", "");
    row("no list without its end", "Failed to connect agent[1,3", "");
    row("no place without its end", "crimer rank [10.0.0.2/2", "");
    row("no list of nothing", "Failed to connect agent[]", "");
    row("bytes that are no text", "\xff\xfe remote rank [3] \xc0", "3");
    row("a line of zeros", QByteArray(100, '\0') + "peer rank 2", "2");
}

void TestNamedPeers::aLineNamesOthers()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, wanted);
    QCOMPARE(wordsOf(namedPeers(line)), wanted);
}

void TestNamedPeers::ofTenThousandTheFirstAreKept_data()
{
    QTest::addColumn<QByteArray>("line");
    QByteArray words;
    for (int rank = 0; rank < 10'000; ++rank)
        words += "remote rank [" + QByteArray::number(rank) + "] ";
    QTest::newRow("in a list") << QByteArray("Failed to connect agent[" + listTo(10'000) + "]");
    QTest::newRow("one by one") << words;
}

void TestNamedPeers::ofTenThousandTheFirstAreKept()
{
    QFETCH(QByteArray, line);
    std::vector<int> first(NamedPeers::most);
    std::iota(first.begin(), first.end(), 0);
    QCOMPARE(namedPeers(line).ranks, first);
}

void TestNamedPeers::whatIsAddedIsThereOnceAndBounded()
{
    NamedPeers peers = namedPeers("remote rank [7], crimer rank [a/1]");
    peers.add(peers);
    QCOMPARE(wordsOf(peers), u"7 | a/1"_s);
    for (int each = 0; each < 2 * NamedPeers::most; ++each)
        peers.add(namedPeers(
            QByteArray("remote rank [%1], crimer rank [a/%1]").replace("%1", QByteArray::number(each))));
    QCOMPARE(peers.ranks.size(), std::size_t(NamedPeers::most));
    QCOMPARE(peers.places.size(), std::size_t(NamedPeers::most));
    QCOMPARE(peers.ranks.front(), 7);
}

} // namespace tst_namedpeers

RANKDECK_TEST(tst_namedpeers, TestNamedPeers)
#include "tst_namedpeers.moc"
