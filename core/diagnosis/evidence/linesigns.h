#pragma once

#include "diagnosis/catalogue/errorcatalogue.h"

namespace rankdeck
{

/// Tells whether a line matters for a diagnosis: a known error, a line that calls itself an error, the head
/// of a traceback, or facts on ranks and timeouts. Linear in its length (RE2). Threads may share one.
class LineSigns
{
public:
    struct Signs {
        const ErrorEntry *entry = nullptr; ///< The heaviest that matches.
        bool isTracebackHead = false;      ///< Python's traceback, or a dump of faulthandler.
        bool isErrorWord = false;          ///< "ERROR" and the like stand in it.
        bool isFactWord = false;

        bool isNothing() const { return !entry && !isTracebackHead && !isErrorWord && !isFactWord; }
    };

    explicit LineSigns(const ErrorCatalogue &catalogue);
    ~LineSigns();
    Q_DISABLE_COPY_MOVE(LineSigns)

    Signs of(std::string_view line) const;
    const ErrorCatalogue &catalogue() const { return m_catalogue; }

private:
    struct Patterns;

    ErrorCatalogue m_catalogue;
    std::unique_ptr<Patterns> m_patterns;
};

} // namespace rankdeck
