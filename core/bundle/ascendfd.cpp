#include "base/fields.h"
#include "base/json.h"
#include "bundle/bundlearchive.h"
#include "bundle/bundlecontent.h"
#include "bundle/excerpt.h"
#include "bundle/secrets.h"
#include "bundle/writebundle.h"
#include "diagnosis/evidence/cannfiles.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

static QString folderOfNode(const QString &node)
{
    return node.isEmpty() ? u"node"_s : plainName(node);
}

static void addIfWritten(std::vector<BundleFile> &files, const QString &path, const QString &name)
{
    const QFileInfo info(path);
    if (!path.isEmpty() && info.isFile() && info.size() > 0)
        files.push_back({path, name, info.size(), 0, false});
}

static void addConsoles(std::vector<BundleFile> &files, const LaunchPlan &plan)
{
    for (const ProcessPlan &process : plan.processes) {
        if (process.role != Role::Worker || process.rank.value < 0)
            continue;
        const QString name = u"%1/rank-%2.log"_s.arg(folderOfNode(process.node)).arg(process.rank.value);
        addIfWritten(files, process.logFile, name);
        addIfWritten(files, process.stderrFile, name);
    }
}

/// The plog, and what CANN wrote beside it for the devices of the same process.
static void addProcessLogs(std::vector<BundleFile> &files, const Plog &plog, const QString &folder)
{
    static const QRegularExpression kind(u"/(debug|run)/plog$"_s);
    const QDir own = QFileInfo(plog.path).dir();
    const auto match = kind.match(own.path());
    const QString place =
        u"%1/process_log/%2/"_s.arg(folder, match.hasMatch() ? match.captured(1) : u"debug"_s);
    addIfWritten(files, plog.path, place + u"plog/"_s + QFileInfo(plog.path).fileName());
    if (!match.hasMatch())
        return;
    const QDir above(QFileInfo(own.path()).path());
    const QFileInfoList devices =
        above.entryInfoList({u"device-*"_s}, QDir::Dirs | QDir::NoSymLinks, QDir::Name);
    for (const QFileInfo &device : devices) {
        const QFileInfoList logs = QDir(device.filePath())
                                       .entryInfoList({u"device-%1_*.log"_s.arg(plog.pid)},
                                                      QDir::Files | QDir::NoSymLinks, QDir::Name);
        for (const QFileInfo &log : logs)
            addIfWritten(files, log.filePath(),
                         place + plainName(device.fileName()) + '/'_L1 + plainName(log.fileName()));
    }
}

static std::vector<BundleFile> filesForAscendFd(const RunState &state)
{
    constexpr std::size_t mostFiles = 20'000;
    std::vector<BundleFile> files;
    addConsoles(files, *state.plan);
    QHash<qint64, QString> nodes;
    for (std::size_t index = 0; index < state.ranks.size(); ++index)
        nodes.insert(state.ranks[index].pid, state.plan->processes[index].node);
    for (const Plog &plog : plogsOf(state)) {
        if (files.size() < mostFiles)
            addProcessLogs(files, plog, folderOfNode(nodes.value(plog.pid)));
    }
    // Files of one name are one file in the archive: they follow each other.
    std::ranges::stable_sort(files, {}, &BundleFile::name);
    return files;
}

Result<WrittenBundle> writeForAscendFd(const RunState &state, const QString &path,
                                       const BundleOptions &options)
{
    std::vector<BundleFile> files = filesForAscendFd(state);
    if (std::ranges::none_of(files, [](const BundleFile &file) { return file.name.contains(u"/rank-"); }))
        return Error{tr("no rank has written a log"), path, {}};
    divideRoom(files, std::clamp(options.maxBytes, BundleOptions::leastBytes, BundleOptions::mostBytes));
    Secrets secrets;
    secrets.learnEnvironment();
    nlohmann::json plan = toJson(*state.plan);
    secrets.mask(plan);
    ArchiveWriting archive(path);
    if (const auto error = archive.open())
        return *error;
    const QString folder = plainName(state.name) + '/'_L1;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    WrittenBundle written;
    written.kind = ReportFile::AscendFd;
    QByteArray content;
    for (std::size_t index = 0; index < files.size(); ++index) {
        const BundleFile &file = files[index];
        const auto excerpt = readExcerpt(file.path, file.most, options.isCancelled);
        if (options.isCancelled && options.isCancelled())
            return Error{tr("the bundle was cancelled"), {}, {}};
        if (excerpt) {
            content += excerpt->content;
            written.shortenedFiles += excerpt->leftOutBytes() > 0 ? 1 : 0;
        }
        if (index + 1 < files.size() && files[index + 1].name == file.name)
            continue;
        if (const auto error = archive.add(folder + file.name, secrets.masked(content), now))
            return *error;
        content.clear();
    }
    const auto bytes = archive.finish();
    if (!bytes)
        return bytes.error();
    written.bytes = *bytes;
    written.maskedNames = secrets.names();
    return written;
}

} // namespace rankdeck
