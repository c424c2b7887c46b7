#include "base/tr.h"
#include "launch/exchange/launchexport.h"
#include "launch/exchange/launchimport.h"
#include "launch/options/launchprofile.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/launch/launchreading.h"

namespace rankdeck
{

namespace
{

int refuseAction(const QString &action)
{
    return refuse(
        {action.isEmpty() ? tr("an action is missing") : tr("there is no action \"%1\"").arg(action),
         {},
         tr("See rankdeckctl profile --help.")});
}

int listProfiles()
{
    for (const QString &name : profileNames())
        print(visibleText(name));
    return 0;
}

int showProfile(const QString &name)
{
    const auto spec = loadProfile(name);
    if (!spec)
        return refuse(spec.error());
    print(visibleJson(profileText(*spec).trimmed()));
    print(visibleText(exportCommandLine(*spec)));
    return 0;
}

/// NAME [--force] LAUNCHER …
int save(const QString &name, QStringList arguments)
{
    const bool replace = arguments.value(0) == "--force"_L1;
    if (replace)
        arguments.removeFirst();
    QStringList found;
    const auto spec = readLaunch(arguments.value(0), arguments.mid(1), {}, found);
    if (!spec)
        return refuse(spec.error());
    if (auto error = saveProfile(name, *spec, replace)) {
        if (!replace && !error->mend.isEmpty())
            error->mend = tr("Name it otherwise, or replace it with --force after the name.");
        return refuse(*error);
    }
    say(tr("Saved as %1.").arg(visibleText(profilePath(name))));
    return 0;
}

void printProfileHelp()
{
    print(tr("Usage: rankdeckctl profile list\n"
             "       rankdeckctl profile show NAME\n"
             "       rankdeckctl profile save NAME [--force] LAUNCHER [options] COMMAND…\n"
             "       rankdeckctl profile remove NAME\n\n"
             "NAME is a profile of yours, in %1, or a file: what has\n"
             "a / or ends in .json. rankdeckctl run NAME launches it.")
              .arg(profileDirectory()));
}

} // namespace

int profileCommand(const QStringList &arguments)
{
    const QString action = arguments.value(0);
    if (action == "--help"_L1 || action == "-h"_L1) {
        printProfileHelp();
        return 0;
    }
    if (action == "list"_L1 && arguments.size() == 1)
        return listProfiles();
    if (arguments.size() < 2)
        return refuseAction(action == "list"_L1 ? QString() : action);
    if (action == "show"_L1 && arguments.size() == 2)
        return showProfile(arguments[1]);
    if (action == "save"_L1)
        return save(arguments[1], arguments.mid(2));
    if (action == "remove"_L1 && arguments.size() == 2) {
        const auto error = removeProfile(arguments[1]);
        return error ? refuse(*error) : 0;
    }
    return refuseAction(action);
}

int importCommand(const QStringList &arguments)
{
    const bool isSaved = arguments.value(0) == "--save"_L1;
    const QString profile = isSaved ? arguments.value(1) : QString();
    const QStringList words = arguments.mid(isSaved ? 2 : 0);
    // One argument is a line that is not split yet.
    const auto imported = words.size() == 1 ? importCommandLine(words.first()) : importCommandWords(words);
    if (!imported)
        return refuse(imported.error());
    for (const QString &note : imported->notes)
        say(tr("rankdeckctl: note: %1").arg(visibleText(note)));
    if (isSaved) {
        if (const auto error = saveProfile(profile, imported->spec, false))
            return refuse(*error);
    }
    print(visibleText(exportCommandLine(imported->spec)));
    return 0;
}

} // namespace rankdeck
