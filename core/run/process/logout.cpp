#include "run/process/logout.h"

#include <QDir>
#include <QFile>
#include <QMap>
#include <QRegularExpression>

#include <array>
#include <optional>

#include <pwd.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

/// Where systemd looks for configuration, the strongest last.
constexpr std::array configFolders{"/usr/lib/systemd", "/usr/local/lib/systemd", "/run/systemd",
                                   "/etc/systemd"};

struct LogindConfig {
    std::optional<bool> killUserProcesses;
    std::optional<bool> shippedDefault;
    QStringList killOnlyUsers;
    QStringList killExcludeUsers{QStringLiteral("root")};
};

QString textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// As systemd reads booleans.
std::optional<bool> boolFrom(const QString &word)
{
    static const QStringList yes = QStringLiteral("1 yes y true t on").split(QLatin1Char(' '));
    static const QStringList no = QStringLiteral("0 no n false f off").split(QLatin1Char(' '));
    if (yes.contains(word.toLower()))
        return true;
    return no.contains(word.toLower()) ? std::optional<bool>(false) : std::nullopt;
}

/// Sets a list: an empty assignment clears it, others add to it.
void assign(QStringList &list, const QString &value)
{
    if (value.isEmpty())
        list.clear();
    list << value.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

void readConfig(LogindConfig &config, const QString &text)
{
    bool isLogin = false;
    for (const QString &rawLine : text.split(QLatin1Char('\n'))) {
        const QString line = rawLine.trimmed();
        const QString key = line.section(QLatin1Char('='), 0, 0).trimmed();
        const QString value = line.section(QLatin1Char('='), 1).trimmed();
        if (line.startsWith(QLatin1Char('[')))
            isLogin = line == QLatin1String("[Login]");
        else if (isLogin && key == QLatin1String("#KillUserProcesses"))
            config.shippedDefault = boolFrom(value);
        else if (isLogin && key == QLatin1String("KillUserProcesses"))
            config.killUserProcesses = boolFrom(value);
        else if (isLogin && key == QLatin1String("KillOnlyUsers"))
            assign(config.killOnlyUsers, value);
        else if (isLogin && key == QLatin1String("KillExcludeUsers"))
            assign(config.killExcludeUsers, value);
    }
}

LogindConfig logindConfig(const QString &root)
{
    QString mainFile;
    QMap<QString, QString> dropIns; // By name: one in a stronger folder replaces one in a weaker.
    for (const char *folder : configFolders) {
        const QString file = root + QLatin1String(folder) + QStringLiteral("/logind.conf");
        if (QFile::exists(file))
            mainFile = file;
        const QDir dropInFolder(file + QStringLiteral(".d"));
        for (const QString &name :
             dropInFolder.entryList({QStringLiteral("*.conf")}, QDir::Files | QDir::System))
            dropIns[name] = dropInFolder.filePath(name);
    }
    LogindConfig config;
    if (!mainFile.isEmpty())
        readConfig(config, textOf(mainFile));
    for (const QString &dropIn : std::as_const(dropIns))
        readConfig(config, textOf(dropIn));
    return config;
}

bool isKilled(const LogindConfig &config, const QString &user)
{
    if (!config.killUserProcesses.value_or(config.shippedDefault.value_or(false)) ||
        config.killExcludeUsers.contains(user))
        return false;
    return config.killOnlyUsers.isEmpty() || config.killOnlyUsers.contains(user);
}

LogoutFacts::Place placeOf(const QString &cgroups)
{
    static const QRegularExpression manager(QStringLiteral("/user@\\d+\\.service(/|$)"),
                                            QRegularExpression::MultilineOption);
    static const QRegularExpression session(QStringLiteral("/session-[^/]+\\.scope(/|$)"),
                                            QRegularExpression::MultilineOption);
    if (cgroups.contains(manager))
        return LogoutFacts::Place::Manager;
    return cgroups.contains(session) ? LogoutFacts::Place::Session : LogoutFacts::Place::Elsewhere;
}

} // namespace

LogoutFacts logoutFacts(const QString &root, const QString &user)
{
    LogoutFacts facts;
    facts.place = placeOf(textOf(root + QStringLiteral("/proc/self/cgroup")));
    if (facts.place == LogoutFacts::Place::Elsewhere)
        return facts;
    facts.lingers = QFile::exists(root + QStringLiteral("/var/lib/systemd/linger/") + user);
    facts.isSessionKilled = facts.place == LogoutFacts::Place::Session && isKilled(logindConfig(root), user);
    return facts;
}

LogoutFacts logoutFacts()
{
    const passwd *entry = getpwuid(getuid());
    return logoutFacts({}, entry ? QString::fromLocal8Bit(entry->pw_name) : QString());
}

Sentence logoutWarning(const LogoutFacts &facts)
{
    if (facts.place == LogoutFacts::Place::Manager && !facts.lingers)
        return Sentence::tr(
            "This run will be killed when you log out. To prevent that, run \"loginctl enable-linger\" now.");
    if (facts.place == LogoutFacts::Place::Session && facts.isSessionKilled)
        return facts.lingers
                   ? Sentence::tr("When you log out, logind kills this run with your session "
                                  "(KillUserProcesses=yes). Put "
                                  "\"systemd-run --user --scope\" before the command to keep a launch.")
                   : Sentence::tr("When you log out, logind kills this run with your session "
                                  "(KillUserProcesses=yes). To keep "
                                  "a launch, run \"loginctl enable-linger\" once, and put \"systemd-run "
                                  "--user --scope\" "
                                  "before the command.");
    return {};
}

} // namespace rankdeck
