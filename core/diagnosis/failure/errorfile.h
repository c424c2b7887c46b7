#pragma once

#include "base/result.h"

#include <optional>

namespace rankdeck
{

/// A failure as the rank itself wrote it. Plain text: control characters and invalid bytes are replaced.
struct ErrorFile {
    QString message;       ///< One line, at most 1,000 characters: "RuntimeError: boom".
    QStringList traceback; ///< The last 200 lines at most, oldest first.
    /// Seconds since 1970 when the rank failed, by its own clock.
    std::optional<double> timestamp;

    bool operator==(const ErrorFile &) const = default;
};

/// Reads the error.json at `path`, in the form of torch's @record or the older one, whose message is a
/// string. Nothing if the file is missing, not a regular file, larger than 1 MiB or of another form. torch
/// cuts the time to whole seconds; if the file was written within that second, its own time is used.
/// Source: torch.distributed.elastic.multiprocessing.errors.error_handler.
std::optional<ErrorFile> readErrorFile(const QString &path);

/// Copies the error.json at `from` to `to`, with the exit code as its errorCode, as torch's @record does for
/// a launcher that is itself a rank. Fails if a file cannot be read or written.
/// Source: torch.distributed.elastic.multiprocessing.errors.error_handler, dump_error_file.
std::optional<Error> copyErrorFile(const QString &from, const QString &to, int exitCode);

} // namespace rankdeck
