#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdicttext.h"
#include "support/testmain.h"
#include "support/testpaths.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_verdictaccuracy
{

using namespace rankdeck;

namespace
{

const QString casesDirectory = sourcePath("tests/diagnosis/cases");

/// What a verdict is worth.
struct Judged {
    bool isRankRight = false;
    bool isCauseRight = false;
    bool isCertain = false;
    QString headline; ///< Of the verdict, or why the logs were not read.
};

/// How many of some cases were judged right.
struct Score {
    int cases = 0;
    int rightRank = 0;
    int rightCause = 0;

    void count(const Judged &judged)
    {
        ++cases;
        rightRank += judged.isRankRight ? 1 : 0;
        rightCause += judged.isCauseRight ? 1 : 0;
    }
    bool reaches(double share) const { return rightRank >= share * cases && rightCause >= share * cases; }
    QString words(const char *name) const
    {
        return u"%1: %2 cases, root rank right in %3 (%4 %), cause in %5 (%6 %)"_s.arg(QLatin1String(name))
            .arg(cases)
            .arg(rightRank)
            .arg(100.0 * rightRank / cases, 0, 'f', 0)
            .arg(rightCause)
            .arg(100.0 * rightCause / cases, 0, 'f', 0);
    }
};

/// Copies the logs of a case whose label says which were written last, so that they were. Returns false if it
/// cannot.
bool copyWithTimes(const QString &from, const QString &to, const QString &last)
{
    const QDateTime now = QDateTime::currentDateTime();
    const QDir directory(from);
    QDirIterator files(from, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = directory.relativeFilePath(files.next());
        const QString copied = QDir(to).filePath(path);
        if (!QDir().mkpath(QFileInfo(copied).path()) || !QFile::copy(files.filePath(), copied))
            return false;
        QFile file(copied);
        const QDateTime written = path.startsWith(last) ? now.addSecs(-3600) : now.addDays(-1);
        if (!file.open(QIODevice::Append) || !file.setFileTime(written, QFileDevice::FileModificationTime))
            return false;
    }
    return true;
}

std::optional<int> rootOf(const Verdict &verdict)
{
    return verdict.hasRoot() && verdict.role == Role::Worker ? std::optional(verdict.rank.value)
                                                             : std::nullopt;
}

bool isRankRight(const QJsonObject &label, const Verdict &verdict)
{
    if (label.value("noFailure"_L1).toBool())
        return !verdict.hasFailure;
    if (label.value("scheduler"_L1).toBool())
        return verdict.hasRoot() && verdict.role == Role::Scheduler;
    const QJsonValue wanted = label.value("rootRank"_L1);
    return rootOf(verdict) == (wanted.isDouble() ? std::optional(wanted.toInt()) : std::nullopt);
}

bool isCauseRight(const QJsonObject &label, const Verdict &verdict)
{
    if (label.value("noFailure"_L1).toBool())
        return verdict.causeId.isEmpty();
    const QJsonArray causes = label.value("causeIds"_L1).toArray();
    const QJsonArray words = label.value("causeWords"_L1).toArray();
    if (causes.isEmpty() && words.isEmpty())
        return verdict.confidence != Verdict::Confidence::Certain || verdict.causeId.isEmpty();
    const QString said = verdictTitle(verdict) + '\n'_L1 + verdict.cause + '\n'_L1 + verdict.known.title +
                         '\n'_L1 + verdict.known.id;
    return causes.contains(verdict.causeId) ||
           std::any_of(words.begin(), words.end(), [&](const QJsonValue &word) {
               return said.contains(word.toString(), Qt::CaseInsensitive);
           });
}

/// Judges the logs of a case as they lie; logs that cannot be read are judged wrong.
Judged judge(const QString &directory, const QJsonObject &label, const ErrorCatalogue &catalogue)
{
    QString opened = QDir(directory).filePath(label.value("open"_L1).toString());
    const QString last = label.value("writtenLast"_L1).toString();
    const QTemporaryDir copy;
    if (!last.isEmpty()) {
        if (!copyWithTimes(directory, copy.path(), last))
            return {.headline = u"the case was not copied"_s};
        opened = copy.filePath(label.value("open"_L1).toString());
    }
    const auto state = LogDirectory(opened).open();
    if (!state)
        return {.headline = state.error().sentence()};
    const Verdict verdict = diagnose(*state, catalogue, QLocale::c());
    return {.isRankRight = isRankRight(label, verdict),
            .isCauseRight = isCauseRight(label, verdict),
            .isCertain = verdict.confidence == Verdict::Confidence::Certain,
            .headline = verdictTitle(verdict)};
}

} // namespace

/// The labelled cases in cases/, whose labels were written without the rules in view, judged as a user has
/// them judged; those held out were not looked at when the rules were mended either.
class VerdictAccuracyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLabelledCasesAreJudgedRight();
};

void VerdictAccuracyTest::theLabelledCasesAreJudgedRight()
{
    QTemporaryDir home;
    qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    Score all;
    Score heldOut;
    QStringList confidentlyWrong;
    const QStringList names = QDir(casesDirectory).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        const QString directory = casesDirectory + '/'_L1 + name;
        QFile file(directory + u"/case.json"_s);
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        const QJsonObject label = QJsonDocument::fromJson(file.readAll()).object();
        const Judged judged = judge(directory, label, catalogue);
        all.count(judged);
        if (label.value("heldOut"_L1).toBool())
            heldOut.count(judged);
        else if (!judged.isRankRight || !judged.isCauseRight)
            qInfo("%s: %s%s%s", qPrintable(name), judged.isRankRight ? "" : "rank, ",
                  judged.isCauseRight ? "" : "cause, ", qPrintable(judged.headline));
        if (!judged.isRankRight && judged.isCertain)
            confidentlyWrong << name;
    }
    qInfo("%s", qPrintable(all.words("all")));
    qInfo("%s", qPrintable(heldOut.words("held out")));
    QVERIFY(all.cases >= 40);
    QVERIFY(all.reaches(0.9));
    QCOMPARE(confidentlyWrong, QStringList());
}

} // namespace tst_verdictaccuracy

RANKDECK_TEST(tst_verdictaccuracy, VerdictAccuracyTest)
#include "tst_verdictaccuracy.moc"
