#pragma once

#include "result.h"

#include <QString>

#include <optional>

namespace rankdeck
{

/// Write `text` to `path` as UTF-8, whole or not at all. Blocks. Nothing when all went well.
std::optional<Error> saveText(const QString &text, const QString &path);

} // namespace rankdeck
