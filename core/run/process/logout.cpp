#include "run/process/logout.h"

#include "base/regularfile.h"

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
    QStringList killExcludeUsers{u"root"_s};
};

/// As systemd reads booleans.
std::optional<bool> boolFrom(const QString &word)
{
    static const QStringList yes = u"1 yes y true t on"_s.split(' '_L1);
    static const QStringList no = u"0 no n false f off"_s.split(' '_L1);
    if (yes.contains(word.toLower()))
        return true;
    return no.contains(word.toLower()) ? std::optional<bool>(false) : std::nullopt;
}

/// Sets a list: an empty assignment clears it, others add to it.
void assign(QStringList &list, const QString &value)
{
    if (value.isEmpty())
        list.clear();
    list << value.split(' '_L1, Qt::SkipEmptyParts);
}

void readConfig(LogindConfig &config, const QString &text)
{
    bool isLogin = false;
    for (const QString &rawLine : text.split('\n'_L1)) {
        const QString line = rawLine.trimmed();
        const QString key = line.section('='_L1, 0, 0).trimmed();
        const QString value = line.section('='_L1, 1).trimmed();
        if (line.startsWith('['_L1))
            isLogin = line == "[Login]"_L1;
        else if (isLogin && key == "#KillUserProcesses"_L1)
            config.shippedDefault = boolFrom(value);
        else if (isLogin && key == "KillUserProcesses"_L1)
            config.killUserProcesses = boolFrom(value);
        else if (isLogin && key == "KillOnlyUsers"_L1)
            assign(config.killOnlyUsers, value);
        else if (isLogin && key == "KillExcludeUsers"_L1)
            assign(config.killExcludeUsers, value);
    }
}

LogindConfig logindConfig(const QString &root)
{
    QString mainFile;
    QMap<QString, QString> dropIns; // By name: one in a stronger folder replaces one in a weaker.
    for (const char *folder : configFolders) {
        const QString file = root + QLatin1String(folder) + u"/logind.conf"_s;
        if (QFile::exists(file))
            mainFile = file;
        const QDir dropInFolder(file + u".d"_s);
        for (const QString &name : dropInFolder.entryList({u"*.conf"_s}, QDir::Files | QDir::System))
            dropIns[name] = dropInFolder.filePath(name);
    }
    LogindConfig config;
    if (!mainFile.isEmpty())
        readConfig(config, QString::fromUtf8(fileContent(mainFile)));
    for (const QString &dropIn : std::as_const(dropIns))
        readConfig(config, QString::fromUtf8(fileContent(dropIn)));
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
    static const QRegularExpression manager(u"/user@\\d+\\.service(/|$)"_s,
                                            QRegularExpression::MultilineOption);
    static const QRegularExpression session(u"/session-[^/]+\\.scope(/|$)"_s,
                                            QRegularExpression::MultilineOption);
    if (cgroups.contains(manager))
        return LogoutFacts::Place::Manager;
    return cgroups.contains(session) ? LogoutFacts::Place::Session : LogoutFacts::Place::Elsewhere;
}

} // namespace

LogoutFacts logoutFacts(const QString &root, const QString &user)
{
    LogoutFacts facts;
    facts.place = placeOf(QString::fromUtf8(fileContent(root + u"/proc/self/cgroup"_s)));
    if (facts.place == LogoutFacts::Place::Elsewhere)
        return facts;
    facts.lingers = QFile::exists(root + u"/var/lib/systemd/linger/"_s + user);
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
