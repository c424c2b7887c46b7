#pragma once

#include "ranktable/ranktable.h"

#include <cstdint>
#include <span>

namespace rankdeck
{

struct Shape;

/// What a key of an object must look like.
struct KeyShape {
    enum class Type {
        String,
        NumberString, ///< A string that holds a whole number: in version 1.x every scalar is a string.
        Number,       ///< A whole number that is one.
        Objects,      ///< A list of objects of shape `item`.
        List,         ///< A list of anything.
        Any,
    };
    enum class Need {
        Optional,
        Documented, ///< The documentation asks for it, the library does not.
        Required,   ///< The library rejects the table without it.
        Essential,  ///< Required, and nothing can be launched without it.
    };

    const char *name;
    Type type = Type::String;
    Need need = Need::Optional;
    std::int64_t least = 0; ///< Of a number; of a list its length counts.
    std::int64_t most = INT32_MAX;
    const Shape *item = nullptr;
};

/// What an object must hold.
struct Shape {
    std::span<const KeyShape> keys;
    /// A key whose number counts what the object's lists are about: at 0 nobody reads them. May be null.
    const char *countKey = nullptr;
};

/// The shape of a whole table of this form.
const Shape &shapeOf(RankTableForm form);

} // namespace rankdeck
