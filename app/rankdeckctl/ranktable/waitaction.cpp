#include "options.h"
#include "output.h"
#include "ranktable/actions.h"
#include "ranktable/ranktablelocation.h"
#include "ranktable/ranktablereader.h"
#include "ranktable/tableoutput.h"
#include "tablewait.h"

#include <QFileInfo>

namespace rankdeck
{

namespace
{

/// HCCL's own limit.
constexpr int defaultTimeoutSeconds = 1800;

constexpr int timeIsUpCode = 1;

/// Says the status when it changes, and once a minute.
class WaitingNews
{
public:
    explicit WaitingNews(QString path)
        : m_path(std::move(path))
    {
    }
    void operator()(const QString &status, int seconds)
    {
        if (status == m_status && seconds < m_nextSecond)
            return;
        m_status = status;
        m_nextSecond = seconds + 60;
        sayWaiting(m_path, status, seconds);
    }

private:
    QString m_path;
    QString m_status;
    int m_nextSecond = 0;
};

} // namespace

int waitForRankTableAction(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {{}, {QStringLiteral("--timeout")}, {}, 0, 1});
    if (!options)
        return refuse(options.error());
    int timeout = defaultTimeoutSeconds;
    if (options->hasValue("--timeout")) {
        const auto number = parseNumber(options->value("--timeout"), QStringLiteral("--timeout"), 0);
        if (!number)
            return refuse(number.error());
        timeout = *number;
    }
    const QString path =
        rankTablePath(options->positional.value(0), QProcessEnvironment::systemEnvironment());
    if (const auto error = missingFile(path))
        return refuse(*error);
    const auto waited = waitForTable(path, std::chrono::seconds(timeout), WaitingNews(path));
    if (waited.table)
        return 0;
    refuse(waited.table.error());
    if (waited.signal != 0)
        return 128 + waited.signal;
    const auto table = readRankTable(path);
    return table && !table->isCompleted() ? timeIsUpCode : unusableInput;
}

} // namespace rankdeck
