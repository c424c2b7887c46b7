#include "diagnosis/recorder/collectivetable.h"
#include "support/testmain.h"
#include "support/testpaths.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace tst_recorder
{

using namespace rankdeck;

class RecorderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plainValuesAreRead_data();
    void plainValuesAreRead();
    void whatIsNoPlainValueIsRefused_data();
    void whatIsNoPlainValueIsRefused();
    void everyCutIsAnError();
    void hangsAreNamed_data();
    void hangsAreNamed();
    void allFormsSayTheSame_data();
    void allFormsSayTheSame();
    void dumpsOfARealTorchWithGlooAreRead();
    void aDamagedDumpIsNamedAndTheOthersAreRead();
    void aFolderWithoutDumpsIsRefused();
    void placesInPythonStacks_data();
    void placesInPythonStacks();
    void whatIsWrittenAsJsonReadsTheSame();
    void oddRanksComeFirstInTheTable();
    void manyDumpsAreReadFast();

private:
    RecorderDumps dumpsOf(const char *hang, const char *form = "torch")
    {
        const QString folder = m_folder.filePath(u"%1-%2"_s.arg(QLatin1String(hang), QLatin1String(form)));
        const int code =
            QProcess::execute(u"python3"_s, {sourcePath("tests/diagnosis/recorder/recorderdumps.py"), folder,
                                             QLatin1String(hang), QLatin1String(form)});
        const auto read = readRecorderDumps(folder);
        if (code != 0 || !read)
            qFatal("%s", read ? "no dumps were made" : qPrintable(read.error().sentence()));
        return *read;
    }
    CollectiveReport reportOf(const char *hang, const char *form = "torch")
    {
        return reportCollectives(dumpsOf(hang, form));
    }
    static QByteArray pickled(const char *expression, int protocol)
    {
        QProcess python;
        python.start(u"python3"_s, {u"-c"_s, u"import pickle, sys, collections\nx = []; y = {'x': x}\n"
                                             "sys.stdout.buffer.write(pickle.dumps(%1, %2))"_s
                                                 .arg(QLatin1String(expression))
                                                 .arg(protocol)});
        if (!python.waitForFinished(60'000) || python.exitCode() != 0)
            qFatal("%s", python.readAllStandardError().constData());
        return python.readAllStandardOutput();
    }

    QTemporaryDir m_folder;
};

void RecorderTest::plainValuesAreRead_data()
{
    QTest::addColumn<int>("protocol");
    for (const int protocol : {2, 3, 4, 5})
        QTest::addRow("%d", protocol) << protocol;
}

void RecorderTest::plainValuesAreRead()
{
    QFETCH(int, protocol);
    const QByteArray bytes =
        pickled("{'a': [1, -1, 300, 70000, 2**40, -2**63, True, None, 2.5], 'b': ('x', 'y', ()), "
                "'c': list(range(5000)), 'd': {'e': x, 'f': x}, 'g': chr(233) * 300}",
                protocol);
    const auto tree = readPickle(bytes);
    QVERIFY2(tree, qPrintable(tree.error().sentence()));
    const auto numbers = tree->itemsOf(*tree->find(tree->root(), "a"));
    QCOMPARE(numbers.size, std::size_t(9));
    const std::array<qint64, 6> wanted{
        1, -1, 300, 70000, qint64(1) << 40, std::numeric_limits<qint64>::min()};
    for (std::size_t at = 0; at < wanted.size(); ++at)
        QCOMPARE(numbers.first[at].number, wanted.at(at));
    QVERIFY(numbers.first[6].kind == ValueTree::Kind::Bool && numbers.first[6].number == 1);
    QVERIFY(numbers.first[7].kind == ValueTree::Kind::None);
    QCOMPARE(numbers.first[8].real, 2.5);
    const auto many = tree->itemsOf(*tree->find(tree->root(), "c"));
    QCOMPARE(many.size, std::size_t(5000));
    QCOMPARE(many.first[4321].number, qint64(4321));
    QCOMPARE(tree->find(tree->root(), "g")->view().size(), std::size_t(600));
    QVERIFY(!tree->find(tree->root(), "h"));
}

void RecorderTest::whatIsNoPlainValueIsRefused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("words");
    QTest::newRow("a command") << QByteArray("\x80\x02"
                                             "cposix\nsystem\nX\x04\0\0\0true\x85R.",
                                             29)
                               << u"it wants to make an object of posix.system, which is never done"_s;
    QTest::newRow("a class") << pickled("collections.Counter('aab')", 2) << u"which is never done"_s;
    QTest::newRow("a class of protocol 4")
        << pickled("collections.OrderedDict(a=1)", 4) << u"collections.OrderedDict"_s;
    QTest::newRow("a cycle") << QByteArray("\x80\x02]q\0h\0a.", 9) << u"contains itself"_s;
    QTest::newRow("a cycle of two") << QByteArray("\x80\x02]q\0]q\1a0h\1h\0a.", 17) << u"contains itself"_s;
    QTest::newRow("a huge number") << pickled("2**100", 2) << u"a number is too large"_s;
    QTest::newRow("a length beyond the end") << QByteArray("\x80\x02X\xff\xff\xff\x7f"
                                                           "a.",
                                                           9)
                                             << u"cut off"_s;
    QTest::newRow("an unknown reference") << QByteArray("\x80\x02h\5.", 5) << u"not there"_s;
    QTest::newRow("a persistent id") << QByteArray("\x80\x02Q.", 4) << u"opcode 0x51"_s;
    QTest::newRow("no value") << QByteArray("\x80\x02.", 3) << u"ends within a value"_s;
    QTest::newRow("a key alone") << QByteArray("\x80\x02}(K\1u.", 7) << u"no list or dictionary"_s;
    QTest::newRow("below a mark") << QByteArray("\x80\x02](a.", 6) << u"a value is missing"_s;
}

void RecorderTest::whatIsNoPlainValueIsRefused()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, words);
    const auto tree = readPickle(bytes);
    QVERIFY(!tree);
    QVERIFY2(tree.error().sentence().contains(words), qPrintable(tree.error().sentence()));
}

