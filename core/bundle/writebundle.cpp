#include "bundle/writebundle.h"

#include "base/fields.h"
#include "base/json.h"
#include "base/listcomma.h"
#include "bundle/bundlearchive.h"
#include "bundle/bundlecontent.h"
#include "bundle/bundledescription.h"
#include "bundle/excerpt.h"
#include "bundle/secrets.h"
#include "diagnosis/verdict/verdicttext.h"
#include "launch/plan/recorderfiles.h"
#include "report/reportpage.h"
#include "run/record/growthmarks.h"
#include "run/record/rundirectory.h"

#include <QFileInfo>
#include <QSysInfo>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

constexpr qint64 mostOfJournal = 4 << 20;
constexpr qint64 mostOfMarks = 64 << 10;
constexpr int mostInManifest = 2000;

QByteArray textOf(const Json &json)
{
    return jsonText(json, 1) + '\n';
}

/// A generated file of the bundle.
struct Text {
    QString name;
    QByteArray content;
    bool mayBeLeftOut = false;
};

class BundleWriter
{
public:
    BundleWriter(const RunState &state, const Verdict &verdict, const QString &path,
                 const BundleOptions &options)
        : m_state(state)
        , m_verdict(verdict)
        , m_options(options)
        , m_folder(plainName(state.name))
        , m_archive(path)
    {
        m_options.maxBytes =
            std::clamp(options.maxBytes, BundleOptions::leastBytes, BundleOptions::mostBytes);
    }

    Result<WrittenBundle> write()
    {
        if (const auto error = m_archive.open())
            return *error;
        describe();
        for (const auto step : {&BundleWriter::addTexts, &BundleWriter::addDumps, &BundleWriter::addFiles,
                                &BundleWriter::addMarks, &BundleWriter::addDescription}) {
            if (const auto error = (this->*step)())
                return *error;
        }
        const auto bytes = m_archive.finish();
        if (!bytes)
            return bytes.error();
        return WrittenBundle{*bytes, m_shortened, m_secrets.names()};
    }

private:
    bool isCancelled() const { return m_options.isCancelled && m_options.isCancelled(); }

    std::optional<Error> add(const QString &name, const QByteArray &content)
    {
        if (isCancelled())
            return Error{tr("the bundle was cancelled"), {}, {}};
        return m_archive.add(m_folder + '/'_L1 + name, m_secrets.masked(content), m_now);
    }

    /// Finds the files and learns all secrets before anything is written.
    void describe()
    {
        const bool hasFailed =
            m_verdict.process >= 0 && m_verdict.process < int(m_state.plan->processes.size());
        m_files = bundleFiles(m_state, hasFailed ? m_verdict.process : -1);
        for (const BundleFile &file : m_files)
            m_fileBytes += file.bytes;
        m_secrets.learnEnvironment();
        BundleDescription description;
        description.made = m_now;
        description.host = QSysInfo::machineHostName();
        description.rankdeck = QStringLiteral(RANKDECK_VERSION);
        description.state = m_state;
        m_description = toJson(description);
        m_secrets.mask(m_description.at("plan"));
        if (hasLogsAlone(m_state.phase))
            return;
        const auto text = readExcerpt(m_state.directory + u"/run.json"_s, m_options.maxBytes);
        if (auto record = text ? parseJson(text->content) : std::nullopt) {
            for (const char *part : {"spec", "plan"}) {
                if (record->is_object() && record->contains(part))
                    m_secrets.mask(record->at(part));
            }
            m_record = textOf(*record);
        }
    }

    /// Returns how the logs are read for the curves: before their files, which are read next.
    LongReading curveReading()
    {
        return {m_options.isCancelled, [this](qint64 done, qint64 all) {
                    m_curveBytes = all;
                    tell(done);
                }};
    }

    void tell(qint64 done) const
    {
        if (m_options.progress)
            m_options.progress(done, m_curveBytes + m_fileBytes);
    }

