#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/failure/failureexplanation.h"
#include "run/record/failure.h"
#include "support/testmain.h"

#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace tst_errorcatalogue
{

using namespace rankdeck;

namespace
{

QString idOf(const ErrorEntry *entry)
{
    return entry ? entry->id : u"nothing"_s;
}

QByteArray entryText(const char *id, const char *pattern)
{
    return QByteArray(R"({"id": ")") + id + R"(", "pattern": ")" + pattern +
           R"(", "title": "t", "meaning": "m", "mend": "d"})";
}

QByteArray catalogueText(const QByteArray &entries)
{
    return R"({"entries": [)" + entries + "]}";
}

} // namespace

class ErrorCatalogueTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyEntryIsWhole();
    void everyExampleIsExplainedByItsOwnEntry_data();
    void everyExampleIsExplainedByItsOwnEntry();
    void harmlessLinesMatchNothing_data();
    void harmlessLinesMatchNothing();
    void whoPrintsAnExceptionDoesNotHideIt_data();
    void whoPrintsAnExceptionDoesNotHideIt();
    void aCodeIsFoundHoweverItIsWritten_data();
    void aCodeIsFoundHoweverItIsWritten();
    void theUsersFileAddsAndReplaces();
    void aBrokenFileOfTheUserIsOneSentence_data();
    void aBrokenFileOfTheUserIsOneSentence();
    void aFileIsScannedInOnePassWithItsLineNumbers();
    void linesOfAnyLengthAreLookedAt();
    void ofTheEndOfALogTheCauseIsExplained();
    void commandsAreFilledIn();
    void portsOfLines_data();
    void portsOfLines();
    void theFilesOfEarlierVersionsHaveBlameForALayer();
    void theLanguageIsTheLocales();

private:
    void writeUserFile(const QByteArray &text) const
    {
        QVERIFY(QDir().mkpath(QFileInfo(ErrorCatalogue::userFile()).path()));
        QFile file(ErrorCatalogue::userFile());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

void ErrorCatalogueTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    qputenv("XDG_CONFIG_HOME", m_home->path().toLocal8Bit());
}

void ErrorCatalogueTest::everyEntryIsWhole()
{
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    QVERIFY(!catalogue.userFileError());
    QVERIFY(catalogue.entries().size() >= 370);
    static const QRegularExpression id(u"^[a-z_]+-[A-Za-z0-9-]+$"_s);
    static const QRegularExpression chinese(u"\\p{Han}"_s);
    for (const ErrorEntry &entry : catalogue.entries()) {
        const char *const name = qPrintable(entry.id);
        QVERIFY2(id.match(entry.id).hasMatch(), name);
        QVERIFY2(!entry.source.isEmpty() && !entry.example.isEmpty(), name);
        for (const CatalogueText &text : {entry.title, entry.meaning, entry.mend}) {
            QVERIFY2(chinese.match(text.chinese).hasMatch(), name);
            QVERIFY2(!text.english.isEmpty() && !chinese.match(text.english).hasMatch(), name);
        }
        QVERIFY2(!entry.title.english.endsWith('.'_L1), name);
        QVERIFY2(entry.meaning.english.endsWith('.'_L1), name);
        QVERIFY2(entry.mend.english.endsWith('.'_L1), name);
        // A card or port is the verdict's to fill in.
        static const QRegularExpression literal(u"-i \\d|:\\d{4,5}\\b|\\d{4,5}/tcp|(?i)port=\\d"_s);
        for (const QString &command : entry.filledIn()) {
            QVERIFY2(!command.isEmpty() && !command.contains('\n'_L1), name);
            QVERIFY2(!literal.match(command).hasMatch() && !command.contains('{'_L1), qPrintable(command));
        }
    }
}

void ErrorCatalogueTest::everyExampleIsExplainedByItsOwnEntry_data()
{
    QTest::addColumn<QString>("example");
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    for (const ErrorEntry &entry : catalogue.entries())
        QTest::newRow(qPrintable(entry.id)) << entry.example;
}

void ErrorCatalogueTest::everyExampleIsExplainedByItsOwnEntry()
{
    QFETCH(QString, example);
    static const ErrorCatalogue catalogue = ErrorCatalogue::load();
    QCOMPARE(idOf(catalogue.bestFor(example.toStdString())), QString::fromLatin1(QTest::currentDataTag()));
}

