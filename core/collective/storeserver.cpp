#include "collective/storeserver.h"

#include "json.h"

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
    if (const auto key = textOf(*said, "get")) {
        if (!isKey(*key))
            return {};
        question.get = *key;
        question.missing.insert(*key);
    } else if (const auto keys = said->find("wait"); keys != said->end() && keys->is_array()) {
        for (const nlohmann::json &each : *keys) {
            if (!each.is_string())
                return {};
            question.missing.insert(QByteArray::fromStdString(each.get_ref<const std::string &>()));
        }
    } else {
        return {};
    }
    if (const auto number = said->find("n"); number != said->end() && number->is_number_integer())
        question.number = number->get<int>();
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

StoreServer::Answer StoreServer::answerTo(int rank, const Question &question) const
{
    const QByteArray beginning = R"({"n":)" + QByteArray::number(question.number);
    if (question.get.isEmpty())
        return {rank, beginning + R"(,"ready":true})"};
    return {rank, beginning + R"(,"value":")" + m_values.value(question.get) + R"("})"};
}

} // namespace rankdeck
