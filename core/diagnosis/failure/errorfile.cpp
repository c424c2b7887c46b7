#include "diagnosis/failure/errorfile.h"

#include "base/json.h"
#include "base/regularfile.h"
#include "log/line/ansidecoder.h"

#include <QDateTime>
#include <QSaveFile>

#include <algorithm>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

constexpr qint64 mostBytes = 1024 * 1024;
constexpr qsizetype mostMessage = 1000;
constexpr qsizetype mostLines = 200;
constexpr qsizetype mostLine = 2000;

struct Content {
    QByteArray text;
    double written = 0; ///< Seconds since 1970.
};

std::optional<Content> readContent(const QString &path)
{
    RegularFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > mostBytes)
        return std::nullopt;
    const qint64 writtenMs = file.fileTime(QFileDevice::FileModificationTime).toMSecsSinceEpoch();
    return Content{file.read(mostBytes), double(writtenMs) / 1000};
}

QByteArray textOf(const Json &json)
{
    return json.is_string() ? QByteArray::fromStdString(json.get_ref<const std::string &>()) : QByteArray();
}

QString plainLine(const QByteArray &line, qsizetype most)
{
    const QString text = AnsiDecoder::plainText(line.left(most * 4));
    return text.size() > most ? text.left(most) + QChar(0x2026) : text;
}

QStringList plainTraceback(const QByteArray &text)
{
    QByteArray trimmed = text;
    while (trimmed.endsWith('\n'))
        trimmed.chop(1);
    if (trimmed.isEmpty())
        return {};
    const QList<QByteArray> lines = trimmed.split('\n');
    QStringList plain;
    for (const QByteArray &line : lines.mid(std::max<qsizetype>(0, lines.size() - mostLines)))
        plain << plainLine(line, mostLine);
    return plain;
}

/// torch writes a number in a string.
std::optional<double> timeOf(const Json &json, double written)
{
    double seconds = 0;
    if (json.is_number()) {
        seconds = json.get<double>();
    } else {
        bool isNumber = false;
        seconds = textOf(json).toDouble(&isNumber);
        if (!isNumber)
            return std::nullopt;
    }
    if (!std::isfinite(seconds))
        return std::nullopt;
    const bool isCut = std::floor(seconds) == seconds;
    return isCut && written >= seconds && written < seconds + 1 ? written : seconds;
}

} // namespace

std::optional<ErrorFile> readErrorFile(const QString &path)
{
    const auto content = readContent(path);
    const auto json = content ? parseJson(content->text) : std::nullopt;
    if (!json || !json->is_object() || !json->contains("message"))
        return std::nullopt;
    const Json &message = json->at("message");
    // In the older form the message is a text and the other fields stand beside it.
    const Json &fields = message.is_object() ? message : *json;
    const Json extra = fields.value("extraInfo", Json::object());
    const auto find = [&](const char *key) {
        if (extra.is_object() && extra.contains(key))
            return extra.at(key);
        return fields.value(key, Json());
    };
    const QByteArray text = textOf(fields.value("message", Json()));
    ErrorFile file;
    file.message = plainLine(text.trimmed().split('\n').first(), mostMessage);
    file.traceback = plainTraceback(textOf(find("py_callstack")));
    file.timestamp = timeOf(find("timestamp"), content->written);
    if (file.message.isEmpty() && file.traceback.isEmpty() && !file.timestamp)
        return std::nullopt;
    return file;
}

std::optional<Error> copyErrorFile(const QString &from, const QString &to, int exitCode)
{
    const auto content = readContent(from);
    auto json = content ? parseJson(content->text) : std::nullopt;
    if (!json)
        return Error{tr("the error file cannot be read"), from, {}};
    if (json->is_object() && json->contains("message") && json->at("message").is_object())
        (*json)["message"]["errorCode"] = exitCode;
    QSaveFile file(to);
    if (!file.open(QIODevice::WriteOnly) || file.write(jsonText(*json)) < 0 || !file.commit())
        return Error{tr("the error file cannot be written: %1").arg(problemOf(file)), to, {}};
    return std::nullopt;
}

} // namespace rankdeck
