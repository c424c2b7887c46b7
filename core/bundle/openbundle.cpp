#include "bundle/openbundle.h"

#include "base/filename.h"
#include "bundle/excerpt.h"
#include "run/record/rundirectory.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace rankdeck
{

constexpr qint64 mostOfText = 256 << 20;

/// Locks a directory while it is shown; -1 if it is already locked.
static int lockOf(const QString &directory, int how)
{
    const int file =
        open(QFile::encodeName(directory).constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (file >= 0 && flock(file, how | LOCK_NB) != 0) {
        close(file);
        return -1;
    }
    return file;
}

/// Removes directories that a crashed owner left behind.
static void removeForgotten(const QString &bundles)
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

static QByteArray textIn(const QString &directory, const char *name)
{
    const auto read = readExcerpt(directory + '/'_L1 + QLatin1String(name), mostOfText);
    return read ? read->content : QByteArray();
}

/// Lets the evidence point to the unpacked files.
static void moveEvidence(Verdict &verdict, const BundleDescription &description, const QString &directory)
{
    for (Verdict::Evidence &each : verdict.evidence) {
        const auto file = std::ranges::find(description.files, each.file, &BundleDescription::File::path);
        if (file == description.files.end())
            continue;
        each.file = directory + '/'_L1 + file->name;
        each.line = each.line > 0 ? file->lineOf(each.line) : 0;
    }
}

BundleWatch::BundleWatch(QString path)
    : m_path(std::move(path))
{
}

void BundleWatch::open()
{
    const auto bundle = openBundle(m_path, [this] { return m_isCancelled.load(); });
    if (!bundle) {
        Q_EMIT failed(bundle.error().sentence());
        return;
    }
    m_bundle = *bundle;
    Q_EMIT opened(m_bundle->origin, m_bundle->verdict.value_or(Verdict()));
    Q_EMIT stateChanged(m_bundle->state);
}

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
    QByteArray path = QFile::encodeName(u"%1/%2-XXXXXX"_s.arg(*bundles, asFileName(name).left(100)));
    if (!mkdtemp(path.data())) // 0700
        return Error{tr("cannot create a directory for the bundle: %1").arg(errnoWords(errno)), *bundles, {}};
    return std::shared_ptr<BundleDirectory>(new BundleDirectory(QFile::decodeName(path)));
}

bool isBundleName(const QString &path)
{
    return path.endsWith(".tar.gz"_L1, Qt::CaseInsensitive) || path.endsWith(".tgz"_L1, Qt::CaseInsensitive);
}

Result<OpenedBundle> openBundle(const QString &path, const std::function<bool()> &isCancelled,
                                const UnpackLimits &limits)
{
    auto directory = BundleDirectory::make(QFileInfo(path).fileName().section('.'_L1, 0, 0));
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
    bundle.verdict = verdictFrom(textIn(place, "verdict.json"), *bundle.state.plan);
    if (bundle.verdict) {
        bundle.verdict = inWordsOfUser(*bundle.verdict);
        moveEvidence(*bundle.verdict, *description, place);
    }
    return bundle;
}

} // namespace rankdeck
