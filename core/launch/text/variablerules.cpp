#include "launch/text/variablerules.h"

#include "base/json.h"
#include "base/listcomma.h"

#include <QFile>

#include <algorithm>

// The macro declares a function of the global namespace.
static void makeVariablesAvailable()
{
    Q_INIT_RESOURCE(variables);
}

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

constexpr qint64 noMost = std::numeric_limits<qint32>::max();

NumberRule numberRuleOf(const Json &range, const Json &rule)
{
    NumberRule number;
    number.least = range.at(0).get<qint64>();
    number.most = range.size() > 1 ? range.at(1).get<qint64>() : noMost;
    number.decimals = rule.value("decimals", 0);
    number.multipleOf = rule.value("multiple", 1);
    return number;
}

QStringList stringsOf(const Json &rule, const char *key)
{
    QStringList texts;
    const auto found = rule.find(key);
    if (found != rule.end()) {
        for (const Json &text : *found)
            texts << text.get<QString>();
    }
    return texts;
}

QString stringOf(const Json &rule, const char *key)
{
    const auto found = rule.find(key);
    return found == rule.end() ? QString() : found->get<QString>();
}

ValueRule valueRuleOf(const Json &rule)
{
    ValueRule value;
    if (rule.contains("number"))
        value.number = numberRuleOf(rule.at("number"), rule);
    value.words = stringsOf(rule, "words") + stringsOf(rule, "also");
    value.ignoresCase = rule.value("ignoreCase", false);
    value.isFraction = rule.value("fraction", false);
    value.isOpen = rule.value("open", false);
    return value;
}

VariableRule variableRuleOf(const Json &json)
{
    VariableRule rule;
    rule.name = json.at("name").get<QString>();
    rule.value = valueRuleOf(json);
    if (json.contains("advised"))
        rule.advised = numberRuleOf(json.at("advised"), Json::object());
    if (json.contains("pattern"))
        rule.form.emplace(stringOf(json, "pattern"), rule.value.ignoresCase
                                                         ? QRegularExpression::CaseInsensitiveOption
                                                         : QRegularExpression::NoPatternOption);
    if (json.contains("items")) {
        for (const auto &[key, item] : json.at("items").items())
            rule.items.insert(QString::fromStdString(key), valueRuleOf(item));
    }
    rule.mayHaveOtherKeys = json.value("otherKeys", false);
    rule.separators = stringOf(json, "separators");
    rule.examples = stringsOf(json, "examples");
    rule.isVoidWithSpaces = stringOf(json, "spaces") == "void"_L1;
    if (json.contains("needs")) {
        rule.needed = stringOf(json.at("needs"), "variable");
        rule.neededValue = stringOf(json.at("needs"), "value");
    }
    rule.option = stringOf(json, "option");
    rule.replacedBy = stringOf(json, "replacedBy");
    return rule;
}

VariableConflict conflictOf(const Json &json)
{
    VariableConflict conflict;
    conflict.variable = json.at("variable").get<QString>();
    conflict.value = stringOf(json, "value");
    conflict.other = json.at("other").get<QString>();
    conflict.otherValue = stringOf(json, "otherValue");
    conflict.isError = json.value("error", false);
    conflict.overrides = json.value("overrides", false);
    return conflict;
}

bool isInRange(const NumberRule &rule, const QString &text)
{
    static const QRegularExpression form(u"^-?\\d{1,18}(?:\\.(\\d+))?$"_s);
    const auto match = form.match(text);
    if (!match.hasMatch() || match.captured(1).size() > rule.decimals)
        return false;
    const double number = text.toDouble();
    const auto whole = static_cast<qint64>(number);
    return number >= static_cast<double>(rule.least) && number <= static_cast<double>(rule.most) &&
           whole % rule.multipleOf == 0;
}

/// Checks the variables of one environment, and keeps the findings.
class RuleReview
{
public:
    RuleReview(const VariableLookup &valueOf, const QStringList &options)
        : m_valueOf(valueOf)
        , m_options(options)
    {
    }

    void review(const VariableRule &rule)
    {
        const QString value = m_valueOf(rule.name);
        if (value.isEmpty())
            return;
        if (!reviewSpaces(rule, value))
            return;
        if (!reviewValue(rule, value))
            return;
        reviewAdvice(rule, value);
        reviewNeeds(rule);
        if (m_options.contains(rule.option))
            add(rule.name, false,
                tr("%1 has bound the ranks to cpus, so torch_npu leaves their threads alone: it has no "
                   "effect")
                    .arg(rule.option),
                tr("Unset it, or launch without %1.").arg(rule.option), {rule.name, {}});
        if (!rule.replacedBy.isEmpty() && m_valueOf(rule.replacedBy).isEmpty())
            add(rule.name, false, tr("it is an old name, which newer versions do not read"),
                tr("Set %1 instead.").arg(rule.replacedBy), {rule.replacedBy, value});
    }

