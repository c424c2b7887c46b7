#include "diagnosis/verdict/keptverdict.h"

#include "base/fields.h"
#include "base/regularfile.h"
#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/verdict/diagnose.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <unistd.h>

namespace rankdeck
{

constexpr qint64 mostKeptBytes = 4 * 1024 * 1024;

/// Names the language of a verdict.
static QString languageOf(const QLocale &locale)
{
    const bool isEnglish = locale.language() == QLocale::C || locale.language() == QLocale::English;
    // With translations installed the first name is not English either.
    return tr("English", "language of the program") + '/'_L1 + (isEnglish ? u"English"_s : locale.name());
}

namespace
{

/// Facts that must be unchanged for a kept verdict: else the logs would now give another one.
struct Stamp {
    QString version = QStringLiteral(RANKDECK_VERSION);
    QString language;
    qint64 catalogueTime = 0; ///< When the user's catalogue was changed, ms since 1970; 0: there is none.

    static Stamp of(const QLocale &locale)
    {
        Stamp stamp;
        stamp.language = languageOf(locale);
        if (const QFileInfo catalogue(ErrorCatalogue::userFile()); catalogue.exists())
            stamp.catalogueTime = catalogue.lastModified().toMSecsSinceEpoch();
        return stamp;
    }
    bool operator==(const Stamp &) const = default;
};

void visitFields(Fields &fields, Stamp &stamp)
{
    fields("rankdeck", stamp.version);
    fields("language", stamp.language);
    fields("catalogue", stamp.catalogueTime);
}

struct KeptVerdict {
    Stamp stamp;
    Verdict verdict;
};

void visitFields(Fields &fields, KeptVerdict &kept)
{
    fields("stamp", kept.stamp);
    visitFields(fields, kept.verdict);
}

} // namespace

/// Returns true if its verdict will stay the same.
static bool isFinal(const RunState &state)
{
    return state.hasTrouble() && !isLive(state.phase) && !hasLogsAlone(state.phase);
}

/// Returns false for half a verdict, and for one about a fault in the user's catalogue.
static bool mayBeKept(const Verdict &verdict, const std::function<bool()> &isCancelled)
{
    return verdict.known.catalogueProblem.isEmpty() && !(isCancelled && isCancelled());
}

static void keep(const RunState &state, const Verdict &verdict, const QLocale &locale)
{
    // Files are written in English, so that every user can read them.
    if (languageOf(locale) != "English/English"_L1)
        return;
    // A directory without a record is not a run's: nothing is written there.
    if (!hasRunRecord(state.directory) || access(QFile::encodeName(state.directory).constData(), W_OK) != 0)
        return;
    QSaveFile file(verdictPath(state.directory));
    if (!file.open(QIODevice::WriteOnly))
        return;
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    file.write(jsonTextOf(KeptVerdict{Stamp::of(locale), verdict}, 1));
    file.commit(); // A verdict that cannot be kept is found again.
}

std::optional<Verdict> keptVerdict(const RunState &state)
{
    RegularFile file(verdictPath(state.directory));
    if (!isFinal(state) || !file.open(QIODevice::ReadOnly) || file.size() > mostKeptBytes)
        return std::nullopt;
    const auto kept = fromJsonText<KeptVerdict>(file.readAll());
    if (!kept || kept->stamp != Stamp::of(QLocale()))
        return std::nullopt;
    return withProcesses(kept->verdict, *state.plan);
}

Verdict verdictOf(const RunState &state, const std::function<bool()> &isCancelled)
{
    if (const auto kept = keptVerdict(state))
        return *kept;
    const Verdict verdict = diagnose(state, isCancelled);
    if (!isFinal(state) || !mayBeKept(verdict, isCancelled))
        return verdict;
    keep(state, verdict, QLocale());
    // As every later reader gets it: blanks in quoted lines are not kept.
    return verdictFrom(jsonTextOf(verdict), *state.plan).value_or(verdict);
}

Verdict judgeRun(const RunState &state, const std::function<bool()> &isCancelled)
{
    const QLocale english(QLocale::English);
    const Verdict verdict = diagnose(state, ErrorCatalogue::load(), english, isCancelled);
    if (mayBeKept(verdict, isCancelled))
        keep(state, verdict, english);
    return verdict;
}

} // namespace rankdeck
