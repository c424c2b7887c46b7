#include "bundle/secrets.h"

#include "base/json.h"

#include <QProcessEnvironment>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

using Json = nlohmann::json;

constexpr qsizetype mostValues = 512;

static bool isHarmless(const QString &name, const QString &value)
{
    static const QRegularExpression yesOrNo(u"^(|[01]|true|false|yes|no|on|off|none|null)$"_s,
                                            QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression number(u"^\\d{1,12}$"_s);
    static const QRegularExpression plural(u"(KEYS|TOKENS)"_s, QRegularExpression::CaseInsensitiveOption);
    return yesOrNo.match(value).hasMatch() ||
           (number.match(value).hasMatch() && plural.match(name).hasMatch());
}

/// Masks "user:password@" after "://", and a lone word that is too long for a user name.
static QByteArray withoutLogins(QByteArray text)
{
    constexpr qsizetype mostLogin = 1024;
    constexpr qsizetype longestName = 20;
    static constexpr QByteArrayView ends(" \t\r\n/\"'<>\\`|,;(){}");
    for (qsizetype at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at)) {
        at += 3;
        const qsizetype limit = std::min(text.size(), at + mostLogin);
        qsizetype login = -1;
        for (qsizetype look = at; look < limit && !ends.contains(text.at(look)); ++look) {
            if (text.at(look) == '@')
                login = look;
        }
        if (login < 0)
            continue;
        const QByteArrayView who = QByteArrayView(text).sliced(at, login - at);
        if (who.contains(':') || who.size() >= longestName)
            text.replace(at, login - at, secretMask);
    }
    return text;
}

/// Returns true for "--api-token" and "-token", without what comes after '='.
static bool isOption(const QString &word)
{
    static const QRegularExpression option(u"^--?[A-Za-z][\\w.-]*$"_s);
    return option.match(word).hasMatch();
}

bool isSecretName(const QString &name)
{
    static const QRegularExpression harmless(u"tokeni[sz]|author(?!i[sz])|keyboard|keynote|monkey|keyword"_s,
                                             QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression secret(
        u"token|secret|passw(or)?d|passphrase|key|credential|auth|cookie"_s,
        QRegularExpression::CaseInsensitiveOption);
    QString rest = name;
    return rest.remove(harmless).contains(secret);
}

void Secrets::learnEnvironment()
{
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QStringList names = environment.keys();
    for (const QString &name : names) {
        const QString value = environment.value(name);
        // Variables of the desktop with such names hold paths.
        if (isSecretName(name) && !isHarmless(name, value) && !value.startsWith('/'_L1))
            learn(name, value);
    }
}

void Secrets::learn(const QString &name, const QString &value)
{
    if (const auto at = std::ranges::lower_bound(m_names, name); at == m_names.end() || *at != name)
        m_names.insert(at, name);
    const QByteArray bytes = value.toUtf8();
    if (bytes.size() < leastLength || m_values.size() >= mostValues)
        return;
    const QByteArray inQuotes = jsonText(Json(bytes.toStdString()));
    for (const QByteArray &form :
         {bytes, inQuotes.mid(1, inQuotes.size() - 2), QString::fromUtf8(bytes).toHtmlEscaped().toUtf8()}) {
        if (!m_values.contains(form))
            m_values.append(form);
    }
    std::ranges::sort(
        m_values, [](const QByteArray &one, const QByteArray &other) { return one.size() > other.size(); });
}

QString Secrets::maskedValue(const QString &name, const QString &value)
{
    if (isHarmless(name, value) || value == QLatin1String(secretMask))
        return value;
    learn(name, value);
    return QLatin1String(secretMask);
}

/// Masks values that are assigned or passed to a secret name in a text of several words, as of `bash -c`.
QString Secrets::maskedWords(const QString &text)
{
    static const QRegularExpression assignment(
        u"([A-Za-z_][\\w.-]*)(=|(?<=[\\w])\\s+(?=[^-\\s]))(\"[^\"]*\"|'[^']*'|[^\\s\"';&|]+)"_s);
    static const QRegularExpression header(u"\\b(Bearer|Basic)\\s+([A-Za-z0-9._~+/=-]{8,})"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    QString masked;
    qsizetype copied = 0;
    for (qsizetype from = 0;;) {
        const auto match = assignment.match(text, from);
        if (!match.hasMatch())
            break;
        const bool isAssigned = match.captured(2) == "="_L1;
        const bool isAfterDash = match.capturedStart(1) > 0 && text.at(match.capturedStart(1) - 1) == '-'_L1;
        from = match.capturedEnd(1);
        if ((!isAssigned && !isAfterDash) || !isSecretName(match.captured(1)))
            continue;
        QString value = match.captured(3);
        qsizetype begin = match.capturedStart(3);
        if (value.size() >= 2 && (value.front() == '"'_L1 || value.front() == '\''_L1)) {
            value = value.mid(1, value.size() - 2);
            ++begin;
        }
        masked += text.mid(copied, begin - copied) + maskedValue(match.captured(1), value);
        copied = begin + value.size();
        from = match.capturedEnd(3);
    }
    masked += text.mid(copied);
    for (qsizetype from = 0;;) {
        const auto match = header.match(masked, from);
        if (!match.hasMatch())
            break;
        const QString mask = maskedValue(match.captured(1), match.captured(2));
        masked.replace(match.capturedStart(2), match.capturedLength(2), mask);
        from = match.capturedStart(2) + mask.size();
    }
    return QString::fromUtf8(withoutLogins(masked.toUtf8()));
}

void Secrets::mask(Json &json)
{
    if (json.is_string()) {
        json = maskedWords(json.get<QString>());
    } else if (json.is_array() && std::ranges::all_of(json, &Json::is_string)) {
        for (std::size_t at = 0; at < json.size(); ++at) {
            const auto word = json[at].get<QString>();
            if (isOption(word) && isSecretName(word) && at + 1 < json.size()) {
                const auto value = json[at + 1].get<QString>();
                if (!value.startsWith('-'_L1)) {
                    json[++at] = maskedValue(word, value);
                    continue;
                }
            }
            mask(json[at]);
            const qsizetype equals = word.indexOf('='_L1);
            // Masks the whole value, including blanks.
            if (equals > 0 && isSecretName(word.left(equals)) && !word.left(equals).contains(' '_L1))
                json[at] = word.left(equals + 1) + maskedValue(word.left(equals), word.mid(equals + 1));
        }
    } else if (json.is_object()) {
        for (auto &[key, value] : json.get_ref<Json::object_t &>()) {
            const QString name = QString::fromStdString(key);
            if (value.is_string() && isSecretName(name))
                value = maskedValue(name, value.get<QString>());
            else
                mask(value);
        }
    } else if (json.is_array()) {
        for (Json &each : json)
            mask(each);
    }
}

QByteArray Secrets::masked(QByteArray text) const
{
    for (const QByteArray &value : m_values) {
        if (text.contains(value))
            text.replace(value, secretMask);
    }
    return withoutLogins(std::move(text));
}

} // namespace rankdeck
