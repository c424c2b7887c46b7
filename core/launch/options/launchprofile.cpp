#include "launch/options/launchprofile.h"

#include "base/json.h"
#include "base/listcomma.h"
#include "launch/options/launchers.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

namespace rankdeck
{

using Json = nlohmann::json;

constexpr qint64 mostBytes = 16 * 1024 * 1024;

/// Returns the values of `json` that differ from `defaults`.
static Json without(const Json &json, const Json &defaults)
{
    Json kept = Json::object();
    for (const auto &[key, value] : json.items()) {
        const auto found = defaults.find(key);
        if (found == defaults.end())
            kept[key] = value;
        else if (value != *found)
            kept[key] = value.is_object() && !value.empty() ? without(value, *found) : value;
    }
    return kept;
}

/// Returns `defaults` with the values of `json`, object by object.
static Json on(Json defaults, const Json &json)
{
    for (const auto &[key, value] : json.items()) {
        const auto found = defaults.find(key);
        if (found != defaults.end() && found->is_object() && value.is_object())
            *found = on(*found, value);
        else
            defaults[key] = value;
    }
    return defaults;
}

static std::optional<Error> problemWithName(const QString &nameOrPath)
{
    const bool isPath = profilePath(nameOrPath) == nameOrPath;
    if (!nameOrPath.isEmpty() && (isPath || !nameOrPath.startsWith('.'_L1)))
        return std::nullopt;
    return Error{tr("\"%1\" cannot name a profile").arg(nameOrPath),
                 {},
                 tr("Give a name, e.g. bert-8p, or a file that ends in .json.")};
}

QString profileDirectory()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/rankdeck/profiles"_s;
}

QStringList profileNames()
{
    const QStringList files = QDir(profileDirectory()).entryList({u"*.json"_s}, QDir::Files, QDir::Name);
    return listOf(files, [](const QString &file) { return QFileInfo(file).completeBaseName(); });
}

QString profilePath(const QString &nameOrPath)
{
    if (nameOrPath.contains('/'_L1) || nameOrPath.endsWith(".json"_L1))
        return nameOrPath;
    return u"%1/%2.json"_s.arg(profileDirectory(), nameOrPath);
}

QByteArray profileText(const LaunchSpec &spec)
{
    const auto line = launcherCommandLine(spec.launcher);
    Json kept = without(toJson(spec), toJson(line ? line->defaults : LaunchSpec()));
    kept["launcher"] = spec.launcher;
    return jsonText(kept, 2) + '\n';
}

Result<LaunchSpec> profileFromText(const QByteArray &text)
{
    const auto json = parseJson(text);
    if (!json || !json->is_object())
        return Error{tr("this is not a launch profile"), {}, tr("It holds one JSON object.")};
    const Json launcher = json->value("launcher", Json(LaunchSpec().launcher));
    const auto line = launcherCommandLine(launcher.is_string() ? launcher.get<QString>() : QString());
    if (!line)
        return line.error();
    return launchSpecFromJson(on(toJson(line->defaults), *json));
}

Result<LaunchSpec> loadProfile(const QString &nameOrPath)
{
    const QString path = profilePath(nameOrPath);
    if (const auto error = problemWithName(nameOrPath))
        return *error;
    if (!QFileInfo::exists(path)) {
        const QStringList names = profileNames();
        return Error{tr("unknown profile \"%1\"").arg(nameOrPath), path == nameOrPath ? QString() : path,
                     names.isEmpty() ? tr("No profile is saved yet.")
                                     : tr("Available: %1.").arg(names.join(nameComma()))};
    }
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return Error{tr("cannot read the profile: %1").arg(problemOf(file)), path, {}};
    const QByteArray text = file.read(mostBytes + 1);
    if (text.size() > mostBytes)
        return Error{tr("larger than %1 MiB, too large for a launch").arg(mostBytes >> 20), path, {}};
    auto spec = profileFromText(text);
    if (spec)
        return spec;
    const QString place = spec.error().where;
    return Error{spec.error().what, place.isEmpty() ? path : u"%1: %2"_s.arg(path, place), spec.error().mend};
}

std::optional<Error> saveProfile(const QString &nameOrPath, const LaunchSpec &spec, bool replace)
{
    if (auto error = problemWithName(nameOrPath))
        return error;
    const QString path = profilePath(nameOrPath);
    if (!replace && QFileInfo::exists(path))
        return Error{tr("a profile with this name already exists"), path,
                     tr("Use another name, or replace the profile.")};
    QSaveFile file(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) ||
        file.write(profileText(spec)) < 0 || !file.commit())
        return Error{tr("cannot write the profile: %1").arg(problemOf(file)), path, {}};
    return std::nullopt;
}

std::optional<Error> removeProfile(const QString &nameOrPath)
{
    if (const auto spec = loadProfile(nameOrPath); !spec && !QFileInfo::exists(profilePath(nameOrPath)))
        return spec.error();
    QFile file(profilePath(nameOrPath));
    if (file.remove())
        return std::nullopt;
    return Error{tr("cannot remove the profile: %1").arg(problemOf(file)), file.fileName(), {}};
}

} // namespace rankdeck
