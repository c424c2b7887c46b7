#include "base/fields.h"

#include "base/json.h"

#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

class FieldWriter final : public Fields
{
public:
    explicit FieldWriter(Json &json)
        : Fields(false)
        , m_path{&json}
    {
    }

private:
    Json &here() { return *m_path.back(); }
    bool enterAt(Json &place)
    {
        m_path.push_back(&place);
        return true;
    }

    bool enter(const char *key, bool) override { return enterAt(here()[key]); }
    bool enterMember(const QString &key) override { return enterAt(here()[key.toStdString()]); }
    bool enterItem(qsizetype index) override { return enterAt(here()[static_cast<std::size_t>(index)]); }
    void leave() override { m_path.pop_back(); }
    void carryBool(bool &value) override { here() = value; }
    void carryWhole(qint64 &value, qint64, qint64) override { here() = value; }
    void carryReal(double &value) override { here() = value; }
    void carryText(QString &value) override { here() = value; }
    void carryBytes(QByteArray &value) override { here() = value.toStdString(); }
    void carryAny(Json &value) override { here() = value; }
    bool isNull() const override { return false; }
    bool isText() const override { return false; }
    void setNull() override { here() = nullptr; }
    qsizetype carryList(qsizetype size) override
    {
        here() = Json::array();
        return size;
    }
    QStringList memberKeys() override { return {}; }
    // A value that is written as a list makes one with its first item.
    void beginObject() override {}
    void endObject() override
    {
        if (here().is_null())
            here() = Json::object();
    }
    QString pathOf(const QString &key) const override { return key; }

    std::vector<Json *> m_path;
};

class FieldReader final : public Fields
{
public:
    FieldReader(const Json &json, bool isStrict)
        : Fields(true)
        , m_path{{&json, nullptr, 0}}
        , m_isStrict(isStrict)
    {
    }

    using Fields::problem;

private:
    using Fields::fail;

    /// A value that is being read, and the key or the index that led to it.
    struct Place {
        const Json *json;
        const char *key;
        qsizetype index;
    };

    const Json &here() const { return *m_path.back().json; }

    void fail() { fail(pathOf({})); }

    template <typename T>
    void take(T &value, bool isOfType)
    {
        if (isOfType)
            value = here().get<T>();
        else
            fail();
    }

    bool enterAt(const Json &place, const char *key, qsizetype index = 0)
    {
        m_path.push_back({&place, key, index});
        return true;
    }

    bool enter(const char *key, bool isRequired) override
    {
        if (m_isStrict && !m_known.empty())
            m_known.back().insert(QString::fromLatin1(key));
        if (here().is_object()) {
            if (const auto found = here().find(key); found != here().end())
                return enterAt(*found, key);
        }
        if (isRequired || !here().is_object())
            fail(pathOf(QString::fromLatin1(key)));
        return false;
    }

    bool enterMember(const QString &key) override
    {
        const auto found = here().find(key.toStdString());
        return enterAt(*found, found.key().c_str());
    }

    bool enterItem(qsizetype index) override
    {
        if (here().is_array() && static_cast<std::size_t>(index) < here().size())
            return enterAt(here()[static_cast<std::size_t>(index)], nullptr, index);
        fail(pathOf(QString::number(index)));
        return false;
    }

    void leave() override { m_path.pop_back(); }

    void carryBool(bool &value) override { take(value, here().is_boolean()); }

    void carryWhole(qint64 &value, qint64 least, qint64 most) override
    {
        constexpr double beyond = 9.2e18;
        std::optional<qint64> number;
        if (here().is_number_unsigned()) {
            const auto whole = here().get<quint64>();
            if (whole <= static_cast<quint64>(std::numeric_limits<qint64>::max()))
                number = static_cast<qint64>(whole);
        } else if (here().is_number_integer()) {
            number = here().get<qint64>();
        } else if (here().is_number_float()) {
            const auto real = here().get<double>();
            if (std::abs(real) < beyond && std::trunc(real) == real)
                number = static_cast<qint64>(real);
        }
        if (number && *number >= least && *number <= most)
            value = *number;
        else
            fail();
    }

    void carryReal(double &value) override { take(value, here().is_number()); }
    void carryText(QString &value) override { take(value, here().is_string()); }

    void carryBytes(QByteArray &value) override
    {
        if (here().is_string())
            value = QByteArray::fromStdString(here().get_ref<const std::string &>());
        else
            fail();
    }

