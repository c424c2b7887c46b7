#include "bundle/bundlefiles.h"

#include "diagnosis/verdict/plogs.h"
#include "launch/writtenfiles.h"
#include "run/samples/samplefiles.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qint64 mostOfFile = 1 << 20;
constexpr int mostPlogs = 512;
constexpr int mostStacks = 4096;

class Collection
{
public:
    void add(const QString &path, const QString &folder, const QString &label, bool isOfFirstFailure)
    {
        const QFileInfo info(path);
        if (path.isEmpty() || !info.isFile() || m_paths.contains(path))
            return;
        m_paths.insert(path);
        files.push_back(
            {path, freeName(folder, plainName(info.fileName()), label), info.size(), 0, isOfFirstFailure});
    }

    std::vector<BundleFile> files;

private:
    /// torchrun gives files of all ranks one name.
    QString freeName(const QString &folder, const QString &file, const QString &label)
    {
        QString name = folder + QLatin1Char('/') + file;
        if (m_names.contains(name))
            name = folder + QLatin1Char('/') + plainName(label) + QLatin1Char('-') + file;
        const QString base = name;
        for (int number = 2; m_names.contains(name); ++number)
            name = QStringLiteral("%1.%2").arg(base).arg(number);
        m_names.insert(name);
        return name;
    }

    QSet<QString> m_paths;
    QSet<QString> m_names;
};

void addPlogs(Collection &all, const RunState &state, int failed)
{
    QSet<qint64> pids;
    for (const RankState &rank : state.ranks) {
        if (rank.pid > 0)
            pids.insert(rank.pid);
    }
    const qint64 failedPid = failed >= 0 ? state.ranks[static_cast<std::size_t>(failed)].pid : 0;
    int left = mostPlogs;
    for (const QString &directory : plogDirectories(state)) {
        for (const Plog &plog : findPlogs(directory)) {
            // A pid may have been another process's before the run.
            const bool isOurs = hasLogsAlone(state.phase) ||
                                (pids.contains(plog.pid) &&
                                 (!state.created.isValid() ||
                                  QFileInfo(plog.path).lastModified() >= state.created.addSecs(-1)));
            if (!isOurs || left-- <= 0)
                continue;
            all.add(plog.path, QStringLiteral("plogs"), QString::number(plog.pid),
                    failedPid > 0 && plog.pid == failedPid);
        }
    }
}

} // namespace

QString plainName(const QString &name)
{
    QString plain = name.right(120);
    for (QChar &letter : plain) {
        const char latin = letter.toLatin1();
        if (!(letter.unicode() < 0x80 &&
              (letter.isLetterOrNumber() || latin == '.' || latin == '_' || latin == '-')))
            letter = QLatin1Char('_');
    }
    if (plain.startsWith(QLatin1Char('.')))
        plain.prepend(QLatin1Char('_'));
    return plain.isEmpty() ? QStringLiteral("_") : plain;
}

std::vector<BundleFile> bundleFiles(const RunState &state, int failed)
{
    Collection all;
    const auto logs = QStringLiteral("logs");
    const auto &processes = state.plan->processes;
    for (std::size_t index = 0; index < processes.size(); ++index) {
        for (const QString &path : writtenFiles(processes[index]))
            all.add(path, logs, processes[index].label(), static_cast<int>(index) == failed);
    }
    for (const auto *hooks : {&state.plan->before, &state.plan->after}) {
        for (const ProcessPlan &hook : *hooks)
            all.add(hook.logFile, logs, hook.label(), false);
    }
    addPlogs(all, state, failed);
    const QDir stacks(state.directory + QStringLiteral("/stacks"));
    const QFileInfoList dumps = stacks.entryInfoList(QDir::Files | QDir::NoSymLinks, QDir::Name);
    for (const QFileInfo &dump : dumps.mid(0, mostStacks))
        all.add(dump.filePath(), QStringLiteral("stacks"), QStringLiteral("stack"), false);
    for (qsizetype node = 0; node < sampledNodes(*state.plan).size(); ++node) {
        for (const QString &path :
             {deviceHistoryPath(state.directory, node), loadHistoryPath(state.directory, node)})
            all.add(path, QStringLiteral("samples"), QStringLiteral("samples"), false);
    }
    return std::move(all.files);
}

void divideRoom(std::vector<BundleFile> &files, qint64 room)
{
    qint64 left = std::max<qint64>(room, 0);
    qint64 half = left / 2;
    for (BundleFile &file : files) {
        if (!file.isOfFirstFailure)
            continue;
        file.most = std::min({file.bytes, mostOfFile, half});
        half -= file.most;
        left -= file.most;
    }
    // The small ones first: what they do not take is the others'.
    std::vector<BundleFile *> others;
    for (BundleFile &file : files) {
        if (!file.isOfFirstFailure)
            others.push_back(&file);
    }
    std::sort(others.begin(), others.end(),
              [](const BundleFile *one, const BundleFile *other) { return one->bytes < other->bytes; });
    for (std::size_t index = 0; index < others.size(); ++index) {
        const qint64 share = left / static_cast<qint64>(others.size() - index);
        others[index]->most = std::min({others[index]->bytes, mostOfFile, share});
        left -= others[index]->most;
    }
}

} // namespace rankdeck
