#pragma once

#include "ranktable/ranktable.h"

#include <QStringList>

namespace rankdeck
{

/// A key of a JSON object with its value as JSON text.
struct JsonMember {
    QByteArray key; ///< As it stands between the quotes.
    QByteArray value;
};

/// The keys of `otherKeys` in their order. The text is taken to be a valid JSON object, or empty.
std::vector<JsonMember> membersOf(const OtherKeys &otherKeys);

/// The text again; empty when there are no members.
OtherKeys otherKeysOf(const std::vector<JsonMember> &members);

/// All but these keys.
OtherKeys otherKeysWithout(const OtherKeys &otherKeys, const QByteArrayList &keys);

/// What `first` says, and what only `second` says after it.
OtherKeys mergedOtherKeys(const OtherKeys &first, const OtherKeys &second);

/// The string or number under this key, as text; empty when there is none.
QString otherText(const OtherKeys &otherKeys, const QByteArray &key);

} // namespace rankdeck
