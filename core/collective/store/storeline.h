#pragma once

#include "base/fields.h"

namespace rankdeck
{

/// A line between a rank and the store, one JSON object. Values are in base64.
struct StoreLine {
    std::optional<int> join = {}; ///< A rank joins …
    std::optional<int> of = {};   ///< … as one of so many.
    std::optional<QByteArray> set = {};
    std::optional<QByteArray> get = {};
    std::optional<QList<QByteArray>> wait = {};    ///< Keys to wait for.
    std::optional<QList<QByteArray>> missing = {}; ///< Keys; asks which of them have no value.
    std::optional<int> number = {};                ///< A question and its answer have the same.
    std::optional<QByteArray> value = {};
    bool isReady = false;             ///< The answer to `wait`.
    std::optional<QString> over = {}; ///< Why no question is answered any more.
};

inline void visitFields(Fields &fields, StoreLine &line)
{
    fields.optional("join", line.join);
    fields.optional("of", line.of);
    fields.optional("set", line.set);
    fields.optional("get", line.get);
    fields.optional("wait", line.wait);
    fields.optional("missing", line.missing);
    fields.lenient("n", line.number);
    fields.optional("value", line.value);
    fields.optional("ready", line.isReady);
    fields.optional("over", line.over);
}

} // namespace rankdeck
