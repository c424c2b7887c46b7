#pragma once

#include "run/record/runstate.h"

namespace rankdeck
{

class Fields;

/// Version of the bundle format; a reader refuses a newer one.
inline constexpr int bundleFormat = 1;

/// bundle.json: the facts needed to show a bundle as its run.
struct BundleDescription {
    /// A file of the run, and the part of it in the bundle.
    struct File {
        QString path; ///< Where it was.
        QString name; ///< In the bundle.
        qint64 bytes = 0;
        qint64 leftOutBytes = 0;
        qint64 headLines = 0; ///< Lines before the part that was left out.
        qint64 leftOutLines = 0;

        bool isIn(const QString &folder) const { return name.startsWith(folder + '/'_L1); }
        /// Returns where a line of the file stands in the excerpt; both from 1.
        qint64 lineOf(qint64 line) const;
    };

    int format = bundleFormat;
    QDateTime made;   ///< UTC.
    QString host;     ///< Where it was made.
    QString rankdeck; ///< Version of the maker.
    QString origin;   ///< A sentence on where and when it was made; only of one that was read.
    RunState state;   ///< Paths as they were.
    std::vector<File> files;
};

void visitFields(Fields &fields, BundleDescription::File &file);
/// Secrets are not masked, see Secrets.
void visitFields(Fields &fields, BundleDescription &description);

/// Reads a bundle.json that was unpacked in `directory`. Every path that is read when a run is shown then
/// lies there; nothing can be started, stopped or fetched with it. The phase is Recorded. Fails if the text
/// is not a bundle.json, or one of a newer version.
Result<BundleDescription> descriptionFrom(const QByteArray &text, const QString &directory);

} // namespace rankdeck
