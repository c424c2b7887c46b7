#include "ranktable/rules/ranktablecheck.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QHash>
#include <QTest>

#include <algorithm>
#include <array>

namespace tst_corpus
{

using namespace rankdeck;

namespace
{

/// What an oddity of the index is called by our rules, and where its finding must stand.
struct Oddity {
    const char *begin;   ///< How the index's words begin; what follows is an example or a detail.
    const char *rules;   ///< Separated by blanks; "json-" stands for all that begin with it.
    const char *pointer; ///< How the pointer ends; "*" for any.
};

constexpr std::array knownOddities{
    Oddity{"parses after stripping comments/trailing commas", "json-", "*"},
    Oddity{"INVALID JSON", "json-", "*"},
    Oddity{"has host_nic_ip=", "ignored-key", "/host_nic_ip"},
    Oddity{"no status", "missing-key missing-status", ""},
    Oddity{"no server_count", "missing-documented-key", ""},
    Oddity{"no rank_id", "missing-key", "*"},
    Oddity{"no device_ip", "missing-device-ip no-device-ip", "*"},
    Oddity{"empty device_ip", "missing-device-ip no-device-ip", "/device_ip"},
    Oddity{"server_id not an IP e.g. ", "server-id-no-address masked-server-id", "/server_id"},
    Oddity{"invalid/masked device_ip e.g. ", "masked-device-ip invalid-device-ip", "/device_ip"},
    // An address that is a mask is said to be one, however often it stands there.
    Oddity{"duplicate device_ip", "duplicate-device-ip masked-device-ip missing-device-ip no-device-ip",
           "/device_ip"},
    Oddity{"duplicate device_id in one server", "duplicate-device-id", "/device_id"},
    Oddity{"duplicate device_id in one server", "missing-key", "*"}, // Two devices without any id.
    Oddity{"duplicate server_id", "duplicate-server-id", "/server_id"},
    Oddity{"server_count is int", "wrong-type", "/server_count"},
    Oddity{"rank_id is int", "wrong-type", "/rank_id"},
    Oddity{"device_id is int", "wrong-type", "/device_id"},
    Oddity{"non numeric rank_id", "not-a-number", "/rank_id"},
    Oddity{"non numeric device_id", "not-a-number", "/device_id"},
    Oddity{"rank_count!=len", "count wrong-type", "/rank_count"},
    Oddity{"server_count=", "count", "/server_count"},
    Oddity{"rank ids not 0..n-1", "rank-range duplicate-rank", "/rank_id"},
    Oddity{"rank ids not 0..n-1", "missing-key", "*"},
    Oddity{"rank ids not ascending in file order", "unsorted-ranks", "/rank_id"},
    Oddity{"extra top keys ", "unknown-key", "*"},
    Oddity{"extra device key ", "unknown-key", "*"},
    Oddity{"v1.2 without super_pod_list", "no-super-pods", ""},
};

bool isOfRule(const Finding &finding, const Oddity &oddity)
{
    const QStringList names = QString::fromLatin1(oddity.rules).split(' '_L1);
    return std::any_of(names.begin(), names.end(), [&](const QString &name) {
        return name.endsWith('-'_L1) ? finding.rule.startsWith(name) : finding.rule == name;
    });
}

/// Whether the finding is about this oddity: its rule, its place, and the example that the index gives.
bool speaksOf(const Finding &finding, const Oddity &oddity, const QString &words)
{
    const QString pointer = QString::fromLatin1(oddity.pointer);
    const bool isThere = pointer == "*"_L1 ||
                         (pointer.isEmpty() ? finding.pointer.isEmpty() : finding.pointer.endsWith(pointer));
    if (!isThere || !isOfRule(finding, oddity))
        return false;
    const QString begin = QString::fromLatin1(oddity.begin);
    const QString example = words.mid(begin.size());
    if (begin.endsWith("e.g. "_L1))
        return finding.what.contains(example);
    if (begin.startsWith("extra "_L1))
        return finding.pointer.endsWith('/'_L1 + example);
    if (begin.startsWith("no "_L1))
        return finding.what.contains(begin.mid(3));
    return true;
}

/// Tables that the index calls sound although they are not: made to be rejected, by tests of the projects
/// they are from.
const QHash<QString, QString> overlookedByTheIndex{
    {u"193.json"_s, u"empty-server-id"_s},
    {u"194.json"_s, u"missing-key"_s},
    {u"196.json"_s, u"missing-key"_s},
    {u"223.json"_s, u"version"_s},
};

bool hasError(const CheckReport &report, const QString &rule)
{
    return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding &finding) {
        return finding.severity == Severity::Error && finding.rule == rule;
    });
}

} // namespace

/// Every table that was found in public repositories, with what its index says of it.
class CorpusTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyOddityIsFound_data() { addRows(true); }
    void everyOddityIsFound();
    void tablesWithoutOddityHaveNoError_data() { addRows(false); }
    void tablesWithoutOddityHaveNoError();

private:
    static void addRows(bool odd);
    static CheckReport reportOf(const QString &file);
};

void CorpusTest::addRows(bool odd)
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("oddities");
    QFile index(sharedData("ranktables/index.tsv"));
    if (!index.open(QIODevice::ReadOnly)) {
        QTest::newRow("the corpus is not on this machine") << QString() << QStringList();
        return;
    }
    index.readLine();
    while (!index.atEnd()) {
        const QStringList cells = QString::fromUtf8(index.readLine()).trimmed().split('\t'_L1);
        const bool isOdd = cells.value(8) != "-"_L1;
        if (isOdd == odd)
            QTest::newRow(qPrintable(cells.value(0))) << cells.value(0) << cells.value(8).split(u"; "_s);
    }
}

CheckReport CorpusTest::reportOf(const QString &file)
{
    const auto report = checkRankTableFile(sharedData("ranktables/") + file);
    return report ? *report : CheckReport();
}

void CorpusTest::everyOddityIsFound()
{
    QFETCH(QString, file);
    QFETCH(QStringList, oddities);
    if (file.isEmpty())
        QSKIP("the corpus is not on this machine");
    const CheckReport report = reportOf(file);
    QStringList missed;
    for (const QString &words : oddities) {
        const bool isFound =
            std::any_of(knownOddities.begin(), knownOddities.end(), [&](const Oddity &oddity) {
                return words.startsWith(QLatin1String(oddity.begin)) &&
                       std::any_of(report.findings.begin(), report.findings.end(),
                                   [&](const Finding &finding) { return speaksOf(finding, oddity, words); });
            });
        if (!isFound)
            missed << words;
    }
    QVERIFY2(missed.isEmpty(), qPrintable(missed.join("; "_L1)));
}

void CorpusTest::tablesWithoutOddityHaveNoError()
{
    QFETCH(QString, file);
    if (file.isEmpty())
        QSKIP("the corpus is not on this machine");
    const CheckReport report = reportOf(file);
    if (overlookedByTheIndex.contains(file)) {
        QVERIFY(hasError(report, overlookedByTheIndex[file]));
        return;
    }
    QVERIFY2(!report.unusable, report.unusable ? qPrintable(report.unusable->sentence()) : "");
    const auto error =
        std::find_if(report.findings.begin(), report.findings.end(),
                     [](const Finding &finding) { return finding.severity == Severity::Error; });
    QVERIFY2(error == report.findings.end(),
             error == report.findings.end()
                 ? ""
                 : qPrintable(u"%1 at line %2: %3"_s.arg(error->rule).arg(error->line).arg(error->what)));
}

} // namespace tst_corpus

RANKDECK_TEST(tst_corpus, CorpusTest)
#include "tst_corpus.moc"
