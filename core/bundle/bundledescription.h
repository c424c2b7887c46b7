#pragma once

#include "result.h"
#include "run/runstate.h"

#include <QDateTime>
#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace rankdeck
{

/// The format of a bundle; a reader refuses what is newer.
inline constexpr int bundleFormat = 1;

/// bundle.json: what is needed to show a bundle as the run that it is of.
struct BundleDescription {
    /// A file of the run, and what of it is in the bundle.
    struct File {
        QString path; ///< Where it was.
        QString name; ///< In the bundle.
        qint64 bytes = 0;
        qint64 leftOutBytes = 0;
        qint64 headLines = 0; ///< Before what was left out.
        qint64 leftOutLines = 0;

        bool isIn(const QString &folder) const { return name.startsWith(folder + QLatin1Char('/')); }
        /// The line, from 1, that a line of the file is now.
        qint64 lineOf(qint64 line) const;
    };

    QDateTime made;   ///< UTC.
    QString host;     ///< Where it was made.
    QString rankdeck; ///< Version of the maker.
    QString origin;   ///< A sentence on where and when it was made; only of one that was read.
    RunState state;   ///< Paths as they were.
    std::vector<File> files;
};

/// Secrets and all: see Secrets.
nlohmann::json toJson(const BundleDescription &description);

/// What stands in a bundle.json, made fit to be shown: `directory` is where the bundle was unpacked, and
/// every path that is read when a run is shown lies there; nothing can be started, stopped or fetched by it.
/// Its phase is Recorded. Error: it is no bundle.json, or one of a newer version.
Result<BundleDescription> descriptionFrom(const QByteArray &text, const QString &directory);

} // namespace rankdeck
