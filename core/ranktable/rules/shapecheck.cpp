#include "ranktable/rules/shapecheck.h"
#include "ranktable/rules/rulewords.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

using Type = KeyShape::Type;
using Need = KeyShape::Need;
using Effect = FindingCollector::Effect;

Effect effectOf(const KeyShape &key)
{
    return key.need == Need::Essential ? Effect::Unusable : Effect::Usable;
}

class ShapeCheck
{
public:
    explicit ShapeCheck(FindingCollector &findings)
        : m_findings(findings)
    {
    }

    void checkObject(JsonValue object, const Shape &shape, bool isEssential)
    {
        if (!object.isObject()) {
            m_findings.add(rules::wrongType, object, ruleWords("An object is expected here."),
                           ruleWords("Write { … }."), isEssential ? Effect::Unusable : Effect::Usable);
            return;
        }
        for (JsonValue member = object.first(); member.exists(); member = member.next())
            checkIsKnown(member, shape);
        const bool isCounted = !shape.countKey || object[shape.countKey].integer() != 0;
        for (const KeyShape &key : shape.keys) {
            if (!isCounted && key.type == Type::Objects)
                continue;
            const JsonValue value = object[key.name];
            if (value.exists())
                checkValue(value, key);
            else
                checkMayBeMissing(object, key);
        }
    }

private:
    void checkIsKnown(JsonValue member, const Shape &shape)
    {
        const bool isKnown = std::any_of(shape.keys.begin(), shape.keys.end(),
                                         [&](const KeyShape &key) { return member.hasKey(key.name); });
        if (!isKnown)
            m_findings.add(rules::unknownKey, member,
                           ruleWords("\"%1\" is no key of this form; it is kept, and not read.")
                               .arg(QString::fromUtf8(member.key())));
    }

    void checkMayBeMissing(JsonValue object, const KeyShape &key)
    {
        if (key.need == Need::Optional)
            return;
        const QString what = ruleWords("\"%1\" is missing.").arg(QLatin1String(key.name));
        const QString mend = ruleWords("Add \"%1\".").arg(QLatin1String(key.name));
        if (key.need == Need::Documented)
            m_findings.add(rules::missingDocumentedKey, object, what, mend);
        else
            m_findings.add(rules::missingKey, object, what, mend, effectOf(key));
    }

    void checkValue(JsonValue value, const KeyShape &key)
    {
        switch (key.type) {
        case Type::String:
            if (!value.isString())
                wrongType(value, key, ruleWords("a string"), ruleWords("Put it in double quotes."));
            return;
        case Type::NumberString:
        case Type::Number:
            checkNumber(value, key);
            return;
        case Type::Objects:
        case Type::List:
            checkList(value, key);
            return;
        case Type::Any:
            return;
        }
    }

    void wrongType(JsonValue value, const KeyShape &key, const QString &wanted, const QString &mend)
    {
        m_findings.add(rules::wrongType, value,
                       ruleWords("\"%1\" must be %2.").arg(QLatin1String(key.name), wanted), mend,
                       effectOf(key));
    }

    void checkNumber(JsonValue value, const KeyShape &key)
    {
        const bool isText = key.type == Type::NumberString;
        const bool isRightType = isText ? value.isString() : value.kind() == JsonValue::Kind::Number;
        const auto number = value.integer();
        const QString name = QLatin1String(key.name);
        if (!number) {
            m_findings.add(rules::notANumber, value,
                           isText ? ruleWords("\"%1\" must be a whole number in a string.").arg(name)
                                  : ruleWords("\"%1\" must be a whole number.").arg(name),
                           isText ? ruleWords("Write it like \"0\".") : ruleWords("Write it like 0."),
                           effectOf(key));
            return;
        }
        if (!isRightType)
            m_findings.add(rules::wrongType, value,
                           isText ? ruleWords("\"%1\" must be a string, but it is a number.").arg(name)
                                  : ruleWords("\"%1\" must be a number, but it is a string.").arg(name),
                           isText ? ruleWords("Write \"%1\".").arg(*number)
                                  : ruleWords("Write %1.").arg(*number));
        if (*number < key.least || *number > key.most) {
            const bool isNoIndex = *number < key.least || *number > INT32_MAX;
            m_findings.add(
                rules::outOfRange, value,
                key.most == INT32_MAX
                    ? ruleWords("\"%1\" is %2, which is below %3.").arg(name).arg(*number).arg(key.least)
                    : ruleWords("\"%1\" is %2, which is not in %3 to %4.")
                          .arg(name)
                          .arg(*number)
                          .arg(key.least)
                          .arg(key.most),
                ruleWords("Correct the number."), isNoIndex ? effectOf(key) : Effect::Usable);
        }
    }

    void checkList(JsonValue value, const KeyShape &key)
    {
        const QString name = QLatin1String(key.name);
        if (!value.isArray()) {
            wrongType(value, key, ruleWords("a list"), ruleWords("Write [ … ]."));
            return;
        }
        if (value.size() < key.least)
            m_findings.add(rules::emptyList, value, ruleWords("\"%1\" is empty.").arg(name),
                           ruleWords("Fill it, or take out the entry it belongs to."));
        else if (value.size() > key.most)
            m_findings.add(rules::longList, value,
                           ruleWords("\"%1\" has %2 entries; at most %3 are allowed.")
                               .arg(name)
                               .arg(value.size())
                               .arg(key.most),
                           ruleWords("Take out the ones that are too many."));
        if (!key.item)
            return;
        for (JsonValue item = value.first(); item.exists(); item = item.next())
            checkObject(item, *key.item, key.need == Need::Essential);
    }

    FindingCollector &m_findings;
};

} // namespace

void checkShape(JsonValue object, const Shape &shape, FindingCollector &findings)
{
    ShapeCheck(findings).checkObject(object, shape, true);
}

} // namespace rankdeck
