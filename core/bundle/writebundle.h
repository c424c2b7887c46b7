#pragma once

#include "diagnosis/verdict/verdict.h"

#include <chrono>

namespace rankdeck
{

struct RunState;

struct BundleOptions {
    static constexpr qint64 leastBytes = 1'000'000;
    static constexpr qint64 mostBytes = 1'000'000'000;

    /// All that is in it together, before it is compressed; leastBytes .. mostBytes.
    qint64 maxBytes = 50'000'000;
    std::chrono::milliseconds npuSmiLimit = std::chrono::seconds(10);
    std::function<bool()> isCancelled;                               ///< Asked now and then; may be null.
    std::function<void(qint64 doneBytes, qint64 allBytes)> progress; ///< Bytes that are read; may be null.
};

/// The kinds of files that a run is handed on as.
enum class ReportFile {
    Bundle,   ///< See writeBundle().
    AscendFd, ///< See writeForAscendFd().
    Page,     ///< See writeReportPage().
};

struct WrittenBundle {
    qint64 bytes = 0;        ///< The file.
    int shortenedFiles = 0;  ///< Number of files without their middle.
    QStringList maskedNames; ///< Names whose values were masked.
    ReportFile kind = ReportFile::Bundle;

    /// Returns sentences for the reader: the file's path, and the masked and left out parts.
    QString summary(const QString &path) const;

private:
    QString maskedWords() const;
};

/// Writes everything that a colleague needs to understand a run or a log directory into one .tar.gz, readable
/// by its owner alone: report.txt, report.html, verdict.json, run.json, journal.jsonl, environment.txt,
/// logs/, plogs/, stacks/, growth/, versions.txt, npu-smi.txt, bundle.json for openBundle(), and MANIFEST.txt
/// with the masked and left out parts; all in a folder named after the run. Masks secrets, see Secrets.
/// Blocks. Fails, leaving no file, if it cannot be written or was cancelled.
Result<WrittenBundle> writeBundle(const RunState &state, const Verdict &verdict, const QString &path,
                                  const BundleOptions &options = {});

/// Writes the logs of a run or a log directory into one .tar.gz as MindCluster's ascend-fd takes them, with
/// secrets masked: a folder for each node, and in it rank-<N>.log with what the rank printed (its standard
/// error, where that is a file of its own, follows), process_log/{debug,run}/plog/ with its plogs, and
/// process_log/{debug,run}/device-<N>/ with those of its devices. Plogs are those on this machine. Blocks.
/// Fails, leaving no file, if it cannot be written, was cancelled, or there is no log of a rank.
/// Source: MindCluster 7.3, Ascend FaultDiag, log collection directory structure.
Result<WrittenBundle> writeForAscendFd(const RunState &state, const QString &path,
                                       const BundleOptions &options = {});

/// A page with its secrets masked.
struct MaskedPage {
    QByteArray page;
    QStringList maskedNames; ///< Names whose values were masked.
};

/// Returns the report of reportPage(), masked as bundles are, see Secrets. Blocks.
MaskedPage maskedReportPage(const RunState &state, const Verdict &verdict, const BundleOptions &options = {});

/// Writes it to a file, whole or not at all. Blocks. Fails if it cannot be written or was cancelled.
Result<WrittenBundle> writeReportPage(const RunState &state, const Verdict &verdict, const QString &path,
                                      const BundleOptions &options = {});

/// Writes a run as a file of this kind; see ReportFile.
Result<WrittenBundle> writeReportFile(ReportFile kind, const RunState &state, const Verdict &verdict,
                                      const QString &path, const BundleOptions &options = {});

/// "20260102-030405-train-report.tar.gz"
QString suggestedBundleName(const RunState &state);

} // namespace rankdeck