void RecorderTest::everyCutIsAnError()
{
    const QByteArray bytes = pickled("{'a': [1, (2, 'three'), {4: 5.0}], 'b': 'text'}", 4);
    QVERIFY(readPickle(bytes));
    for (qsizetype size = 0; size < bytes.size(); ++size)
        QVERIFY2(!readPickle(QByteArrayView(bytes).first(size)), qPrintable(QString::number(size)));
}

void RecorderTest::hangsAreNamed_data()
{
    QTest::addColumn<QByteArray>("hang");
    QTest::addColumn<QStringList>("findings");
    QTest::newRow("skipped") << QByteArray("skipped")
                             << QStringList{u"all_reduce #23 of the default group: ranks 0-2 wait at "
                                            "model.py:240 in forward. Missing: rank 3: is still at "
                                            "train.py:70 in save."_s,
                                            u"From #21 of the default group on, ranks call from other "
                                            "lines; one may have left out a call: ranks 0-2: "
                                            "model.py:212 in forward; rank 3: model.py:230 in forward."_s};
    QTest::newRow("sizes") << QByteArray("sizes")
                           << QStringList{
                                  u"At #21 of the default group sizes or types differ: ranks 0-2: all_reduce "
                                  "[[1024, 8]] [Float]; rank 3: all_reduce [[512, 8]] [Float]."_s};
    QTest::newRow("order")
        << QByteArray("order")
        << QStringList{u"At #21 of the default group not all ranks call the same collective: rank 3: "
                       "all_gather; ranks 0-2: all_reduce."_s};
    QTest::newRow("loader")
        << QByteArray("loader")
        << QStringList{u"all_reduce #21 of the default group: ranks 0-2 wait at model.py:212 in forward. "
                       "Missing: rank 3: is still at dataset.py:88 in read."_s};
    QTest::newRow("stopped")
        << QByteArray("stopped")
        << QStringList{u"all_reduce #21 of the default group: ranks 0-2 wait at model.py:212 in forward. "
                       "Missing: rank 3: gave no dump: ended, stopped, or stuck outside of Python."_s};
    QTest::newRow("network")
        << QByteArray("network")
        << QStringList{u"all_reduce #21 of the default group: all of its ranks have called it, and none "
                       "has completed it. If dumps some seconds later show the same, the network or the "
                       "device does not "
                       "carry it out."_s};
    QTest::newRow("slow") << QByteArray("slow")
                          << QStringList{u"Rank 2 is slow: the others wait 90 ms for it in each "
                                         "collective of the default group."_s};
    QTest::newRow("none") << QByteArray("none") << QStringList();
}

