#include "launch/exchange/torchrunvariables.h"

#include "base/listcomma.h"

#include <array>

namespace rankdeck
{

constexpr std::array valueOptions{"--nnodes",
                                  "--nproc-per-node",
                                  "--rdzv-backend",
                                  "--rdzv-endpoint",
                                  "--rdzv-id",
                                  "--rdzv-conf",
                                  "--max-restarts",
                                  "--monitor-interval",
                                  "--start-method",
                                  "--event-log-handler",
                                  "--role",
                                  "--log-dir",
                                  "--redirects",
                                  "--tee",
                                  "--local-ranks-filter",
                                  "--node-rank",
                                  "--master-addr",
                                  "--master-port",
                                  "--local-addr",
                                  "--logs-specs",
                                  "--numa-binding",
                                  "--signals-to-handle",
                                  "--duplicate-stdout-filters",
                                  "--duplicate-stderr-filters"};
constexpr std::array switchOptions{"--standalone", "--module", "--no-python", "--run-path",
                                   "--virtual-local-rank"};

static QString variableOf(const char *option)
{
    return QStringLiteral("PET_") +
           QString::fromLatin1(option).mid(2).replace(QLatin1Char('-'), QLatin1Char('_')).toUpper();
}

void TorchrunVariables::drop(const QString &word)
{
    const auto at = words.indexOf(word);
    if (at < 0)
        return;
    words.removeAt(at);
    names.removeAt(at);
}

QString TorchrunVariables::note() const
{
    return names.isEmpty() ? QString()
                           : tr("Taken from variables, as torchrun does: %1.").arg(names.join(nameComma()));
}

TorchrunVariables torchrunVariables(const QProcessEnvironment &environment)
{
    TorchrunVariables found;
    for (const char *option : valueOptions) {
        const QString name = variableOf(option);
        const QString value = environment.value(name);
        if (value.isEmpty())
            continue;
        found.words << QLatin1String(option) + QLatin1Char('=') + value;
        found.names << name;
    }
    for (const char *option : switchOptions) {
        const QString name = variableOf(option);
        if (environment.value(name).toInt() == 0)
            continue;
        found.words << QLatin1String(option);
        found.names << name;
    }
    return found;
}

} // namespace rankdeck
