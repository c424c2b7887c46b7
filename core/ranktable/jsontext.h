#pragma once

#include "ranktable/ranktable.h"

namespace rankdeck
{

/// JSON text of an object, key by key; values are JSON text themselves. Rank tables are written as text, not
/// through a tree of values: what a table says beside what Rankdeck knows stays as it was written, and
/// 100,000 devices take a fraction of a second.
class JsonObjectText
{
public:
    JsonObjectText &add(const char *key, const QByteArray &value);
    JsonObjectText &addString(const char *key, const QString &text);
    /// A number written as a string, as the forms before 2.0 want it.
    JsonObjectText &addNumberString(const char *key, qint64 number);
    JsonObjectText &addNumber(const char *key, qint64 number);
    JsonObjectText &addAll(const OtherKeys &otherKeys);
    QByteArray text() const { return '{' + m_members + '}'; }

private:
    QByteArray m_members;
};

/// JSON text of a list, element by element.
class JsonListText
{
public:
    JsonListText &add(const QByteArray &element);
    QByteArray text() const { return '[' + m_elements + ']'; }

private:
    QByteArray m_elements;
};

/// The same JSON with a line for each value and two spaces of indent, ending in a line end.
QByteArray laidOutJson(const QByteArray &json);

} // namespace rankdeck
