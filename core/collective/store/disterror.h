#pragma once

#include "base/tr.h"

#include <stdexcept>

namespace rankdeck
{

/// The reason why a process group does not work: one sentence, with the ranks if they are known. The group
/// cannot be used after it.
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