    void review(const VariableConflict &conflict)
    {
        const auto has = [&](const QString &name, const QString &wanted) {
            const QString value = m_valueOf(name);
            return !value.isEmpty() && (wanted.isEmpty() || value == wanted);
        };
        if (!has(conflict.variable, conflict.value) || !has(conflict.other, conflict.otherValue))
            return;
        if (conflict.overrides)
            add(conflict.variable, false, tr("it has no effect while %1 is set").arg(conflict.other),
                tr("Unset one of them."), {conflict.variable, {}});
        else
            add(conflict.variable, conflict.isError,
                tr("it is set together with %1, and they exclude each other").arg(conflict.other),
                tr("Unset one of them."), {conflict.variable, {}});
    }

    std::vector<EnvironmentProblem> take() { return std::move(m_problems); }

private:
    void add(const QString &variable, bool isError, const QString &what, const QString &mend,
             const VariableFix &fix = {})
    {
        m_problems.push_back({variable, isError, what, mend, fix});
    }

    /// @param form the required form, in words. @param better value to set; empty: not known.
    void rejectValue(const VariableRule &rule, const QString &value, const QString &form,
                     const QString &better = {})
    {
        if (rule.value.isOpen)
            add(rule.name, false, tr("it is \"%1\", which is not documented").arg(value),
                tr("Set %1 to %2, or unset it.").arg(rule.name, form), {rule.name, better});
        else
            add(rule.name, true, tr("it is \"%1\", which is not %2").arg(value, form),
                tr("Set %1 to %2, or unset it.").arg(rule.name, form), {rule.name, better});
    }

    bool reviewSpaces(const VariableRule &rule, const QString &value)
    {
        static const QRegularExpression space(u"\\s+"_s);
        if (!rule.isVoidWithSpaces || !value.contains(space))
            return true;
        QString without = value;
        without.remove(space);
        add(rule.name, true, tr("\"%1\" contains a space, so all of it is ignored").arg(value),
            tr("Write it without spaces: %1.").arg(without), {rule.name, without});
        return false;
    }

    bool reviewValue(const VariableRule &rule, const QString &value)
    {
        if (!rule.items.isEmpty())
            return reviewItems(rule, value);
        if (rule.form && !rule.form->match(value).hasMatch()) {
            rejectValue(rule, value,
                        tr("written like %1").arg(rule.examples.join(tr(" or ", "between examples"))));
            return false;
        }
        if (rule.form || rule.value.allows(value))
            return true;
        rejectValue(rule, value, rule.value.inWords(), rule.value.nearest(value));
        return false;
    }

    bool reviewItems(const VariableRule &rule, const QString &value)
    {
        QString separated = value;
        for (const QChar separator : rule.separators)
            separated.replace(separator, '\n'_L1);
        const QStringList items = separated.split('\n'_L1, Qt::SkipEmptyParts);
        const QString like = tr("written like %1").arg(rule.examples.value(0));
        for (const QString &item : items) {
            const QString key = item.section(':'_L1, 0, 0).trimmed();
            const QString its = item.section(':'_L1, 1).trimmed();
            const auto known = rule.items.constFind(key);
            if (its.isEmpty() || (known == rule.items.cend() && !rule.mayHaveOtherKeys)) {
                add(rule.name, true, tr("\"%1\" in it is not understood").arg(item.trimmed()),
                    tr("Set %1 to %2, or unset it.").arg(rule.name, like));
                return false;
            }
            if (known == rule.items.cend() || known->allows(its))
                continue;
            add(rule.name, true, tr("%1 in it is \"%2\", which is not %3").arg(key, its, known->inWords()),
                tr("Set %1 to %2, or unset it.").arg(rule.name, like), betterItem(rule, value, item, *known));
            return false;
        }
        return true;
    }

    static VariableFix betterItem(const VariableRule &rule, QString value, const QString &item,
                                  const ValueRule &known)
    {
        const QString better = known.nearest(item.section(':'_L1, 1).trimmed());
        if (better.isEmpty())
            return {};
        value.replace(item, item.section(':'_L1, 0, 0) + ':'_L1 + better);
        return {rule.name, value};
    }

