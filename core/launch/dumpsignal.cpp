#include "launch/dumpsignal.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <utility>

#include <csignal>

namespace rankdeck
{

namespace
{

/// What a program may be free to write its stacks at. Others end it, whatever it does, or are the terminal's.
constexpr std::array signalNames{
    std::pair("HUP", SIGHUP),
    std::pair("QUIT", SIGQUIT),
    std::pair("USR1", SIGUSR1),
    std::pair("USR2", SIGUSR2),
};

} // namespace

int dumpSignalNumber(const QString &text)
{
    QString name = text.toUpper();
    if (name.startsWith(QLatin1String("SIG")))
        name.remove(0, 3);
    const auto known = std::find_if(signalNames.begin(), signalNames.end(),
                                    [&](const auto &entry) { return name == QLatin1String(entry.first); });
    return known == signalNames.end() ? 0 : known->second;
}

std::optional<Error> dumpSignalError(const QString &text)
{
    if (text.isEmpty() || dumpSignalNumber(text) != 0)
        return {};
    return Error{QCoreApplication::translate("dumpSignal", "\"%1\" is no signal for stacks").arg(text),
                 QStringLiteral("--dump-signal"),
                 QCoreApplication::translate("dumpSignal", "Give USR1, USR2, HUP or QUIT: the one that the "
                                                           "program gave to faulthandler.register().")};
}

} // namespace rankdeck
