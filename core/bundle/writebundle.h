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
    std::function<void(qint64 doneBytes, qint64 allBytes)> progress; ///< Bytes of the files; may be null.
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

/// "20260102-030405-train-report.tar.gz"
QString suggestedBundleName(const RunState &state);

} // namespace rankdeck
