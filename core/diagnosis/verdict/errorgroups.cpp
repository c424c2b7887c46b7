#include "diagnosis/verdict/errorgroups.h"

#include "log/logfold.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <map>

namespace rankdeck
{

namespace
{

using Says = RankEvidence::Says;

QString tr(const char *text)
{
    return QCoreApplication::translate("ErrorGroups", text);
}

/// The code at the end of an entry's id, as the field writes it: "EI0006", "507011"; empty when it has none.
QString codeOf(const QString &entryId)
{
    static const QRegularExpression code(QStringLiteral("-((?:E[A-Z0-9]\\d{4}|ERR\\w{5}|\\d{6}))$"));
    return code.match(entryId).captured(1);
}

/// What a rank says in one line: its own words where it has an error of its own, else what that error is
/// called.
QString wordsOf(const RankEvidence &rank, const ErrorCatalogue &catalogue, const QLocale &locale)
{
    const ErrorLine *error = rank.heaviestError();
    if (!error)
        return rank.status && !rank.status->isSuccess() && rank.failedByItself() ? rank.status->text()
                                                                                 : tr("no error");
    const ErrorEntry *entry = error->entryId.isEmpty() ? nullptr : catalogue.find(error->entryId);
    const QString code = codeOf(error->entryId);
    const NamedPeers peers = rank.peers();
    if (rank.says() == Says::Waiting && peers.ranks.size() == 1) {
        const QString waiting = tr("waiting for rank %1").arg(peers.ranks.front());
        return code.isEmpty() ? waiting : QStringLiteral("%1 %2").arg(code, waiting);
    }
    if (!entry || entry->weight <= ErrorEntry::generalWeight) {
        for (const PythonTrace &trace : rank.traces) {
            if (!trace.exception.isEmpty())
                return trace.exception;
        }
        return error->text;
    }
    const QString title = entry->title.in(locale);
    return code.isEmpty() ? title : QStringLiteral("%1 %2").arg(code, title);
}

int informativeness(Says says)
{
    constexpr std::array order{Says::OwnError, Says::Disagrees, Says::Something, Says::Waiting,
                               Says::Nothing};
    return static_cast<int>(std::find(order.begin(), order.end(), says) - order.begin());
}

} // namespace

std::vector<Verdict::Group> errorGroups(const Case &evidence, const ErrorCatalogue &catalogue,
                                        const QLocale &locale)
{
    struct Sorted {
        Verdict::Group group;
        int place;
    };
    std::map<std::pair<int, QString>, Sorted> groups;
    for (const RankEvidence &rank : evidence.workers) {
        const QString words = wordsOf(rank, catalogue, locale);
        const int place = informativeness(rank.says());
        // For whom a rank waits is what tells such groups apart.
        const QString key = rank.says() == Says::Waiting ? words : errorSignature(words);
        Sorted &sorted = groups[{place, key}];
        if (sorted.group.ranks.empty()) {
            const ErrorLine *error = rank.heaviestError();
            sorted = {{{}, words, error ? error->entryId : QString(), rank.process}, place};
        }
        sorted.group.ranks.push_back(rank.rank);
    }
    std::vector<Sorted> all;
    for (auto &[key, sorted] : groups) {
        std::sort(sorted.group.ranks.begin(), sorted.group.ranks.end());
        all.push_back(std::move(sorted));
    }
    std::stable_sort(all.begin(), all.end(), [](const Sorted &one, const Sorted &other) {
        return std::pair(one.place, one.group.ranks.size()) <
               std::pair(other.place, other.group.ranks.size());
    });
    std::vector<Verdict::Group> result;
    for (Sorted &sorted : all)
        result.push_back(std::move(sorted.group));
    return result;
}

QString groupWords(const Verdict::Group &group)
{
    std::vector<int> ranks;
    for (const Rank rank : group.ranks)
        ranks.push_back(rank.value);
    if (ranks.size() == 1)
        return tr("1 rank (%1): %2").arg(ranks.front()).arg(group.text);
    return tr("%1 ranks (%2): %3").arg(ranks.size()).arg(rankRanges(ranks), group.text);
}

} // namespace rankdeck
