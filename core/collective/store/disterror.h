#pragma once

#include "base/tr.h"

#include <functional>
#include <stdexcept>
#include <thread>

namespace rankdeck
{

/// Why a process group, which cannot be used any more, does not work: one sentence, with known ranks.
class DistError : public std::runtime_error
{
public:
    explicit DistError(const QString &sentence)
        : std::runtime_error(sentence.toStdString())
    {
    }
    QString sentence() const { return QString::fromUtf8(what()); }
};

/// Returns the error that the machine makes no more threads.
DistError noThreadError();

/// Runs `work` in a thread of its own. @throws DistError noThreadError().
std::thread inOwnThread(std::function<void()> work);

} // namespace rankdeck
