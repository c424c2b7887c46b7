#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/logdirectory/foundlogs.h"
#include "support/testmain.h"
#include "support/testpaths.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

namespace tst_diagnosiscases
{

using namespace rankdeck;

namespace
{

const QString casesDirectory = sourcePath("tests/diagnosis/cases");

QString caseFile(const QString &name)
{
    return casesDirectory + '/'_L1 + name + u"/case.json"_s;
}

QStringList caseNames()
{
    QStringList names = QDir(casesDirectory).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    names.removeIf([](const QString &name) { return !QFile::exists(caseFile(name)); });
    return names;
}

QJsonObject readCase(const QString &name)
{
    QFile file(caseFile(name));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

/// What a user opens: the folder of the case, or what is in it that its key "open" names.
QString openedPath(const QString &name)
{
    const QString open = readCase(name).value("open"_L1).toString();
    return QDir(casesDirectory + '/'_L1 + name).filePath(open);
}

bool isSet(const QJsonObject &object, const char *flag)
{
    return object.value(QLatin1String(flag)).toBool();
}

} // namespace

/// What README.md in cases/ says of a case holds for each of them, so that a verdict is never measured
/// against a label that cannot be met.
class DiagnosisCasesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CONFIG_HOME", m_home->path().toLocal8Bit());
    }
    void thereAreEnough();
    void aLabelCanBeMet_data() { addCases(); }
    void aLabelCanBeMet();
    void wordsAreForCausesThatTheCatalogueDoesNotHave_data() { addCases(); }
    void wordsAreForCausesThatTheCatalogueDoesNotHave();
    void causesAreInTheCatalogue_data() { addCases(); }
    void causesAreInTheCatalogue();
    void theLogsAreThoseOfItsRanks_data() { addCases(); }
    void theLogsAreThoseOfItsRanks();

private:
    static void addCases()
    {
        QTest::addColumn<QString>("name");
        for (const QString &name : caseNames())
            QTest::newRow(qPrintable(name)) << name;
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

void DiagnosisCasesTest::thereAreEnough()
{
    const QStringList names = caseNames();
    const auto heldOut = std::count_if(names.begin(), names.end(),
                                       [](const QString &name) { return isSet(readCase(name), "heldOut"); });
    QVERIFY(heldOut >= 15);
    QVERIFY(names.size() - heldOut >= 40);
}

void DiagnosisCasesTest::aLabelCanBeMet()
{
    QFETCH(QString, name);
    static const QSet<QString> known = {
        u"story"_s,     u"sources"_s,    u"worldSize"_s,   u"rootRank"_s,    u"causeIds"_s, u"candidates"_s,
        u"decidable"_s, u"allRanks"_s,   u"noFailure"_s,   u"scheduler"_s,   u"heldOut"_s,  u"group"_s,
        u"open"_s,      u"causeWords"_s, u"adviceWords"_s, u"writtenLast"_s,
    };
    const QJsonObject label = readCase(name);
    const QStringList keys = label.keys();
    for (const QString &key : keys)
        QVERIFY2(known.contains(key), qPrintable(key));
    QVERIFY(label.value("story"_L1).toString().size() >= 40);
    const QJsonArray sources = label.value("sources"_L1).toArray();
    QVERIFY(!sources.isEmpty());
    for (const auto &source : sources)
        QVERIFY(!source.toString().isEmpty());

    const int ranks = label.value("worldSize"_L1).toInt();
    QVERIFY(ranks >= 2 && ranks <= 16);
    const QJsonValue root = label.value("rootRank"_L1);
    const QJsonArray candidates = label.value("candidates"_L1).toArray();
    const bool isDecidable = label.value("decidable"_L1).toBool(true);
    if (root.isDouble()) {
        QVERIFY(root.toInt(-1) >= 0 && root.toInt() < ranks);
        QVERIFY(isDecidable && candidates.isEmpty());
    } else {
        QVERIFY(root.isNull());
    }
    // Exactly one answer to which rank it was.
    QCOMPARE(int(root.isDouble()) + int(!isDecidable) + int(isSet(label, "allRanks")) +
                 int(isSet(label, "noFailure")) + int(isSet(label, "scheduler")),
             1);
    QCOMPARE(candidates.isEmpty(), isDecidable);
    QVERIFY(isDecidable || candidates.size() >= 2);
    for (const auto &candidate : candidates)
        QVERIFY(candidate.isDouble() && candidate.toInt(-1) >= 0 && candidate.toInt() < ranks);
}

void DiagnosisCasesTest::wordsAreForCausesThatTheCatalogueDoesNotHave()
{
    QFETCH(QString, name);
    const QJsonObject label = readCase(name);
    for (const char *const key : {"causeWords", "adviceWords"}) {
        const QJsonArray words = label.value(QLatin1String(key)).toArray();
        for (const auto &word : words)
            QVERIFY2(word.toString().size() >= 3, key);
        QCOMPARE(words.isEmpty(), !label.contains(QLatin1String(key)));
    }
    QVERIFY(!isSet(label, "noFailure") || !label.contains("causeWords"_L1));
}

void DiagnosisCasesTest::causesAreInTheCatalogue()
{
    QFETCH(QString, name);
    static const ErrorCatalogue catalogue = ErrorCatalogue::load();
    const QJsonObject label = readCase(name);
    QVERIFY(label.value("causeIds"_L1).isArray());
    const QJsonArray causes = label.value("causeIds"_L1).toArray();
    QVERIFY(!isSet(label, "noFailure") || causes.isEmpty());
    for (const auto &cause : causes) {
        const ErrorEntry *const entry = catalogue.find(cause.toString());
        QVERIFY2(entry && entry->id == cause.toString(), qPrintable(cause.toString()));
    }
}

void DiagnosisCasesTest::theLogsAreThoseOfItsRanks()
{
    QFETCH(QString, name);
    const QJsonObject label = readCase(name);
    const QString opened = openedPath(name);
    QVERIFY2(QFileInfo::exists(opened), qPrintable(opened));
    // A layout that is not read yet is a miss, which tst_verdictaccuracy counts.
    if (label.contains("group"_L1))
        return;
    const auto plan = findLogs(opened);
    QVERIFY2(plan, plan ? "" : qPrintable(plan.error().sentence()));
    const int ranks = label.value("worldSize"_L1).toInt();
    int workers = 0;
    bool hasScheduler = false;
    for (const ProcessPlan &process : plan->processes) {
        if (process.role == Role::Scheduler) {
            hasScheduler = true;
            continue;
        }
        ++workers;
        QVERIFY(process.rank.value >= 0 && process.rank.value < ranks);
    }
    QVERIFY(workers > 0 && workers <= ranks);
    QVERIFY(hasScheduler || !isSet(label, "scheduler"));
}

} // namespace tst_diagnosiscases

RANKDECK_TEST(tst_diagnosiscases, DiagnosisCasesTest)
#include "tst_diagnosiscases.moc"
