#pragma once

#include "base/tr.h"

#include <stdexcept>

namespace rankdeck
{

/// Why a process group does not work: one sentence, which names ranks where they can be told. After it the
/// group is of no use.
class DistError : public std::runtime_error
{
public:
    explicit DistError(const QString &sentence)
        : std::runtime_error(sentence.toStdString())
    {
    }
    QString sentence() const { return QString::fromUtf8(what()); }
};

} // namespace rankdeck
