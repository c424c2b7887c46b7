#include "launch/platformoperator.h"

#include "json.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

QString tr(const char *text)
{
    return QCoreApplication::translate("platformOperator", text);
}

/// As Python takes a value for true, which is how the platform reads it.
bool isTrue(const Json &value)
{
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_number())
        return value.get<double>() != 0;
    if (value.is_string())
        return !value.get_ref<const std::string &>().empty();
    return !value.empty();
}

} // namespace

Result<PlatformOperator> platformOperator(const QProcessEnvironment &environment)
{
    const QString name = QStringLiteral("MA_ALGORITHM_OPERATOR");
    const QByteArray text = environment.value(name).toUtf8();
    PlatformOperator found;
    if (text.isEmpty())
        return found;
    const auto json = parseJson(text);
    if (!json || !json->is_object())
        return Error{tr("this is no JSON object"), name,
                     tr("Mend it, or leave it out with --unset-env %1.").arg(name)};
    found.hasArchive = json->contains("obs") && (*json)["obs"].contains("obs_url");
    found.isIdeMode = found.hasArchive && json->contains("ide_mode") && isTrue((*json)["ide_mode"]);
    return found;
}

} // namespace rankdeck