void RecorderTest::hangsAreNamed()
{
    QFETCH(QByteArray, hang);
    QFETCH(QStringList, findings);
    const CollectiveReport report = reportOf(hang);
    QCOMPARE(textsOf(report.findings), findings);
    QVERIFY(report.unreadable.isEmpty());
    QCOMPARE(report.groups.at(0).completedByAll, hang == "skipped" ? 22 : 20);
}

void RecorderTest::allFormsSayTheSame_data()
{
    QTest::addColumn<QByteArray>("form");
    QTest::addColumn<QByteArray>("hang");
    for (const char *form : {"npu", "python", "json"}) {
        for (const char *hang : {"skipped", "sizes", "order", "loader", "stopped", "crossed", "slow"})
            QTest::addRow("%s %s", form, hang) << QByteArray(form) << QByteArray(hang);
    }
    for (const char *hang : {"skipped", "sizes", "order", "loader"})
        QTest::addRow("gloo %s", hang) << "gloo"_ba << QByteArray(hang);
}

void RecorderTest::allFormsSayTheSame()
{
    QFETCH(QByteArray, form);
    QFETCH(QByteArray, hang);
    const QStringList findings = textsOf(reportOf(hang, form).findings);
    QCOMPARE(findings, textsOf(reportOf(hang).findings));
    QVERIFY(!findings.isEmpty());
    if (hang == "crossed") {
        QVERIFY2(findings.at(0).startsWith(u"Two groups wait for each other: rank 0 in all_reduce "
                                           "#1 of group tp, rank 1 in all_reduce #1 "
                                           "of group dp."_s),
                 qPrintable(findings.at(0)));
    }
}

void RecorderTest::dumpsOfARealTorchWithGlooAreRead()
{
    const auto loader = readRecorderDumps(sourcePath("tests/data/recorderdumps/gloo-loader"));
    QVERIFY(loader);
    const CollectiveReport report = reportCollectives(*loader);
    QCOMPARE(
        textsOf(report.findings),
        QStringList(
            u"all_reduce #181 of the default group: ranks 0-2 wait at train.py:26 in average_gradients. "
            "Missing: rank 3: has not called it since all_reduce #180 at train.py:26 in average_gradients."_s));
    QCOMPARE(report.suspects, QList<int>{3});
    QCOMPARE(report.groups.size(), std::size_t(1));
    const auto well = readRecorderDumps(sourcePath("tests/data/recorderdumps/gloo-well"));
    QVERIFY(well);
    QCOMPARE(textsOf(reportCollectives(*well).findings), QStringList());
}

void RecorderTest::aDamagedDumpIsNamedAndTheOthersAreRead()
{
    const QString folder = m_folder.filePath(u"damaged"_s);
    QVERIFY(reportOf("loader").dumped.size() == 4);
    QVERIFY(QFile::rename(m_folder.filePath(u"loader-torch"_s), folder));
    QFile damaged(folder + u"/hccl_trace_rank_1"_s);
    QVERIFY(damaged.open(QIODevice::ReadWrite) && damaged.resize(damaged.size() / 2));
    damaged.close();
    QFile overwritten(folder + u"/hccl_trace_rank_2"_s);
    QVERIFY(overwritten.open(QIODevice::WriteOnly | QIODevice::Truncate) && overwritten.write("junk") == 4);
    overwritten.close();
    const auto read = readRecorderDumps(folder);
    QVERIFY(read);
    const CollectiveReport report = reportCollectives(*read);
    QCOMPARE(report.dumped.size(), 2);
    QCOMPARE(report.unreadable.size(), 2);
    QCOMPARE(report.unreadable.first().where, u"hccl_trace_rank_1"_s);
    QCOMPARE(report.unreadable.last().what, u"it is no dump of a flight recorder"_s);
    QVERIFY(textsOf(report.findings).join(' '_L1).contains(u"ranks 1-2: gave no dump"_s));
}

void RecorderTest::aFolderWithoutDumpsIsRefused()
{
    const QTemporaryDir empty;
    QFile log(empty.filePath(u"worker_0"_s));
    QVERIFY(log.open(QIODevice::WriteOnly) && log.write("epoch 1\n") > 0);
    log.close();
    const auto read = readRecorderDumps(empty.path());
    QVERIFY(!read);
    QVERIFY(!read.error().mend.isEmpty());
}

