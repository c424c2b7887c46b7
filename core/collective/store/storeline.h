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

void visitFields(Fields &fields, StoreLine &line);

} // namespace rankdeck