void ErrorCatalogueTest::harmlessLinesMatchNothing_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char *line : {
             "",
             "epoch: 1 step: 1875, loss is 1.1544309",
             "Train epoch time: 55616.483 ms, per step time: 510.243 ms",
             "2025-04-07 15:34:27,308 - [mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  1/  "
             "2], "
             "step:[    1/   19], loss: 10.649, per_step_time: 103328ms, lr: 0.0, overflow cond: False, "
             "loss_scale: 1.0, global_norm: [1 31049], train_throughput_per_npu: 2.896T",
             " [2025-06-22 14:47:00] iteration       10/    5000 | consumed samples:          640 | elapsed "
             "time "
             "per iteration (ms): 1932.5 | lm loss: 1.053084E+01 | number of nan iterations:   0 |",
             "{'loss': 1.6693, 'grad_norm': 0.5, 'learning_rate': 1.97e-04, 'epoch': 0.23}",
             " 45%|####5     | 507035/1126744 [01:12<01:28, 5070.35it/s]",
             "step 507035 took 107001 us, 207001 tokens",
             "saved checkpoint 507011 to /output/E10001/EI0006.ckpt",
             "[INFO] HCCL(60570,python):2025-07-15-12:45:32.997.682 [externalinput.cc:1] [HCCL_ENV] "
             "HCCL_CONNECT_TIMEOUT set by default to [120]s",
             "[INFO] DISTRIBUTED(1,ffff,python):2025-03-10-09:40:12.444.000 [cluster_context.cc:196] "
             "BuildCluster] Cluster is successfully initialized.",
             "Entry-HcclCommInitRootInfoInner:ranks[4], rank[3], rootinfo: host ip[127.10.0.1] port[60000]",
             "INFO: no errors found, result: 0",
             "Nanjing loss 0.3 nanoseconds",
             "Start worker process with rank id:3, log file:worker_3.log. Environment variable [RANK_ID=3] "
             "is "
             "exported.",
             "wandb: Currently logged in as: user. Use `wandb login --relogin` to force relogin",
             "[W reducer.cpp:1289] Warning: find_unused_parameters=True was specified in DDP constructor, "
             "but did "
             "not find any unused parameters in the forward pass.",
             "For 'context.set_context', the parameter 'device_target' will be deprecated and removed in a "
             "future "
             "version.",
             "Bad performance attention, it takes more than 25 seconds to fetch a batch, which might result "
             "`GetNext` timeout problem.",
             "The environment variable DEPLOY_MODE is not set. Now set to default value 0",
             "using world size: 8, data-parallel size: 2, tensor-model-parallel size: 4",
             "train_dataset: Dataset({ features: ['text'], num_rows: 1000 })",
             "loading checkpoint shards: 100%|##########| 4/4",
             "Loading model weights took 14.2 GB, template qwen, strategy steps",
             "device_num is 8, worker_num 8, node_rank 0",
         })
        QTest::newRow(QByteArray(line).left(40).constData()) << QByteArray(line);
}

void ErrorCatalogueTest::harmlessLinesMatchNothing()
{
    QFETCH(QByteArray, line);
    QCOMPARE(idOf(ErrorCatalogue::load().bestFor(line.toStdString())), u"nothing"_s);
}

void ErrorCatalogueTest::whoPrintsAnExceptionDoesNotHideIt_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("the interpreter") << "ValueError: 3 labels"_ba;
    // torch 2.3 and later: distributed_c10d.py, _distributed_excepthook
    QTest::newRow("torch") << "[rank13]: ValueError: 3 labels"_ba;
    QTest::newRow("Ray") << "(train pid=8464) ValueError: 3 labels"_ba;
    QTest::newRow("Ray, of another node") << "(TaskRunner pid=467613, ip=10.0.0.2) ValueError: 3 labels"_ba;
}

void ErrorCatalogueTest::whoPrintsAnExceptionDoesNotHideIt()
{
    QFETCH(QByteArray, line);
    QCOMPARE(idOf(ErrorCatalogue::load().bestFor(line.toStdString())), u"python-value-error"_s);
}

void ErrorCatalogueTest::aCodeIsFoundHoweverItIsWritten_data()
{
    QTest::addColumn<QString>("id");
    QTest::newRow("EI0006") << u"hccl-EI0006"_s;
    QTest::newRow("ei0006") << u"hccl-EI0006"_s;
    QTest::newRow("hccl-EI0006") << u"hccl-EI0006"_s;
    QTest::newRow("507035") << u"runtime-507035"_s;
    QTest::newRow("ERR00100") << u"torch_npu-ERRxx100"_s;
    QTest::newRow("err02200") << u"torch_npu-ERRxx200"_s;
    QTest::newRow("E0987") << u"nothing"_s;
}

void ErrorCatalogueTest::aCodeIsFoundHoweverItIsWritten()
{
    QFETCH(QString, id);
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    QCOMPARE(idOf(catalogue.find(QString::fromLatin1(QTest::currentDataTag()))), id);
}