    void carryAny(Json &value) override { value = here(); }
    bool isNull() const override { return here().is_null(); }
    bool isText() const override { return here().is_string(); }
    void setNull() override {}

    qsizetype carryList(qsizetype) override
    {
        if (here().is_array())
            return static_cast<qsizetype>(here().size());
        fail();
        return 0;
    }

    QStringList memberKeys() override
    {
        QStringList keys;
        if (here().is_object()) {
            for (const auto &[key, member] : here().get_ref<const Json::object_t &>())
                keys << QString::fromStdString(key);
        } else if (m_isStrict) {
            fail();
        }
        if (!m_known.empty())
            m_known.back() = QSet<QString>(keys.begin(), keys.end());
        return keys;
    }

    void beginObject() override
    {
        if (!here().is_structured())
            fail();
        if (m_isStrict)
            m_known.emplace_back();
    }

    void endObject() override
    {
        if (!m_isStrict)
            return;
        if (here().is_object()) {
            for (const auto &[text, member] : here().get_ref<const Json::object_t &>()) {
                if (const QString key = QString::fromStdString(text); !m_known.back().contains(key))
                    fail(pathOf(key), false);
            }
        }
        m_known.pop_back();
    }

    QString pathOf(const QString &key) const override
    {
        QStringList keys;
        for (const Place &place : m_path) {
            if (place.json != m_path.front().json)
                keys << (place.key ? QString::fromUtf8(place.key) : QString::number(place.index));
        }
        if (!key.isEmpty())
            keys << key;
        return keys.join('.'_L1);
    }

    std::vector<Place> m_path;
    bool m_isStrict;
    /// The keys that were asked for, of each object around the present value.
    std::vector<QSet<QString>> m_known;
};

} // namespace

void visitFields(Fields &fields, Error &error)
{
    fields("what", error.what);
    fields("where", error.where);
    fields("mend", error.mend);
}

void Fields::carrySentence(Sentence &sentence, int depth)
{
    constexpr int deepest = 16;
    if (isReading() ? isText() || depth == deepest : sentence.isPlain()) {
        carryText(sentence.m_plain);
        return;
    }
    const qsizetype size = carryList(sentence.m_arguments.size() + 1);
    QString id = sentence.id();
    at(0, id);
    if (isReading()) {
        sentence.setId(id);
        sentence.m_arguments.resize(std::max(size - 1, qsizetype(0)));
    }
    for (qsizetype index = 1; index < size && (!m_problem || !isReading()) && enterItem(index); ++index) {
        carrySentence(itemOf(sentence.m_arguments, index - 1), depth + 1);
        leave();
    }
}

Sentence Fields::spoken(const std::optional<Sentence> &made, const QString &text, Earlier earlier)
{
    if (!made && earlier)
        return Sentence(earlier(text));
    return made && !made->isPlain() ? *made : Sentence(text);
}

void JsonAccess::write(Json &json, Visit visit, void *value)
{
    json = nullptr;
    FieldWriter writer(json);
    visit(writer, value);
}

QByteArray JsonAccess::written(const char *key, Visit visit, void *value, int indent)
{
    Json json;
    write(key ? json[key] : json, visit, value);
    return jsonText(json, indent);
}

std::optional<WrongKey> JsonAccess::read(const Json &json, Visit visit, void *value, bool isStrict)
{
    FieldReader reader(json, isStrict);
    visit(reader, value);
    return reader.problem();
}

static Json parsed(const QByteArray &text, const QByteArrayList &leftOut)
{
    if (leftOut.isEmpty())
        return Json::parse(text.begin(), text.end(), nullptr, false);
    bool skipsNext = false;
    const auto isWanted = [&](int, Json::parse_event_t event, const Json &value) {
        const bool isSkipped = std::exchange(skipsNext, false);
        if (event != Json::parse_event_t::key)
            return !isSkipped;
        const auto &key = value.get_ref<const std::string &>();
        skipsNext = std::ranges::any_of(leftOut, [&](const QByteArray &each) { return key == each.data(); });
        return true;
    };
    return Json::parse(text.begin(), text.end(), isWanted, false);
}

bool JsonAccess::read(const QByteArray &text, const char *key, Visit visit, void *value,
                      const QByteArrayList &leftOut)
{
    const Json json = parsed(text, leftOut);
    if (json.is_discarded())
        return false;
    if (!key)
        return !read(json, visit, value, false);
    const auto found = json.is_object() ? json.find(key) : json.end();
    return found != json.end() && !read(*found, visit, value, false);
}

} // namespace rankdeck
