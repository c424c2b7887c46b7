#include "base/regularfile.h"

#include "base/result.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

bool RegularFile::open(OpenMode mode)
{
    const int descriptor =
        ::open(encodeName(fileName()).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat its = {};
    if (descriptor < 0 || fstat(descriptor, &its) != 0) {
        setErrorString(errnoWords(errno));
    } else if (!S_ISREG(its.st_mode)) {
        setErrorString(rankdeck::tr("is not a file"));
    } else {
        return QFile::open(descriptor, mode, AutoCloseHandle);
    }
    if (descriptor >= 0)
        ::close(descriptor);
    return false;
}

} // namespace rankdeck