void RecorderTest::placesInPythonStacks_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("place");
    QTest::newRow("nothing") << QByteArray("no stacks\n") << QString();
    QTest::newRow("traceback")
        << QByteArray("Traceback (most recent call last):\n  File \"/a/train.py\", line 3, in main\n"
                      "    step()\n  File \"/a/model.py\", line 7, in step\n    f()\n")
        << u"model.py:7 in step"_s;
    QTest::newRow("library alone") << QByteArray("Current thread 0x1 (most recent call first):\n"
                                                 "  File \"/v/torch/x.py\", line 3 in wait\n")
                                   << u"x.py:3 in wait"_s;
}

void RecorderTest::placesInPythonStacks()
{
    QFETCH(QByteArray, text);
    QTEST(placeInPythonStacks(text), "place");
}

void RecorderTest::whatIsWrittenAsJsonReadsTheSame()
{
    const RecorderDumps read = dumpsOf("skipped");
    RecorderDumps again;
    for (const RecorderDump &dump : read.dumps) {
        const auto back = readRecorderDump(recorderDumpJson(dump), 99);
        QVERIFY2(back, qPrintable(back.error().sentence()));
        QCOMPARE(back->rank, dump.rank);
        QCOMPARE(back->pythonPlace, dump.pythonPlace);
        QCOMPARE(back->groups, dump.groups);
        again.dumps.push_back(*back);
    }
    const CollectiveReport report = reportCollectives(again);
    QCOMPARE(report.findings, reportCollectives(read).findings);
    QCOMPARE(collectiveTables(again, report), collectiveTables(read, reportCollectives(read)));
}

void RecorderTest::oddRanksComeFirstInTheTable()
{
    using State = CollectiveCell::State;
    const RecorderDumps read = dumpsOf("loader");
    const auto tables = collectiveTables(read, reportCollectives(read), 4);
    QCOMPARE(tables.size(), std::size_t(1));
    QCOMPARE(tables[0].sequences, (QList<qint64>{18, 19, 20, 21}));
    const auto &rows = tables[0].rows;
    QCOMPARE(rows.size(), std::size_t(4));
    QVERIFY(rows[0].rank == 3 && rows[0].isOdd && rows[1].rank == 0 && !rows[1].isOdd);
    QVERIFY(rows[0].cells[2].state == State::Completed && rows[0].cells[3].state == State::NotCalled);
    QVERIFY(rows[1].cells[3].state == State::Started && !rows[1].cells[3].isOdd);
    QCOMPARE(rows[1].cells[3].place, u"model.py:212 in forward"_s);

    const RecorderDumps ordered = dumpsOf("order");
    const auto crossed = collectiveTables(ordered, reportCollectives(ordered), 4);
    QVERIFY(crossed[0].rows[0].rank == 3 && crossed[0].rows[0].cells[2].isOdd);
    QVERIFY(!crossed[0].rows[1].cells[2].isOdd);

    const RecorderDumps stopped = dumpsOf("stopped");
    const auto silent = collectiveTables(stopped, reportCollectives(stopped), 4);
    QVERIFY(silent[0].rows[0].rank == 3 && silent[0].rows[0].cells[0].state == State::Unknown);
}

void RecorderTest::manyDumpsAreReadFast()
{
    // A tenth of what 256 ranks with 2,000 collectives have; the bench has them all.
    const QString folder = m_folder.filePath(u"many"_s);
    QVERIFY(QDir().mkpath(folder));
    QByteArray entry(
        "{\"collective_seq_id\": 1, \"process_group\": [\"0\", \"default_pg\"], \"state\": \"completed\"}");
    for (int rank = 0; rank < 26; ++rank) {
        QFile file(folder + u"/trace_%1"_s.arg(rank));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"version\": \"2.10\", \"entries\": [");
        for (int call = 0; call < 2000; ++call)
            file.write((call > 0 ? "," : "") +
                       QByteArray(entry).replace("_id\": 1", "_id\": " + QByteArray::number(call + 1)));
        file.write("]}");
    }
    QElapsedTimer timer;
    timer.start();
    const auto read = readRecorderDumps(folder);
    QVERIFY(read);
    const CollectiveReport report = reportCollectives(*read);
    QCOMPARE(report.groups.at(0).completedByAll, 2000);
    QCOMPARE(report.groups.at(0).ranks.size(), std::size_t(26));
    QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
}

} // namespace tst_recorder

RANKDECK_TEST(tst_recorder, RecorderTest)
#include "tst_recorder.moc"
