#include "collective/storeserver.h"

#include "json.h"
#include "numberranges.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qsizetype longestValue = 64 * 1024;     ///< Bytes.
constexpr qsizetype longestKey = 1024;            ///< Bytes.
constexpr qsizetype longestLine = 16 * 64 * 1024; ///< A question may name many keys.
constexpr qsizetype mostKeys = 100'000;

std::optional<QByteArray> textOf(const nlohmann::json &object, const char *name)
{
    const auto found = object.find(name);
    if (found == object.end() || !found->is_string())
        return std::nullopt;
    return QByteArray::fromStdString(found->get_ref<const std::string &>());
}

bool isKey(const QByteArray &key)
{
    return !key.isEmpty() && key.size() <= longestKey;
}

/// Nothing for what is no list of texts.
std::optional<QList<QByteArray>> keysOf(const nlohmann::json &object, const char *name)
{
    const auto found = object.find(name);
    if (found == object.end() || !found->is_array())
        return std::nullopt;
    QList<QByteArray> keys;
    for (const nlohmann::json &each : *found) {
        if (!each.is_string())
            return std::nullopt;
        keys << QByteArray::fromStdString(each.get_ref<const std::string &>());
    }
    return keys;
}

bool isBase64(const QByteArray &text)
{
    return bool(QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors));
}

} // namespace

std::vector<StoreServer::Answer> StoreServer::take(int rank, const QByteArray &line)
{
    if (line.size() > longestLine)
        return {};
    const auto said = parseJson(line);
    if (!said || !said->is_object())
        return {};
    if (const auto key = textOf(*said, "set")) {
        const auto value = textOf(*said, "value");
        return value && isKey(*key) ? set(*key, *value) : std::vector<Answer>();
    }

    Question question;
    if (const auto number = said->find("n"); number != said->end() && number->is_number_integer())
        question.number = number->get<int>();
    if (const auto keys = keysOf(*said, "missing")) {
        m_open.remove(rank);
        return {valueFor(rank, question, numberRanges(missing(*keys)).toLatin1().toBase64())};
    }
    if (const auto key = textOf(*said, "get")) {
        if (!isKey(*key))
            return {};
        question.get = *key;
        question.missing.insert(*key);
    } else if (const auto keys = keysOf(*said, "wait")) {
        question.missing = QSet<QByteArray>(keys->begin(), keys->end());
    } else {
        return {};
    }
    question.missing.removeIf([this](const QByteArray &key) { return m_values.contains(key); });
    m_open.remove(rank);
    if (question.missing.isEmpty())
        return {answerTo(rank, question)};
    m_open.insert(rank, question);
    return {};
}

std::vector<StoreServer::Answer> StoreServer::set(const QByteArray &key, const QByteArray &value)
{
    if (value.size() > (longestValue + 2) / 3 * 4 || !isBase64(value) ||
        (m_values.size() >= mostKeys && !m_values.contains(key)))
        return {};
    m_values.insert(key, value);
    std::vector<Answer> answers;
    for (auto open = m_open.begin(); open != m_open.end();) {
        if (!open->missing.remove(key) || !open->missing.isEmpty()) {
            ++open;
            continue;
        }
        answers.push_back(answerTo(open.key(), *open));
        open = m_open.erase(open);
    }
    std::sort(answers.begin(), answers.end(),
              [](const Answer &one, const Answer &other) { return one.rank < other.rank; });
    return answers;
}

QList<int> StoreServer::waitingFor(const QByteArray &key) const
{
    QList<int> ranks;
    for (auto open = m_open.begin(); open != m_open.end(); ++open) {
        if (open->missing.contains(key))
            ranks << open.key();
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

QList<int> StoreServer::missing(const QList<QByteArray> &keys) const
{
    QList<int> places;
    for (int place = 0; place < keys.size(); ++place) {
        if (!m_values.contains(keys[place]))
            places << place;
    }
    return places;
}

StoreServer::Answer StoreServer::valueFor(int rank, const Question &question, const QByteArray &base64)
{
    return {rank, R"({"n":)" + QByteArray::number(question.number) + R"(,"value":")" + base64 + R"("})"};
}

StoreServer::Answer StoreServer::answerTo(int rank, const Question &question) const
{
    if (question.get.isEmpty())
        return {rank, R"({"n":)" + QByteArray::number(question.number) + R"(,"ready":true})"};
    return valueFor(rank, question, m_values.value(question.get));
}

} // namespace rankdeck
