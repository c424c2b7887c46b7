#pragma once

#include "base/result.h"
#include "base/sentence.h"
#include "base/strongnumber.h"
#include "base/wordtable.h"

#include <QByteArrayList>
#include <QDateTime>
#include <QMap>

#include <nlohmann/json_fwd.hpp>

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

// One list of fields for a value and its JSON, in both directions. The header of the value declares
//
//     void visitFields(Fields &fields, RankPrompt &prompt);
//
// and its source says each field once:
//
//     void visitFields(Fields &fields, RankPrompt &prompt)
//     {
//         fields("word", prompt.word);
//         fields.optional("file", prompt.file);
//     }
//
// After that jsonTextOf(prompt) writes the value and fromJsonText<RankPrompt>(text) reads it.

namespace rankdeck
{

class Fields;

template <typename T>
concept HasFields = requires(Fields &fields, T &value)
{
    visitFields(fields, value);
};

/// Where JSON was wrong first.
struct WrongKey {
    QString key;         ///< With those around it: "msrun.join".
    bool isKnown = true; ///< The key is a field, but its value is of another type; else the key is unknown.
};

/// Carries the fields of a value to JSON or from it. A function that visits the fields of a value is called
/// for either direction. It does the same in both, except where it asks isReading().
class Fields
{
public:
    virtual ~Fields() = default;
    Q_DISABLE_COPY(Fields)

    bool isReading() const { return m_isReading; }

    /// While it exists, a value of another type counts as absent: the fields that are read, and all inside
    /// them, keep their values. Items of another type are left out of lists.
    class Leniently
    {
    public:
        explicit Leniently(Fields &fields)
            : m_fields(fields)
            , m_wasLenient(std::exchange(fields.m_isLenient, true))
        {
        }
        ~Leniently() { m_fields.m_isLenient = m_wasLenient; }
        Q_DISABLE_COPY(Leniently)

    private:
        Fields &m_fields;
        bool m_wasLenient;
    };

    /// A field that is always written. Reading fails if it is absent or of another type.
    void operator()(const char *key, auto &value)
    {
        if (enter(key, !m_isLenient))
            carryAndLeave(value);
    }

    /// A list that is always written. Reading fails if it is no list, and leaves out items of another type.
    void items(const char *key, auto &list)
    {
        if (!enter(key, true))
            return;
        const Leniently lenient(*this);
        carryItems(list);
        leave();
    }

    /// A list of objects, always written; `visit(item)` says the fields of an item. Reading fails without it.
    template <typename List>
    void each(const char *key, List &list, const std::invocable<typename List::value_type &> auto &visit)
    {
        if (!enter(key, !m_isLenient))
            return;
        const qsizetype size = carryList(static_cast<qsizetype>(list.size()));
        if (isReading())
            list.clear();
        for (qsizetype index = 0; index < size && (!m_problem || !isReading()) && enterItem(index); ++index) {
            if (isReading())
                list.push_back(typename List::value_type());
            beginObject();
            visit(itemOf(list, index));
            endObject();
            leave();
        }
        leave();
    }

    /// A list of objects, always written: one for each entry of a map, with its key and its value. Reading
    /// fails without it.
    template <typename Key, typename Value>
    void entries(const char *key, QMap<Key, Value> &map, const char *keyName, const char *valueName)
    {
        QList<std::pair<Key, Value>> list(map.constKeyValueBegin(), map.constKeyValueEnd());
        each(key, list, [&](std::pair<Key, Value> &entry) {
            (*this)(keyName, entry.first);
            (*this)(valueName, entry.second);
        });
        if (isReading()) {
            for (const auto &[entry, value] : list)
                map.insert(entry, value);
        }
    }

    /// A field that is written only if it differs from `usual`, which it is where it is absent.
    template <typename T>
    void optional(const char *key, T &value, const std::type_identity_t<T> &usual = T())
    {
        if (isReading())
            value = usual;
        if (isReading() ? enter(key, false) : value != usual && enter(key, false))
            carryAndLeave(value);
    }

    /// A field that is written only if it has a value. (Compared by `!=` above, GCC takes it for
    /// uninitialized.)
    template <typename T>
    void optional(const char *key, std::optional<T> &value)
    {
        if (isReading())
            value.reset();
        if (isReading() ? enter(key, false) : value && enter(key, false))
            carryAndLeave(value);
    }

    /// A field that is always written, and keeps its value where JSON of an earlier version lacks it.
    void newer(const char *key, auto &value)
    {
        if (enter(key, false))
            carryAndLeave(value);
    }

