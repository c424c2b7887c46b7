#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace rankdeck
{

/// The error at the end of a rank's log, as far as one can be told from text alone. All text is plain:
/// control characters and invalid bytes replaced.
struct LoggedError {
    QString message;       ///< One line: "RuntimeError: boom (EI0006: Getting socket times out.)".
    QStringList traceback; ///< Of Python, oldest line first; empty when there is none.
    /// When the rank logged its first error, in seconds since 1970; logs are dated in local time, which is
    /// taken to be this machine's. Nothing when no line there is dated.
    std::optional<double> time;

    bool operator==(const LoggedError &) const = default;
};

/// Look for an error in the last 200 lines of a log, at most 64 KiB: the last traceback of Python, or the
/// first line with an error code of CANN or torch_npu, a critical error of MindSpore's or a crash told by
/// Python. Lines marked [ERROR] alone are none, as programs go on after them, but they date it. Nothing when
/// there is none.
/// Source: the log formats of MindSpore (GLOG), CANN (plog, E-codes) and torch_npu (ERR-codes).
std::optional<LoggedError> readLoggedError(const QString &path);

} // namespace rankdeck