    std::optional<Error> addTexts()
    {
        std::vector<Text> texts{{u"report.txt"_s, verdictText(m_verdict, m_state).toUtf8()},
                                {u"verdict.json"_s, jsonTextOf(m_verdict, 1) + '\n'},
                                {u"versions.txt"_s, versionsText(m_state)},
                                {u"npu-smi.txt"_s, npuSmiText(m_options.npuSmiLimit, m_options.isCancelled)}};
        if (const auto plan = launchPlanFromJson(m_description.at("plan"))) {
            const RunCurves curves = readRunCurves(m_state, m_verdict, curveReading());
            texts.push_back({u"report.html"_s, reportPage(m_state, *plan, m_verdict, curves), true});
            texts.push_back({u"environment.txt"_s, environmentText(*plan), true});
        }
        if (!m_record.isEmpty())
            texts.push_back({u"run.json"_s, m_record, true});
        if (const auto journal = readExcerpt(journalPath(m_state.directory), mostOfJournal);
            journal && !hasLogsAlone(m_state.phase))
            texts.push_back({u"journal.jsonl"_s, journal->content, true});
        m_room = m_options.maxBytes - textOf(m_description).size();
        for (const Text &text : texts) {
            if (text.mayBeLeftOut && text.content.size() > m_room / 2) {
                m_leftOut << tr("%1: all of it, to keep the size limit").arg(text.name);
                continue;
            }
            m_room -= text.content.size();
            if (const auto error = add(text.name, text.content))
                return error;
        }
        return std::nullopt;
    }

    /// The dumps of flight recorders: short, and as text, so that secrets are masked in them too.
    std::optional<Error> addDumps()
    {
        if (hasLogsAlone(m_state.phase) || !m_state.recordedPlan)
            return std::nullopt;
        const QString folder =
            writtenRecorderFolder(m_state.directory, *m_state.recordedPlan, m_state.attempt);
        const auto read = readRecorderDumps(folder);
        qint64 room = m_room / 4;
        for (const RecorderDump &dump : read ? read->dumps : std::vector<RecorderDump>()) {
            const QString name = u"flight-recorder/rank_%1"_s.arg(dump.rank);
            const QByteArray content = recorderDumpJson(dump);
            room -= content.size();
            m_room -= content.size();
            if (room < 0) {
                m_leftOut << tr("%1: all of it, to keep the size limit").arg(name);
                continue;
            }
            if (const auto error = add(name, content))
                return error;
        }
        return std::nullopt;
    }

    std::optional<Error> addFiles()
    {
        constexpr qint64 describedBytes = 600; // In bundle.json and MANIFEST.txt, and the line between.
        m_roomForMarks = std::min<qint64>(2 << 20, m_options.maxBytes / 16);
        divideRoom(m_files, m_room - m_roomForMarks - describedBytes * qint64(m_files.size()));
        qint64 done = m_curveBytes;
        for (const BundleFile &file : m_files) {
            if (const auto error = addFile(file))
                return error;
            done += file.bytes;
            tell(done);
        }
        return std::nullopt;
    }

    std::optional<Error> addFile(const BundleFile &file)
    {
        auto excerpt = readExcerpt(file.path, file.most, m_options.isCancelled);
        if (!excerpt) {
            m_leftOut << tr("%1: cannot be read: %2").arg(file.path, excerpt.error().what);
            return std::nullopt;
        }
        if (const auto error = add(file.name, excerpt->content))
            return error;
        excerpt->content.clear();
        m_excerpts.insert(file.path, *excerpt);
        const qint64 leftOut = excerpt->leftOutBytes();
        m_description["files"].push_back(toJson(BundleDescription::File{
            file.path, file.name, excerpt->fileBytes, leftOut, excerpt->headLines, excerpt->leftOutLines}));
        if (leftOut > 0) {
            ++m_shortened;
            m_leftOut << tr("%1: %2 of its %3 bytes, from byte %4 on")
                             .arg(file.name)
                             .arg(leftOut)
                             .arg(excerpt->fileBytes)
                             .arg(excerpt->headBytes);
        }
        return std::nullopt;
    }

    /// Adds the growth marks of the logs, with offsets as in their excerpts.
    std::optional<Error> addMarks()
    {
        if (hasLogsAlone(m_state.phase) || !m_state.recordedPlan)
            return std::nullopt;
        const QString folder = growthFolder(m_state.directory, *m_state.recordedPlan, m_state.attempt);
        for (std::size_t index = 0; index < m_state.plan->processes.size(); ++index) {
            const ProcessPlan &process = m_state.plan->processes[index];
            for (const bool isError : {false, true}) {
                const QString &log = isError ? process.stderrFile : process.logFile;
                const QString marks = marksFile(folder, int(index), isError);
                auto grown = m_excerpts.contains(log) ? growthMarks(marks) : std::nullopt;
                if (!grown || grown->empty())
                    continue;
                for (GrowthMark &mark : *grown)
                    mark.size = m_excerpts[log].placeOf(mark.size);
                const QByteArray bytes = growthBytes(*grown);
                if (bytes.size() > std::min(mostOfMarks, m_roomForMarks)) {
                    m_leftOut << tr("when %1 grew, to keep the size limit").arg(QFileInfo(log).fileName());
                    continue;
                }
                m_roomForMarks -= bytes.size();
                if (const auto error = add(u"growth/"_s + QFileInfo(marks).fileName(), bytes))
                    return error;
            }
        }
        return std::nullopt;
    }

