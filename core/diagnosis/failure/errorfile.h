#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace rankdeck
{

/// What a rank wrote of its own failure. All text is plain: control characters and invalid bytes replaced.
struct ErrorFile {
    QString message;       ///< One line, at most 1,000 characters: "RuntimeError: boom".
    QStringList traceback; ///< The last 200 lines at most, oldest first.
    /// Seconds since 1970 when the rank failed, by its own clock.
    std::optional<double> timestamp;

    bool operator==(const ErrorFile &) const = default;
};

/// Read the error.json at `path`, in the form that torch's @record writes or in the older one, whose message
/// is a string. Nothing when it is not there, is no regular file, is larger than 1 MiB or is of another form.
/// torch cuts the time to whole seconds; where the file was written within that second, its own time is
/// finer and is taken.
/// Source: torch.distributed.elastic.multiprocessing.errors.error_handler.
std::optional<ErrorFile> readErrorFile(const QString &path);

} // namespace rankdeck