void ErrorCatalogueTest::theUsersFileAddsAndReplaces()
{
    const std::size_t before = ErrorCatalogue::load().entries().size();
    writeUserFile(catalogueText(entryText("ours-lustre", "LustreError: [0-9]+") + ", " +
                                entryText("hccl-EI0006", "EI0006 in our house")));
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    QVERIFY(!catalogue.userFileError());
    QCOMPARE(catalogue.entries().size(), before + 1);
    QCOMPARE(idOf(catalogue.bestFor("LustreError: 11")), u"ours-lustre"_s);
    QCOMPARE(idOf(catalogue.bestFor("EI0006: Getting socket times out")), u"cann-other-code"_s);
    QCOMPARE(catalogue.find(u"EI0006"_s)->title.in(QLocale::Chinese), u"t"_s);
}

void ErrorCatalogueTest::aBrokenFileOfTheUserIsOneSentence_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("part");
    const auto row = [](const char *name, const QByteArray &text, const char *part) {
        QTest::newRow(name) << text << QString::fromLatin1(part);
    };
    row("no JSON", "{", "not an error catalogue");
    row("a list", "[]", "not an error catalogue");
    row("an entry that is none", catalogueText("3"), "entry 1: it is not an object");
    row("no id", catalogueText(R"({"pattern": "x"})"), "\"id\" is missing");
    row("no text", catalogueText(R"({"id": "a-b", "pattern": "x", "title": 3, "meaning": "", "mend": ""})"),
        "entry 1 (a-b): \"title\" is not a string");
    row("a language is missing",
        catalogueText(R"({"id": "a-b", "pattern": "x", "title": {"en": "t"}, "meaning": "m", "mend": "d"})"),
        "\"zh_CN\" is missing");
    row("a key that is unknown",
        catalogueText(
            R"({"id": "a-b", "pattern": "x", "title": "t", "meaning": "m", "mend": "d", "fix": ""})"),
        "unknown key \"fix\"");
    row("a weight out of range",
        catalogueText(
            R"({"id": "a-b", "pattern": "x", "title": "t", "meaning": "m", "mend": "d", "weight": 101})"),
        "\"weight\" is not a whole number from 1 to 100");
    row("an id twice", catalogueText(entryText("a-b", "x") + ", " + entryText("a-b", "y")),
        "entry 2 (a-b): the id is used twice");
    row("a pattern that is none", catalogueText(entryText("a-b", "(x")), "a-b: the pattern is not a regular");
}

void ErrorCatalogueTest::aBrokenFileOfTheUserIsOneSentence()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, part);
    writeUserFile(text);
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    QVERIFY(catalogue.userFileError());
    const QString sentence = catalogue.userFileError()->sentence();
    QVERIFY2(sentence.startsWith(ErrorCatalogue::userFile()) && sentence.contains(part),
             qPrintable(sentence));
    QVERIFY(!sentence.contains('\n'_L1));
    QCOMPARE(idOf(catalogue.bestFor("EI0006: Getting socket times out")), u"hccl-EI0006"_s);
}

void ErrorCatalogueTest::aFileIsScannedInOnePassWithItsLineNumbers()
{
    QByteArray text = "starting\nEI0006: Getting socket times out\n\nfine\nNo space left on device";
    QBuffer input(&text);
    QVERIFY(input.open(QIODevice::ReadOnly));
    QStringList found;
    const auto lines = scanForErrors(input, ErrorCatalogue::load(), [&](const KnownLine &known) {
        found << u"%1 %2 %3"_s.arg(known.line.value).arg(known.entry.id, QString::fromUtf8(known.text));
    });
    QVERIFY(lines);
    QCOMPARE(*lines, 5);
    QCOMPARE(found, QStringList({u"1 hccl-EI0006 EI0006: Getting socket times out"_s,
                                 u"4 system-no-space No space left on device"_s}));
}

void ErrorCatalogueTest::linesOfAnyLengthAreLookedAt()
{
    // A line of 5 MiB that overwrites itself, as a progress bar does, then an error and another line.
    QByteArray text;
    while (text.size() < 5 * 1024 * 1024)
        text += "\r 45%|####5     | 507035/1126744 [01:12<01:28, 5070.35it/s]";
    text += "\rEI0002: The wait execution of the Notify register times out\nEI0006: late\n";
    QBuffer input(&text);
    QVERIFY(input.open(QIODevice::ReadOnly));
    QStringList found;
    const auto lines = scanForErrors(input, ErrorCatalogue::load(), [&](const KnownLine &known) {
        found << u"%1 %2"_s.arg(known.line.value).arg(known.entry.id);
        QVERIFY(known.text.size() <= 64 * 1024);
    });
    QCOMPARE(*lines, 2);
    QCOMPARE(found, QStringList({u"0 hccl-EI0002"_s, u"1 hccl-EI0006"_s}));
}