    /// A field that is always written, as null if it equals `usual`. It is `usual` where it is absent.
    template <typename T>
    void orNull(const char *key, T &value, const std::type_identity_t<T> &usual = T())
    {
        if (isReading())
            value = usual;
        if (!enter(key, false))
            return;
        if (isReading() ? !isNull() : value != usual)
            carry(value);
        else if (!isReading())
            setNull();
        leave();
    }

    /// As optional(), but a value of another type counts as absent.
    template <typename T>
    void lenient(const char *key, T &value, const std::type_identity_t<T> &usual = T())
    {
        const Leniently lenient(*this);
        optional(key, value, usual);
    }

    /// A field that is one of the words of an enum. Reading fails for another word.
    template <typename Enum, std::size_t count>
    void word(const char *key, Enum &value, const WordTable<count> &words)
    {
        QString text = isReading() ? QString() : wordIn(words, value);
        (*this)(key, text);
        if (!isReading())
            return;
        if (const auto known = valueIn<Enum>(words, text))
            value = *known;
        else if (!m_isLenient)
            reject(key);
    }

    /// The value at a place of a list, from 0: for values that are written as lists, [1, 2].
    void at(qsizetype index, auto &value)
    {
        if (enterItem(index))
            carryAndLeave(value);
    }

    /// A message: one of several structs, each with its `word`, which stands at `key` beside its fields.
    template <typename... Kinds>
    void oneOf(const char *key, std::variant<Kinds...> &message)
    {
        QString word =
            isReading()
                ? QString()
                : std::visit([](const auto &kind) { return QString::fromLatin1(kind.word); }, message);
        (*this)(key, word);
        if (isReading() && !(... || choose<Kinds>(word, message)))
            reject(key);
        else
            std::visit([this](auto &kind) { this->carryMembers(kind); }, message);
    }

    /// Returns a text of an earlier version, which says nothing else, in the language of this program.
    using Earlier = QString (*)(const QString &english);

    /// How a sentence was made, at `key`; `carry(text)` carries its English text beside it. An empty text at
    /// `key` says that the text is the same in every language.
    void said(const char *key, Sentence &sentence, Earlier earlier,
              const std::invocable<QString &> auto &carry)
    {
        QString text = isReading() ? QString() : sentence.english();
        carry(text);
        std::optional<Sentence> made;
        if (!isReading() && !text.isEmpty())
            made = sentence.isPlain() ? Sentence() : sentence;
        lenient(key, made);
        if (isReading())
            sentence = spoken(made, text, earlier);
    }

    /// The same for a list of sentences.
    void said(const char *key, QList<Sentence> &sentences, Earlier earlier,
              const std::invocable<QStringList &> auto &carry)
    {
        QStringList texts;
        QList<Sentence> made;
        for (const Sentence &each : isReading() ? QList<Sentence>() : sentences) {
            texts << each.english();
            made << (each.isPlain() ? Sentence() : each);
        }
        carry(texts);
        lenient(key, made);
        if (!isReading())
            return;
        sentences.clear();
        for (qsizetype at = 0; at < texts.size(); ++at)
            sentences << spoken(at < made.size() ? std::optional(made.at(at)) : std::nullopt, texts.at(at),
                                earlier);
    }

    /// The value itself is any JSON.
    void any(nlohmann::json &json) { carryAny(json); }

    /// Reading fails: the value at `key` is none that can be used.
    void reject(const char *key) { fail(pathOf(QString::fromLatin1(key))); }

protected:
    explicit Fields(bool isReading)
        : m_isReading(isReading)
    {
    }

    const std::optional<WrongKey> &problem() const { return m_problem; }
    void fail(const QString &path, bool isKnown = true)
    {
        if (!m_problem)
            m_problem = WrongKey{path, isKnown};
    }

private:
    // Each that enters returns true, and is followed by leave() after the value was carried.

    /// Enters the field of the present object. If it is absent, returns false, and fails if it is required.
    virtual bool enter(const char *key, bool isRequired) = 0;
    /// Enters a member of the present object whose key is data, or an item of the present list.
    virtual bool enterMember(const QString &key) = 0;
    virtual bool enterItem(qsizetype index) = 0;
    virtual void leave() = 0;

    // What carries the present value. Readers fail where it is of another type.

    virtual void carryBool(bool &value) = 0;
    /// @param least,most what the caller's type can hold.
    virtual void carryWhole(qint64 &value, qint64 least, qint64 most) = 0;
    virtual void carryReal(double &value) = 0;
    virtual void carryText(QString &value) = 0;
    virtual void carryBytes(QByteArray &value) = 0;
    virtual void carryAny(nlohmann::json &value) = 0;
    virtual bool isNull() const = 0;
    virtual bool isText() const = 0;
    virtual void setNull() = 0;
    /// Returns the size of the list: `size` where it is written.
    virtual qsizetype carryList(qsizetype size) = 0;
    /// Returns the keys of the present object, where it is read. None of them counts as unknown.
    virtual QStringList memberKeys() = 0;
    virtual void beginObject() = 0;
    virtual void endObject() = 0;
    /// Returns the keys around the present value and `key`: "msrun.join".
    virtual QString pathOf(const QString &key) const = 0;

