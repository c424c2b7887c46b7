#pragma once

#include "bundle/writebundle.h"

namespace rankdeck
{

/// A page with its secrets masked.
struct MaskedPage {
    QByteArray page;
    QStringList maskedNames; ///< Names whose values were masked.
};

/// Returns the report of reportPage(), masked as bundles are, see Secrets. Blocks.
MaskedPage maskedReportPage(const RunState &state, const Verdict &verdict,
                            const std::function<bool()> &isCancelled = {});

/// Writes it to a file, whole or not at all. Blocks. Fails if it cannot be written or was cancelled.
Result<WrittenBundle> writeReportPage(const RunState &state, const Verdict &verdict, const QString &path,
                                      const BundleOptions &options = {});

/// Writes a run as a file of this kind; see ReportFile.
Result<WrittenBundle> writeReportFile(ReportFile kind, const RunState &state, const Verdict &verdict,
                                      const QString &path, const BundleOptions &options = {});

} // namespace rankdeck