    void reviewAdvice(const VariableRule &rule, const QString &value)
    {
        if (!rule.advised || isInRange(*rule.advised, value))
            return;
        const ValueRule advised{rule.advised};
        add(rule.name, false, tr("it is %1, which may fail or be slow").arg(value),
            tr("Set %1 to %2, or unset it.").arg(rule.name, advised.inWords()),
            {rule.name, advised.nearest(value)});
    }

    void reviewNeeds(const VariableRule &rule)
    {
        if (rule.needed.isEmpty())
            return;
        const QString other = m_valueOf(rule.needed);
        if (rule.neededValue.isEmpty() ? !other.isEmpty() : other == rule.neededValue)
            return;
        const QString wanted =
            rule.neededValue.isEmpty() ? rule.needed : rule.needed + '='_L1 + rule.neededValue;
        add(rule.name, false, tr("it has no effect without %1").arg(wanted),
            tr("Set %1, or unset it.").arg(wanted), {rule.needed, rule.neededValue});
    }

    const VariableLookup &m_valueOf;
    const QStringList &m_options;
    std::vector<EnvironmentProblem> m_problems;
};

} // namespace

bool ValueRule::allows(const QString &value) const
{
    if (!number && words.isEmpty() && !isFraction)
        return true;
    if (words.contains(value, ignoresCase ? Qt::CaseInsensitive : Qt::CaseSensitive))
        return true;
    if (number && isInRange(*number, value))
        return true;
    bool isNumber = false;
    const double read = value.toDouble(&isNumber);
    return isFraction && isNumber && read > 0 && read < 1;
}

QString ValueRule::inWords() const
{
    if (isFraction)
        return tr("a fraction between 0 and 1");
    if (!number)
        return tr("one of %1").arg(words.join(nameComma()));
    const QString multiple =
        number->multipleOf > 1 ? tr(", a multiple of %1").arg(number->multipleOf) : QString();
    const bool isWhole = number->decimals == 0;
    if (number->most == noMost)
        return (isWhole ? tr("a whole number from %1 up") : tr("a number from %1 up")).arg(number->least) +
               multiple;
    return (isWhole ? tr("a whole number from %1 to %2") : tr("a number from %1 to %2"))
               .arg(number->least)
               .arg(number->most) +
           multiple;
}

QString ValueRule::nearest(const QString &value) const
{
    const QString stripped = value.trimmed();
    for (const QString &word : words) {
        if (word.compare(stripped, Qt::CaseInsensitive) == 0)
            return word;
    }
    bool isNumber = false;
    const qint64 read = stripped.toLongLong(&isNumber);
    if (!number || !isNumber)
        return {};
    const qint64 inRange = std::clamp(read, number->least, number->most);
    return QString::number(inRange - inRange % number->multipleOf);
}

Result<VariableRules> VariableRules::fromJson(const QByteArray &text)
{
    const auto json = parseJson(text);
    const auto unusable = [](const QString &where) {
        return Error{tr("this is not a file of rules for variables"), where, {}};
    };
    if (!json || !json->is_object())
        return unusable({});
    VariableRules rules;
    try {
        for (const Json &rule : json->at("variables")) {
            rules.variables.push_back(variableRuleOf(rule));
            const auto &form = rules.variables.back().form;
            if (form && !form->isValid())
                return unusable(rules.variables.back().name);
        }
        for (const Json &conflict : json->at("conflicts"))
            rules.conflicts.push_back(conflictOf(conflict));
    } catch (const Json::exception &) {
        return unusable(rules.variables.empty() ? QString() : rules.variables.back().name);
    }
    return rules;
}

static VariableRules readOwnRules()
{
    makeVariablesAvailable();
    QFile file(u":/rankdeck/variables/variables.json"_s);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("The rules for variables are missing.");
    const auto rules = VariableRules::fromJson(file.readAll());
    if (!rules)
        qFatal("The rules for variables are wrong: %s", qPrintable(rules.error().sentence()));
    return *rules;
}

const VariableRules &VariableRules::all()
{
    static const VariableRules rules = readOwnRules();
    return rules;
}

std::vector<EnvironmentProblem> problemsByRules(const VariableRules &rules, const VariableLookup &valueOf,
                                                const QStringList &options)
{
    RuleReview review(valueOf, options);
    for (const VariableRule &rule : rules.variables)
        review.review(rule);
    for (const VariableConflict &conflict : rules.conflicts)
        review.review(conflict);
    return review.take();
}

} // namespace rankdeck
