#include "ranktable/rules/textcheck.h"
#include "ranktable/rules/rulewords.h"

namespace rankdeck
{

namespace
{

using Effect = FindingCollector::Effect;

void checkBlemish(const JsonDocument &document, const JsonBlemish &blemish, FindingCollector &findings)
{
    switch (blemish.kind) {
    case JsonBlemish::Kind::ByteOrderMark:
        findings.add(rules::byteOrderMark, document, blemish.offset,
                     ruleWords("The file begins with a byte order mark."),
                     ruleWords("Save it as UTF-8 without one."));
        break;
    case JsonBlemish::Kind::Comment:
        findings.add(rules::comment, document, blemish.offset,
                     ruleWords("JSON has no comments; the communication library rejects them."),
                     ruleWords("Take the comment out."));
        break;
    case JsonBlemish::Kind::TrailingComma:
        findings.add(rules::trailingComma, document, blemish.offset,
                     ruleWords("A comma that no further entry follows."), ruleWords("Take the comma out."));
        break;
    case JsonBlemish::Kind::Elision:
        findings.add(rules::elision, document, blemish.offset, ruleWords("Something was left out here."),
                     ruleWords("Write what the dots stand for."));
        break;
    }
}

void checkProblem(const JsonDocument &document, const JsonDocument::Problem &problem,
                  FindingCollector &findings)
{
    using Kind = JsonDocument::Problem::Kind;
    switch (problem.kind) {
    case Kind::Syntax:
        findings.add(
            rules::syntax, document, problem.offset,
            ruleWords("The file is not valid JSON at this line and column."),
            ruleWords(
                "Look for a missing comma, colon or quote, or one that is too many, here or just before."),
            Effect::Unusable);
        break;
    case Kind::Truncated:
        findings.add(rules::truncated, document, problem.offset,
                     ruleWords("The file ends in the middle: it is not valid JSON."),
                     ruleWords("Wait until it is written, or complete it."), Effect::Unusable);
        break;
    case Kind::NumberTooLarge:
        findings.add(rules::hostile, document, problem.offset,
                     ruleWords("The number is too large for any reader."), ruleWords("Correct the number."),
                     Effect::Unusable);
        break;
    case Kind::TooDeep:
        findings.add(rules::hostile, document, problem.offset,
                     ruleWords("The file is nested more than %1 deep, which no rank table is.")
                         .arg(JsonDocument::maxDepth),
                     ruleWords("Name a rank table."), Effect::Unusable);
        break;
    case Kind::TooManyValues:
        findings.add(rules::hostile, document, problem.offset,
                     ruleWords("The file holds more than %L1 values, which no rank table does.")
                         .arg(JsonDocument::maxValues),
                     ruleWords("Name a rank table."), Effect::Unusable);
        break;
    }
}

} // namespace

void checkText(const JsonDocument &document, FindingCollector &findings)
{
    for (const JsonBlemish &blemish : document.blemishes())
        checkBlemish(document, blemish, findings);
    if (document.problem())
        checkProblem(document, *document.problem(), findings);
    for (const JsonValue duplicate : document.duplicates())
        findings.add(rules::duplicateKey, duplicate,
                     ruleWords("\"%1\" stands twice in this object; the last one counts.")
                         .arg(QString::fromUtf8(duplicate.key())),
                     ruleWords("Take one of them out."));
}

} // namespace rankdeck
