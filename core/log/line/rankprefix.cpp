#include "log/line/rankprefix.h"

#include "log/line/ansidecoder.h"
#include "log/line/loglinereader.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>
#include <string>

namespace rankdeck
{

namespace
{

using Piece = re2::StringPiece;

/// Bytes of a line in which a prefix is searched.
constexpr qsizetype headBytes = 256;
/// Pieces with a rank or a pid that stand one behind another.
constexpr int mostPrefixes = 4;
/// Share of the lines, in percent, that must begin like that for a bare number or a host to be a prefix.
constexpr int tellingShare = 60;

Piece pieceOf(QByteArrayView text)
{
    return {text.data(), std::size_t(text.size())};
}

const re2::RE2 &labelForm()
{
    static const re2::RE2 form(" {0,5}(\\d{1,6}): ?");
    return form;
}

const re2::RE2 &hostForm()
{
    static const re2::RE2 form("([A-Za-z][\\w.-]{0,60}?(\\d{1,6}))(?:: | +\\| ?)");
    return form;
}

/// Returns the rank before `text`, and removes it.
std::optional<int> consume(Piece &text, const re2::RE2 &form)
{
    int rank = 0;
    return re2::RE2::Consume(&text, form, &rank) ? std::optional(rank) : std::nullopt;
}

/// "[rank3]:", "[default3]:", "[Rank 3]", "[1,3]<stderr>:", "[pod/job-worker-3/main]"
std::optional<int> consumeBracket(Piece &text)
{
    static const re2::RE2 named(
        "(?i)\\[(?:rank|default|trainers?|workers?|local_?rank)[ _:=]?(\\d{1,6})\\]:? ?");
    static const re2::RE2 role("\\[[a-z][a-z_]{2,30}(\\d{1,6})\\]:");
    static const re2::RE2 counter(
        "\\[(?:epoch|step|iter|iteration|stage|phase|fold|batch|layer|round|trial)\\d");
    static const re2::RE2 tag("\\[\\d{1,6},(\\d{1,6})\\]<std(?:out|err|diag)>: ?");
    static const re2::RE2 pod("\\[pod/[\\w.-]*?-(\\d{1,6})/[\\w.-]+\\] ?");
    for (const re2::RE2 *form : {&named, &tag, &pod}) {
        if (const auto rank = consume(text, *form))
            return rank;
    }
    Piece copy = text;
    return re2::RE2::Consume(&copy, counter) ? std::nullopt : consume(text, role);
}

/// The numbers in "Worker_DP1_PP0_TP3_EP11".
struct WorkerName {
    int data = 0;
    int pipeline = 0;
    int tensor = 0;
    std::optional<int> expert; ///< Counts all ranks of a pipeline stage.
};

/// Takes all that `part` finds, such as "_TP3".
WorkerName workerOf(Piece parts, const re2::RE2 &part)
{
    WorkerName name;
    std::string kind;
    int number = 0;
    while (re2::RE2::Consume(&parts, part, &kind, &number)) {
        if (kind == "TP")
            name.tensor = number;
        else if (kind == "PP")
            name.pipeline = number;
        else if (kind == "DP")
            name.data = number;
        else if (kind == "EP")
            name.expert = number;
    }
    return name;
}

/// "(VllmWorker rank=3 pid=7)" has the rank itself, as a worker without stages and replicas.
std::optional<WorkerName> consumeWorker(Piece &text)
{
    static const re2::RE2 ranked("\\([A-Za-z]\\w* (?:global_)?rank[=: ](\\d{1,6})[^)\\n]{0,80}\\):? ?");
    static const re2::RE2 named("\\((?:Vllm)?Worker((?:_[A-Z]{2,4}\\d{1,6})+)(?: [^)\\n]{0,80})?\\):? ?");
    static const re2::RE2 part("_([A-Z]{2,4})(\\d{1,6})");
    WorkerName name;
    if (re2::RE2::Consume(&text, ranked, &name.tensor))
        return name;
    Piece parts;
    return re2::RE2::Consume(&text, named, &parts) ? std::optional(workerOf(parts, part)) : std::nullopt;
}

/// "[2026-07-01 02:44:10 DP1 TP14 EP14]"
std::optional<WorkerName> scheduledWorker(Piece text)
{
    static const re2::RE2 form("\\[\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d((?: [A-Z]{2,4}\\d{1,6})+)\\]");
    static const re2::RE2 part(" ([A-Z]{2,4})(\\d{1,6})");
    Piece parts;
    return re2::RE2::Consume(&text, form, &parts) ? std::optional(workerOf(parts, part)) : std::nullopt;
}

/// "(WorkerDict pid=7, ip=10.0.0.2)": returns "pid=7, ip=10.0.0.2".
/// @param name if not null, gets "WorkerDict".
std::optional<std::string> consumePid(Piece &text, std::string *name = nullptr)
{
    static const re2::RE2 form(
        "\\(([A-Za-z][\\w.:]*) (pid=\\d{1,10}(?:, ip=[\\w.:]{1,60})?)[^)\\n]{0,80}\\):? ?");
    std::string pid;
    return re2::RE2::Consume(&text, form, name, &pid) ? std::optional(pid) : std::nullopt;
}

/// The rank that the text behind a pid states as its own, as by "[rank3]: " or "[Gloo] Rank 3 is connected".
/// @param world the greatest number of ranks stated so far.
std::optional<int> statedRank(Piece text, int &world)
{
    static const re2::RE2 gloo("^\\[Gloo\\] Rank (\\d{1,6}) is connected");
    static const re2::RE2 worldFirst("\\bworld_size[=:] ?(\\d{1,6}),? rank[=:] ?(\\d{1,6})\\b");
    static const re2::RE2 rankFirst(
        "\\brank[=:] ?(\\d{1,6}),? (?:local_rank[=:] ?\\d{1,6},? )?world_size[=:] ?(\\d{1,6})");
    static const re2::RE2 itself("\\[rank(\\d{1,6})\\]:? ?");
    int rank = 0;
    int ranks = 0;
    if (re2::RE2::PartialMatch(text, worldFirst, &ranks, &rank) ||
        re2::RE2::PartialMatch(text, rankFirst, &rank, &ranks)) {
        world = std::max(world, ranks);
        return rank;
    }
    return re2::RE2::PartialMatch(text, gloo, &rank) ? std::optional(rank) : consume(text, itself);
}

} // namespace

/// Where all processes of a kind but one have told their ranks, the last one has the rank that is left.
void RankPrefixes::giveLastRank(const std::set<std::string> &pids, int world)
{
    std::set<int> left;
    for (int rank = 0; rank < world; ++rank)
        left.insert(rank);
    const std::string *last = nullptr;
    for (const std::string &pid : pids) {
        const auto known = m_byPid.find(pid);
        if (known == m_byPid.end())
            last = &pid;
        else
            left.erase(known->second);
    }
    if (last && left.size() == 1 && pids.size() == std::size_t(world))
        m_byPid.emplace(*last, *left.begin());
}

RankPrefixes::RankPrefixes(QByteArrayView sample)
{
    static const re2::RE2 trainWorker(
        "^- \\((ip=[\\w.:]{1,60}), (pid=\\d{1,10})\\) world_rank=(\\d{1,6})\\b");
    int lines = 0;
    int labels = 0;
    int hosts = 0;
    int world = 0;
    std::map<std::string, std::set<std::string>> pidsByName;
    std::set<int> labelled;
    std::set<std::string> hostNames;
    const QByteArray whole = sample.first(std::min(sample.size(), sampleBytes)).toByteArray();
    for (const QByteArray &raw : whole.split('\n')) {
        const QByteArray line = AnsiDecoder::plainText(raw.left(headBytes)).toUtf8();
        if (line.trimmed().isEmpty())
            continue;
        ++lines;
        Piece text = pieceOf(line);
        if (const auto label = consume(text, labelForm())) {
            ++labels;
            labelled.insert(*label);
        }
        std::string host;
        int number = 0;
        if (re2::RE2::Consume(&text, hostForm(), &host, &number)) {
            ++hosts;
            hostNames.insert(host);
        }
        auto worker = scheduledWorker(text);
        std::optional<std::string> pid;
        for (int count = 0; count < mostPrefixes && !worker; ++count) {
            worker = consumeWorker(text);
            std::string name;
            const auto next = worker ? std::nullopt : consumePid(text, &name);
            if (!next)
                break;
            pid = next;
            pidsByName[name].insert(*pid);
        }
        if (const auto rank = pid ? statedRank(text, world) : std::nullopt)
            m_byPid.emplace(*pid, *rank);
        std::string itsIp;
        std::string itsPid;
        if (re2::RE2::PartialMatch(text, trainWorker, &itsIp, &itsPid, &number)) {
            m_byPid.emplace(itsPid, number);
            m_byPid.emplace(itsPid.append(", ").append(itsIp), number);
        }
        if (worker) {
            m_tensorParallel = std::max(m_tensorParallel, worker->tensor + 1);
            m_pipelineParallel = std::max(m_pipelineParallel, worker->pipeline + 1);
        }
    }
    for (const auto &[name, pids] : pidsByName)
        giveLastRank(pids, world);
    m_hasLabels = labels * 100 >= lines * tellingShare && labelled.size() > 1;
    m_hasHosts = hosts * 100 >= lines * tellingShare && hostNames.size() > 1;
}

std::optional<RankPrefix> RankPrefixes::of(QByteArrayView line) const
{
    static const re2::RE2 event("^\\{\"name\": ?\"torchelastic\\.worker\\..*\"global_rank\": ?(\\d{1,6})");
    static const re2::RE2 watchdog("^\\[[A-Z](?:\\d{3,4} [\\d:.]{8,20})? [\\w.]{1,60}:\\d{1,5}\\] "
                                   "\\[(?:PG (?:ID )?0 [^\\]\\n]{0,40})?Rank (\\d{1,6})\\]");
    static const re2::RE2 inHead("\\(PID:\\d{1,10}, ?Device:-?\\d{1,6}, ?RankID:(\\d{1,6})\\)");
    // A traceback follows.
    static const re2::RE2 ofTrace("(?i)(?: - |\\] |: |^-- )(?:rank|process|worker)[ \\[]?(\\d{1,6})\\]? "
                                  "(?:failed\\.?|terminated with the following error:)\\s*$");
    const Piece head = pieceOf(line.first(std::min(line.size(), headBytes)));
    Piece text = head;
    std::optional<int> rank;
    if (m_hasLabels)
        rank = consume(text, labelForm());
    if (std::string host; m_hasHosts && !rank) {
        int number = 0;
        if (re2::RE2::Consume(&text, hostForm(), &host, &number))
            rank = number;
    }
    const auto rankOf = [this](const WorkerName &worker) {
        if (worker.expert && m_pipelineParallel == 1)
            return *worker.expert;
        return (worker.data * m_pipelineParallel + worker.pipeline) * m_tensorParallel + worker.tensor;
    };
    // "[default3]:[rank11]: …": the last one is the rank itself, those before are of the launcher.
    std::optional<int> byPid;
    for (int count = 0; count < mostPrefixes; ++count) {
        const char first = text.empty() ? '\0' : text[0];
        if (const auto next = first == '[' ? consumeBracket(text) : std::nullopt) {
            rank = next;
        } else if (const auto worker = first == '(' ? consumeWorker(text) : std::nullopt) {
            rank = rankOf(*worker);
        } else if (const auto pid = first == '(' ? consumePid(text) : std::nullopt) {
            const auto known = m_byPid.find(*pid);
            byPid = known == m_byPid.end() ? byPid : std::optional(known->second);
        } else {
            break;
        }
    }
    if (!rank)
        rank = byPid;
    if (rank)
        return RankPrefix{*rank, qsizetype(head.size() - text.size()), false};
    if (const auto worker = scheduledWorker(head))
        return RankPrefix{rankOf(*worker), 0, true};
    int number = 0;
    if (re2::RE2::PartialMatch(head, inHead, &number))
        return RankPrefix{number, 0, true};
    if (re2::RE2::PartialMatch(pieceOf(line.last(std::min(line.size(), headBytes))), ofTrace, &number))
        return RankPrefix{number, 0, true, true};
    for (const re2::RE2 *form : {&event, &watchdog}) {
        if (re2::RE2::PartialMatch(head, *form, &number))
            return RankPrefix{number, 0, false};
    }
    return std::nullopt;
}

qsizetype RankPrefixes::sizeOfProcess(QByteArrayView line)
{
    const Piece head = pieceOf(line.first(std::min(line.size(), headBytes)));
    Piece text = head;
    for (int count = 0; count < mostPrefixes && !text.empty() && text[0] == '(' && consumePid(text);)
        ++count;
    return qsizetype(head.size() - text.size());
}

/// Whether a shell says how a command ended: that is no line of the rank before.
static bool isOfShell(QByteArrayView line)
{
    static const re2::RE2 form(
        "^(?:Killed|Terminated|Aborted|Segmentation fault)(?: \\(core dumped\\))?\\s*$");
    return re2::RE2::PartialMatch(pieceOf(line), form);
}

std::optional<RankPrefix> RankLines::of(QByteArrayView line)
{
    if (isOfShell(line)) {
        m_last.reset();
        return std::nullopt;
    }
    constexpr int mostGoingOn = 200;
    const auto prefix = m_prefixes.of(line);
    if (prefix) {
        m_last = prefix->goesOn ? std::optional(prefix->rank) : std::nullopt;
        m_awaitsTrace = prefix->hasTrace;
        m_goingOn = 0;
        return prefix;
    }
    if (!m_last)
        return std::nullopt;
    const bool isOther = readLogLineHead(line).saysAnything() ||
                         (line.startsWith("Traceback ") && !std::exchange(m_awaitsTrace, false));
    if (isOther || ++m_goingOn > mostGoingOn)
        m_last.reset();
    return m_last ? std::optional(RankPrefix{*m_last, 0, true}) : std::nullopt;
}

} // namespace rankdeck