    std::optional<Error> addDescription()
    {
        if (const auto error = add(u"bundle.json"_s, textOf(m_description)))
            return error;
        return add(u"MANIFEST.txt"_s, manifest());
    }

    QByteArray manifest() const
    {
        QStringList lines{
            tr("Report bundle of %1").arg(m_state.name),
            tr("Made by Rankdeck %1 on %2 at %3")
                .arg(QStringLiteral(RANKDECK_VERSION), QSysInfo::machineHostName(),
                     m_now.toString(Qt::ISODate)),
            tr("To read it: rankdeck --open FILE, or rankdeckctl report FILE. report.txt says what "
               "happened."),
            QString(),
            tr("Masked, here and wherever the values appear in the files (as %1):")
                .arg(QLatin1String(secretMask))};
        for (const QString &name : m_secrets.names())
            lines << u"  "_s + name;
        lines << tr("  who logs in, in addresses, e.g. https://user:password@host")
              << tr("Secrets are recognised by name; values under other names are not masked. Check the "
                    "bundle before you share it.")
              << QString() << tr("Omitted:");
        for (const QString &each : m_leftOut.mid(0, mostInManifest))
            lines << u"  "_s + each;
        if (m_leftOut.size() > mostInManifest)
            lines << tr("  and others: %1 in all").arg(m_leftOut.size());
        if (m_leftOut.isEmpty())
            lines << tr("  nothing");
        if (m_state.attempt > 0)
            lines << tr("  the logs of earlier attempts: this is attempt %1").arg(m_state.attempt);
        return lines.join('\n'_L1).toUtf8() + '\n';
    }

    const RunState &m_state;
    const Verdict &m_verdict;
    BundleOptions m_options;
    QString m_folder; ///< In the archive.
    ArchiveWriting m_archive;
    const QDateTime m_now = QDateTime::currentDateTimeUtc();
    Secrets m_secrets;
    Json m_description;
    QByteArray m_record; ///< run.json
    std::vector<BundleFile> m_files;
    qint64 m_fileBytes = 0;
    qint64 m_curveBytes = 0; ///< Bytes that are read for the curves.
    qint64 m_room = 0;
    qint64 m_roomForMarks = 0;
    QHash<QString, Excerpt> m_excerpts; ///< By path, without their content.
    QStringList m_leftOut;
    int m_shortened = 0;
};

} // namespace

Result<WrittenBundle> writeBundle(const RunState &state, const Verdict &verdict, const QString &path,
                                  const BundleOptions &options)
{
    return BundleWriter(state, verdict, path, options).write();
}

QString WrittenBundle::maskedWords() const
{
    constexpr int mostNames = 8;
    if (maskedNames.isEmpty())
        return tr("Nothing was masked: no name indicates a secret.");
    QStringList names = maskedNames.mid(0, mostNames);
    if (maskedNames.size() > mostNames)
        names << tr("%1 more").arg(maskedNames.size() - mostNames);
    return tr("Values of %1 were masked.").arg(names.join(nameComma()));
}

QString WrittenBundle::summary(const QString &path) const
{
    const QString masked = maskedWords();
    if (kind == ReportFile::Page)
        return tr("%1: %2 bytes. %3 Look at it before you share it.").arg(path).arg(bytes).arg(masked);
    const QString shortened = shortenedFiles == 0 ? tr("All files are complete.")
                                                  : tr("The middle of %n files was omitted.",
                                                       "The middle of %n file was omitted.", shortenedFiles);
    const QString next = kind == ReportFile::AscendFd
                             ? tr("Unpack it, then run ascend-fd parse -i on each node's folder.")
                             : tr("Check its MANIFEST.txt before you share it.");
    return tr("%1: %2 bytes. %3 %4 %5").arg(path).arg(bytes).arg(shortened, masked, next);
}

QString suggestedBundleName(const RunState &state)
{
    return plainName(state.name) + u"-report.tar.gz"_s;
}

} // namespace rankdeck
