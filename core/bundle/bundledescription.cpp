#include "bundle/bundledescription.h"

#include "base/fields.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

namespace
{

/// Maps a file to its unpacked place; a file that is not in the bundle to a missing one below `directory`.
class Places
{
public:
    Places(QString directory, const std::vector<BundleDescription::File> &files)
        : m_directory(std::move(directory))
    {
        for (const auto &file : files)
            m_names.insert(file.path, file.name);
    }

    QString of(const QString &path) const
    {
        if (path.isEmpty())
            return {};
        return m_directory + '/'_L1 + m_names.value(path, u"logs/not-in-this-bundle"_s);
    }

private:
    QString m_directory;
    QMap<QString, QString> m_names;
};

/// Returns the parts of a plan that are shown, without any that could be carried out.
LaunchPlan shownPlan(const LaunchPlan &plan, const Places &places)
{
    LaunchPlan shown;
    shown.launcher = plan.launcher;
    shown.name = plan.name;
    shown.jobId = plan.jobId;
    shown.thisNode = plan.thisNode;
    shown.rankTable = plan.rankTable;
    shown.totalRanks = plan.totalRanks;
    shown.raiseOnFailure = false;
    shown.notes = plan.notes;
    for (ProcessPlan process : plan.processes) {
        QStringList files = writtenFiles(process);
        for (QString &file : files)
            file = places.of(file);
        setWrittenFiles(process, files);
        process.copiedFrom.clear();
        process.makeDirectories.clear();
        shown.processes.push_back(std::move(process));
    }
    return shown;
}

} // namespace

static void visitFields(Fields &fields, RankState &rank)
{
    QString phase = phaseWord(rank.phase);
    fields.newer("phase", phase);
    fields.optional("pid", rank.pid);
    fields.optional("started", rank.started);
    fields.optional("ended", rank.ended);
    fields.optional("status", rank.status);
    fields.optional("stop_requested", rank.stopRequested);
    if (!fields.isReading())
        return;
    rank.phase = rankPhaseFromWord(phase).value_or(RankPhase::Unknown);
    // Nothing watches the process any more.
    if (rank.phase == RankPhase::Running || rank.phase == RankPhase::Writing)
        rank.phase = RankPhase::Unknown;
}

qint64 BundleDescription::File::lineOf(qint64 line) const
{
    return line <= headLines || leftOutBytes == 0 ? line : std::max(line - leftOutLines, headLines + 1) + 1;
}

static void visitFields(Fields &fields, RunStall &stall)
{
    QString sentence = stall.sentence;
    fields("sentence", sentence);
    stall.sentence = Sentence(sentence);
    fields("silent", stall.silentSince);
    fields("named", stall.named);
}

void visitFields(Fields &fields, BundleDescription::File &file)
{
    fields("path", file.path);
    fields("name", file.name);
    fields.newer("bytes", file.bytes);
    fields.newer("left_out_bytes", file.leftOutBytes);
    fields.newer("head_lines", file.headLines);
    fields.newer("left_out_lines", file.leftOutLines);
}

void visitFields(Fields &fields, BundleDescription &description)
{
    RunState &state = description.state;
    fields("format", description.format);
    if (description.format > bundleFormat)
        return;
    fields.newer("made", description.made);
    fields.newer("host", description.host);
    fields.newer("rankdeck", description.rankdeck);
    fields("name", state.name);
    fields.newer("directory", state.directory);
    QString phase = phaseWord(state.phase);
    fields.newer("phase", phase);
    int attempt = state.attempt;
    fields.newer("attempt", attempt);
    fields.newer("created", state.created);
    fields.newer("ended", state.ended);
    fields.newer("exit_code", state.exitCode);
    fields.newer("notes", state.notes);
    fields("ranks", state.ranks);
    LaunchPlan plan = fields.isReading() ? LaunchPlan() : *state.plan;
    visitCompactPlan(fields, plan);
    if (fields.isReading()) {
        state.phase = phaseFromWord(phase).value_or(RunPhase::Unknown);
        state.plan = std::make_shared<const LaunchPlan>(std::move(plan));
    }
    fields("files", description.files);
    fields.optional("failure", state.failure);
    std::optional<RunStall> stall = state.hasTrouble() ? state.endStall : state.stall;
    fields.optional("stall", stall);
    if (fields.isReading())
        state.endStall = stall;
}

Result<BundleDescription> descriptionFrom(const QByteArray &text, const QString &directory)
{
    auto read = fromJsonText<BundleDescription>(text);
    if (!read)
        return Error{tr("this is not a report bundle that this version of Rankdeck can read"), {}, {}};
    if (read->format > bundleFormat)
        return Error{tr("this bundle was made by a newer version of Rankdeck"), {}, tr("Update Rankdeck.")};
    BundleDescription &description = *read;
    RunState &state = description.state;
    std::erase_if(description.files, [](const auto &file) {
        return file.name.isEmpty() || file.name.startsWith('/'_L1) ||
               file.name.split('/'_L1).contains(".."_L1);
    });
    const Places places(directory, description.files);
    const std::vector<RankState> ranks = std::move(state.ranks);
    state.setPlan(shownPlan(*state.plan, places));
    for (std::size_t index = 0; index < state.ranks.size() && index < ranks.size(); ++index)
        state.ranks[index] = ranks[index];
    state.directory = directory;
    if (state.failure)
        state.failure->logFile = places.of(state.failure->logFile);
    if (!state.ended.isValid())
        state.ended = description.made;
    description.origin =
        tr("Opened from a report bundle that was made on %1 at %2 (run: %3); nothing runs here.")
            .arg(description.host, description.made.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s),
                 phaseWord(state.phase));
    state.phase = RunPhase::Recorded;
    state.notes.prepend(description.origin);
    return description;
}

} // namespace rankdeck