    template <typename T>
    void carryAndLeave(T &value)
    {
        if (m_isLenient && isReading())
            carryIfUsable(value);
        else
            carry(value);
        leave();
    }

    /// Returns false, and does not change the value, if what is read is of another type.
    template <typename T>
    bool carryIfUsable(T &value)
    {
        const T kept = value;
        const auto before = std::exchange(m_problem, std::nullopt);
        carry(value);
        const bool isUsable = !m_problem;
        if (!isUsable)
            value = kept;
        m_problem = before;
        return isUsable;
    }

    template <typename T>
    void carry(T &value);
    template <typename T>
    void carryItems(T &list);
    template <typename Key, typename T>
    void carryMap(QMap<Key, T> &map);

    /// Returns the item. A list that is written may be shared with other threads: it is not detached.
    template <typename List>
    typename List::value_type &itemOf(List &list, qsizetype index)
    {
        const auto at = static_cast<typename List::size_type>(index);
        return isReading() ? list[at] : const_cast<typename List::value_type &>(std::as_const(list)[at]);
    }

    /// A list: the id, then the arguments. A text that is the same in every language is a text.
    void carrySentence(Sentence &sentence, int depth = 0);
    /// Returns the sentence of `text`, made as `made` says.
    static Sentence spoken(const std::optional<Sentence> &made, const QString &text, Earlier earlier);

    void carryMembers(auto &value)
    {
        if constexpr (requires { visitFields(*this, value); })
            visitFields(*this, value);
    }

    template <typename Kind, typename Message>
    static bool choose(const QString &word, Message &message)
    {
        const bool isIt = word == QLatin1String(Kind::word);
        if (isIt)
            message = Kind();
        return isIt;
    }

    static QString keyText(const QString &key) { return key; }
    static QString keyText(int key) { return QString::number(key); }
    static bool readKey(const QString &text, QString &key)
    {
        key = text;
        return true;
    }
    static bool readKey(const QString &text, int &key)
    {
        bool isNumber = false;
        key = text.toInt(&isNumber);
        return isNumber && QString::number(key) == text;
    }

    bool m_isReading;
    bool m_isLenient = false;
    std::optional<WrongKey> m_problem;

    friend struct JsonAccess;
};

template <typename T>
inline constexpr bool isOptional = false;
template <typename T>
inline constexpr bool isOptional<std::optional<T>> = true;
template <typename T>
inline constexpr bool isMap = false;
template <typename Key, typename T>
inline constexpr bool isMap<QMap<Key, T>> = true;
template <typename T>
inline constexpr bool isStrongNumber = false;
template <typename Tag, typename Value>
inline constexpr bool isStrongNumber<StrongNumber<Tag, Value>> = true;

template <typename T>
void Fields::carry(T &value)
{
    if constexpr (std::same_as<T, bool>) {
        carryBool(value);
    } else if constexpr (std::integral<T>) {
        using Limits = std::numeric_limits<T>;
        auto number = static_cast<qint64>(value);
        if constexpr (sizeof(T) < sizeof(qint64))
            carryWhole(number, Limits::min(), Limits::max());
        else
            carryWhole(number, std::signed_integral<T> ? std::numeric_limits<qint64>::min() : 0,
                       std::numeric_limits<qint64>::max());
        value = static_cast<T>(number);
    } else if constexpr (std::floating_point<T>) {
        double number = value;
        carryReal(number);
        value = static_cast<T>(number);
    } else if constexpr (std::same_as<T, QString>) {
        carryText(value);
    } else if constexpr (std::same_as<T, QByteArray>) {
        carryBytes(value);
    } else if constexpr (std::same_as<T, Sentence>) {
        carrySentence(value);
    } else if constexpr (std::same_as<T, QDateTime>) {
        QString text = isReading() ? QString() : value.toUTC().toString(Qt::ISODateWithMs);
        carryText(text);
        if (isReading())
            value = QDateTime::fromString(text, Qt::ISODateWithMs);
    } else if constexpr (isStrongNumber<T>) {
        carry(value.value);
    } else if constexpr (isOptional<T>) {
        if (isReading() && isNull())
            value.reset();
        else if (isReading())
            value.emplace();
        if (!value)
            setNull();
        else
            carry(*value);
    } else if constexpr (isMap<T>) {
        carryMap(value);
    } else if constexpr (HasFields<T>) {
        beginObject();
        visitFields(*this, value);
        endObject();
    } else {
        carryItems(value);
    }
}

template <typename T>
void Fields::carryItems(T &list)
{
    const qsizetype size = carryList(static_cast<qsizetype>(list.size()));
    if (isReading())
        list.clear();
    for (qsizetype index = 0; index < size && (!m_problem || !isReading()) && enterItem(index); ++index) {
        if (!isReading()) {
            carry(itemOf(list, index));
        } else {
            typename T::value_type item{};
            bool isUsable = true;
            if (m_isLenient)
                isUsable = carryIfUsable(item);
            else
                carry(item);
            if (isUsable)
                list.push_back(std::move(item));
        }
        leave();
    }
}

template <typename Key, typename T>
void Fields::carryMap(QMap<Key, T> &map)
{
    beginObject();
    if (isReading()) {
        map.clear();
        for (const QString &text : memberKeys()) {
            Key key{};
            T value{};
            if (!readKey(text, key))
                fail(pathOf(text), false);
            else if (enterMember(text))
                carryAndLeave(value);
            map.insert(key, value);
        }
    } else {
        for (auto it = map.cbegin(); it != map.cend(); ++it) {
            if (enterMember(keyText(it.key())))
                carryAndLeave(const_cast<T &>(it.value()));
        }
    }
    endObject();
}

void visitFields(Fields &fields, Error &error);

/// Writes and reads values that have fields.
struct JsonAccess {
    using Visit = void (*)(Fields &fields, void *value);