void ErrorCatalogueTest::ofTheEndOfALogTheCauseIsExplained()
{
    Failure failure;
    failure.logTail = {
        u"Traceback (most recent call last):"_s,
        u"RuntimeError: NPU out of memory. Tried to allocate 386.00 MiB (NPU 2; 60.97 GiB)"_s,
        u"[ERROR] 2025-08-06-16:15:27 (PID:2228607, Device:0, RankID:-1) ERR00100 PTA call acl "
        "api failed"_s,
        u"EZ9999: Inner Error!"_s,
    };
    const FailureExplanation explanation = explainFailure(failure, ErrorCatalogue::load(), QLocale::English);
    QCOMPARE(explanation.id, u"torch_npu-out-of-memory"_s);
    QCOMPARE(explanation.line, failure.logTail[1]);
    QVERIFY(explanation.catalogueProblem.isEmpty());

    failure.logTail = {u"all is well"_s};
    const FailureExplanation nothing = explainFailure(failure, ErrorCatalogue::load(), QLocale::English);
    QVERIFY(!nothing.isKnown());
    QVERIFY(explanationLines(nothing).isEmpty());

    failure.rank = Rank{0};
    failure.reason = Sentence(u"ModuleNotFoundError: No module named 'torch_npu'"_s);
    QCOMPARE(explainFailure(failure, ErrorCatalogue::load(), QLocale::English).id,
             u"python-module-not-found"_s);
}

void ErrorCatalogueTest::commandsAreFilledIn()
{
    ErrorEntry entry;
    entry.commands = {u"npu-smi info -t ecc -i {device}"_s, u"tail {log}"_s, u"lsof -i :{port}"_s};
    QCOMPARE(entry.filledIn({{u"device"_s, u"5"_s}, {u"log"_s, u"/a b/c"_s}}),
             QStringList({u"npu-smi info -t ecc -i 5"_s, u"tail '/a b/c'"_s, u"lsof -i :PORT"_s}));
    Failure failure;
    failure.rank = Rank(5);
    failure.device = DeviceId(5);
    failure.logTail = {u"RuntimeError: NPU function error: call, error code is 507054"_s};
    const FailureExplanation known = explainFailure(failure, ErrorCatalogue::load(), QLocale::English);
    QVERIFY2(known.commands.contains("npu-smi info -t ecc -i 5"_L1),
             qPrintable(known.commands.join('\n'_L1)));
}

void ErrorCatalogueTest::portsOfLines_data()
{
    QTest::addColumn<QString>("port");
    const auto row = [](const char *line, const char *port) {
        QTest::newRow(line) << QString::fromLatin1(port);
    };
    row("The server socket has failed to listen on any local network address. port: 29500, useIpv6: 0",
        "29500");
    row("bind failed, port[60000]", "60000");
    row("[c10d] The client socket has failed to connect to [node1]:29401 (errno: 111)", "29401");
    row("at 10.0.0.2:29500", "29500");
    row("OSError: [Errno 98] Address already in use", "");
    row("2026-11-28 11:45:03 all is well", "");
    row("port 99999", "");
}

void ErrorCatalogueTest::portsOfLines()
{
    QTEST(portIn(QString::fromLatin1(QTest::currentDataTag())), "port");
}

void ErrorCatalogueTest::theFilesOfEarlierVersionsHaveBlameForALayer()
{
    const QByteArray begin =
        R"({"entries": [{"id": "a-b", "pattern": "x", "title": "t", "meaning": "m", "mend": "d", )";
    const auto layerOf = [&begin](const QByteArray &key) {
        const auto entries = readErrorEntries(begin + key + "}]}", u"errors.json"_s);
        return entries ? layerWord(entries->front().layer) : entries.error().what;
    };
    QCOMPARE(layerOf(R"("blame": "peer")"), u"wait"_s);
    QCOMPARE(layerOf(R"("blame": "nobody")"), u"wrapper"_s);
    QCOMPARE(layerOf(R"("layer": "device")"), u"device"_s);
    QVERIFY(layerOf(R"("layer": "cause")").contains("\"layer\" is not one of device, setting"_L1));
}

void ErrorCatalogueTest::theLanguageIsTheLocales()
{
    Failure failure;
    failure.logTail = {u"EI0006: Getting socket times out"_s};
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    const ErrorEntry *entry = catalogue.find(u"EI0006"_s);
    QCOMPARE(explainFailure(failure, catalogue, QLocale(u"zh_CN"_s)).title, entry->title.chinese);
    QCOMPARE(explainFailure(failure, catalogue, QLocale(u"de_DE"_s)).title, entry->title.english);
}

} // namespace tst_errorcatalogue

RANKDECK_TEST(tst_errorcatalogue, ErrorCatalogueTest)
#include "tst_errorcatalogue.moc"
