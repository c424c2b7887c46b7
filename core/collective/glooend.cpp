#include "collective/gloogroup.h"

#include <QCoreApplication>
#include <QMutex>

#include <gloo/common/logging.h>

#include <csignal>
#include <cstdlib>
#include <exception>

#include <unistd.h>

namespace rankdeck
{

namespace
{

std::terminate_handler before = nullptr;

QMutex mutex;
QStringList operations; ///< Under way, the newest last.

QString current()
{
    const QMutexLocker lock(&mutex);
    return operations.isEmpty() ? QString() : operations.constLast();
}

/// Gloo's, of a message that does not fit the buffer it is for. It is thrown in the thread that receives,
/// where nobody can catch it.
bool isAboutSizes(const std::string &what)
{
    return what.find("size") != std::string::npos || what.find("nbytes") != std::string::npos ||
           what.find("length") != std::string::npos;
}

[[noreturn]] void endWithSentence()
{
    try {
        if (const auto error = std::current_exception())
            std::rethrow_exception(error);
    } catch (const gloo::EnforceNotMet &error) {
        const QString doing = current();
        QString sentence = doing.isEmpty() ? QCoreApplication::translate("GlooEnd", "Gloo gave up: %1")
                                                 .arg(QString::fromLatin1(error.what()))
                                           : QCoreApplication::translate("GlooEnd", "Gloo gave up in %1: %2")
                                                 .arg(doing, QString::fromLatin1(error.what()));
        if (isAboutSizes(error.what()))
            sentence =
                QCoreApplication::translate("GlooEnd", "the ranks do not agree on the size of a collective "
                                                       "operation's data; here it was %1")
                    .arg(doing.isEmpty() ? QCoreApplication::translate("GlooEnd", "none") : doing);
        const QByteArray line = "rankdeck: " + sentence.simplified().toUtf8() + '\n';
        if (write(STDERR_FILENO, line.constData(), static_cast<std::size_t>(line.size())) < 0)
            std::abort();
        std::abort();
    } catch (...) { // NOLINT(bugprone-empty-catch): whoever was asked before says it.
    }
    if (before)
        before();
    std::abort();
}

} // namespace

GlooOperation::GlooOperation(QString doing)
    : m_doing(std::move(doing))
{
    const QMutexLocker lock(&mutex);
    operations << m_doing;
}

GlooOperation::~GlooOperation()
{
    const QMutexLocker lock(&mutex);
    operations.removeOne(m_doing);
}

void explainGloosEnd()
{
    static const bool once = [] {
        before = std::set_terminate(endWithSentence);
        // Gloo writes to connections that may be closed, and tells of it by an exception, if it can.
        struct sigaction usual {
        };
        if (sigaction(SIGPIPE, nullptr, &usual) == 0 && usual.sa_handler == SIG_DFL)
            std::signal(SIGPIPE, SIG_IGN);
        return true;
    }();
    Q_UNUSED(once)
}

} // namespace rankdeck
