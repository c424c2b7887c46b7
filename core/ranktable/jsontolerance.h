#pragma once

#include <QByteArray>

#include <vector>

namespace rankdeck
{

/// Something that people write into JSON files although JSON does not have it.
struct JsonBlemish {
    enum class Kind {
        ByteOrderMark,
        Comment,       ///< "// …", "/* … */" or "# …".
        TrailingComma, ///< A comma before a closing bracket.
        Elision,       ///< "..." or "…" where something was left out.
    };
    Kind kind = Kind::Comment;
    qsizetype offset = 0; ///< In bytes.

    bool operator==(const JsonBlemish &) const = default;
};

struct ToleratedJson {
    QByteArray
        text; ///< As long as the original, blemishes replaced by blanks: every offset stays what it was.
    std::vector<JsonBlemish> blemishes;
};

/// Take out what a person may leave in a JSON file. What stands in strings is left alone.
ToleratedJson tolerateJson(const QByteArray &text);

} // namespace rankdeck
