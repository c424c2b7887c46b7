#include "bundle/openbundle.h"

#include "bundle/excerpt.h"
#include "diagnosis/verdict/verdictjson.h"
#include "json.h"
#include "launch/launchbasics.h"
#include "run/rundirectory.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

constexpr qint64 mostOfText = 256 << 20;

QString tr(const char *text)
{
    return QCoreApplication::translate("OpenBundle", text);
}

/// Held by whoever shows what is in a directory; -1: it cannot be had.
int lockOf(const QString &directory, int how)
{
    const int file =
        open(QFile::encodeName(directory).constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (file >= 0 && flock(file, how | LOCK_NB) != 0) {
        close(file);
        return -1;
    }
    return file;
}

/// Those whose owner could not remove them.
void removeForgotten(const QString &bundles)
{
    const QDateTime yesterday = QDateTime::currentDateTimeUtc().addDays(-1);
    const QFileInfoList found =
        QDir(bundles).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    for (const QFileInfo &each : found) {
        if (each.lastModified() > yesterday)
            continue;
        const int lock = lockOf(each.filePath(), LOCK_EX);
        if (lock < 0)
            continue;
        QDir(each.filePath()).removeRecursively();
        close(lock);
    }
}

QByteArray textIn(const QString &directory, const char *name)
{
    const auto read = readExcerpt(directory + QLatin1Char('/') + QLatin1String(name), mostOfText);
    return read ? read->content : QByteArray();
}

/// Its evidence is in the files that were unpacked.
void moveEvidence(Verdict &verdict, const BundleDescription &description, const QString &directory)
{
    for (Verdict::Evidence &each : verdict.evidence) {
        const auto file = std::find_if(description.files.begin(), description.files.end(),
                                       [&](const auto &known) { return known.path == each.file; });
        if (file == description.files.end())
            continue;
        each.file = directory + QLatin1Char('/') + file->name;
        each.line = each.line > 0 ? file->lineOf(each.line) : 0;
    }
}

} // namespace

BundleDirectory::BundleDirectory(QString path)
    : m_path(std::move(path))
    , m_lock(lockOf(m_path, LOCK_SH))
{
}

BundleDirectory::~BundleDirectory()
{
    QDir(m_path).removeRecursively();
    if (m_lock >= 0)
        close(m_lock);
}

Result<std::shared_ptr<BundleDirectory>> BundleDirectory::make(const QString &name)
{
    const auto bundles = makeBundlesDirectory();
    if (!bundles)
        return bundles.error();
    removeForgotten(*bundles);
    QByteArray path =
        QFile::encodeName(QStringLiteral("%1/%2-XXXXXX").arg(*bundles, asFileName(name).left(100)));
    if (!mkdtemp(path.data())) // 0700
        return Error{
            tr("a directory for the bundle cannot be made: %1").arg(errnoWords(errno)), *bundles, {}};
    return std::shared_ptr<BundleDirectory>(new BundleDirectory(QFile::decodeName(path)));
}

bool isBundleName(const QString &path)
{
    return path.endsWith(QLatin1String(".tar.gz"), Qt::CaseInsensitive) ||
           path.endsWith(QLatin1String(".tgz"), Qt::CaseInsensitive);
}

Result<OpenedBundle> openBundle(const QString &path, const std::function<bool()> &isCancelled,
                                const UnpackLimits &limits)
{
    auto directory = BundleDirectory::make(QFileInfo(path).fileName().section(QLatin1Char('.'), 0, 0));
    if (!directory)
        return directory.error();
    const QString &place = (*directory)->path();
    if (const auto error = unpackArchive(path, place, limits, isCancelled))
        return *error;
    auto description = descriptionFrom(textIn(place, "bundle.json"), place);
    if (!description) {
        Error error = description.error();
        error.where = path;
        return error;
    }
    OpenedBundle bundle;
    bundle.directory = *directory;
    bundle.state = description->state;
    bundle.origin = description->origin;
    bundle.report = QString::fromUtf8(textIn(place, "report.txt"));
    if (const auto json = parseJson(textIn(place, "verdict.json"))) {
        bundle.verdict = verdictFrom(*json, *bundle.state.plan);
        if (bundle.verdict)
            moveEvidence(*bundle.verdict, *description, place);
    }
    return bundle;
}

} // namespace rankdeck
