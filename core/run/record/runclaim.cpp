#include "run/record/runclaim.h"

#include "base/fields.h"
#include "base/regularfile.h"

#include <QTemporaryFile>

#include <unistd.h>

namespace rankdeck
{

static QString claimPath(const QString &directory)
{
    return directory + u"/claim.json"_s;
}

void visitFields(Fields &fields, RunClaim &claim)
{
    fields.optional("supervisor", claim.supervisor);
}

bool claimRun(const QString &directory, const RunClaim &claim)
{
    // Written aside and linked, so that nobody finds it empty; a link is made once, on network file systems
    // too.
    QTemporaryFile file(directory + u"/.claim.XXXXXX"_s);
    const QByteArray text = jsonTextOf(claim) + '\n';
    return file.open() && file.write(text) == text.size() && file.flush() &&
           link(QFile::encodeName(file.fileName()).constData(),
                QFile::encodeName(claimPath(directory)).constData()) == 0;
}

std::optional<RunClaim> claimOf(const QString &directory)
{
    RegularFile file(claimPath(directory));
    return file.open(QIODevice::ReadOnly) ? fromJsonText<RunClaim>(file.readAll()) : std::nullopt;
}

} // namespace rankdeck