    template <typename T>
    static void visit(Fields &fields, void *value)
    {
        fields.carry(*static_cast<T *>(value));
    }

    static void write(nlohmann::json &json, Visit visit, void *value);
    static QByteArray written(const char *key, Visit visit, void *value, int indent);
    /// @param isStrict whether a key that is not a field is wrong too.
    static std::optional<WrongKey> read(const nlohmann::json &json, Visit visit, void *value, bool isStrict);
    /// @param leftOut keys whose values, at any depth, are not read.
    static bool read(const QByteArray &text, const char *key, Visit visit, void *value,
                     const QByteArrayList &leftOut = {});

    /// Writing does not change the value.
    template <typename T>
    static void *address(const T &value)
    {
        return const_cast<T *>(&value);
    }
};

/// Returns the value as JSON. Invalid UTF-8 in a text becomes U+FFFD. Keys are in the order of the alphabet.
/// @param indent spaces for each level; -1: one line without a newline.
template <typename T>
QByteArray jsonTextOf(const T &value, int indent = -1)
{
    return JsonAccess::written(nullptr, &JsonAccess::visit<T>, JsonAccess::address(value), indent);
}

/// Reads what jsonTextOf() wrote. Returns nothing for other text. Keys that are not fields are ignored.
/// @param leftOut keys whose values, at any depth, are not read: this saves time where they are long.
template <typename T>
std::optional<T> fromJsonText(const QByteArray &text, const QByteArrayList &leftOut = {})
{
    T value{};
    if (!JsonAccess::read(text, nullptr, &JsonAccess::visit<T>, &value, leftOut))
        return std::nullopt;
    return value;
}

/// Returns the line {"key": value}, without a newline.
template <typename T>
QByteArray keyedLine(const char *key, const T &value)
{
    return JsonAccess::written(key, &JsonAccess::visit<T>, JsonAccess::address(value), -1);
}

/// Reads what keyedLine() wrote. Returns nothing for other text.
template <typename T>
std::optional<T> fromKeyedLine(const char *key, const QByteArray &line)
{
    T value{};
    return JsonAccess::read(line, key, &JsonAccess::visit<T>, &value) ? std::optional(std::move(value))
                                                                      : std::nullopt;
}

/// Writes the value into `json`, which stands inside other JSON.
template <typename T>
void writeJson(nlohmann::json &json, const T &value)
{
    JsonAccess::write(json, &JsonAccess::visit<T>, JsonAccess::address(value));
}

/// Reads a value that stands inside other JSON. Returns nothing if a field is absent or of another type.
template <typename T>
std::optional<T> readJson(const nlohmann::json &json)
{
    T value{};
    return JsonAccess::read(json, &JsonAccess::visit<T>, &value, false) ? std::nullopt
                                                                        : std::optional(std::move(value));
}

/// Returns the value as JSON, for what writes JSON of its own around it.
template <HasFields T, typename Json = nlohmann::json>
Json toJson(const T &value)
{
    Json json;
    writeJson(json, value);
    return json;
}

/// Reads into `value`, and fails for a key that is not a field too.
template <typename T>
std::optional<WrongKey> readJsonStrictly(const nlohmann::json &json, T &value)
{
    return JsonAccess::read(json, &JsonAccess::visit<T>, &value, true);
}

} // namespace rankdeck
