#pragma once

#include "diagnosis/catalogue/errorcatalogue.h"

#include <memory>
#include <string_view>
#include <vector>

namespace rankdeck
{

/// Tells in one look at a line whether it matters for a diagnosis: a known error of the catalogue, a line
/// that calls itself an error, the head of a traceback, or a word of HCCL's on ranks and timeouts. Linear in
/// the line's length, however many patterns there are (RE2). Several threads may use one at the same time.
class LineSigns
{
public:
    struct Signs {
        const ErrorEntry *entry = nullptr; ///< The heaviest that matches.
        bool isTracebackHead = false;      ///< Of Python's, or of a faulthandler's dump.
        bool isErrorWord = false;          ///< "ERROR" and the like stand in it.
        bool isHcclWord = false;

        bool isNothing() const { return !entry && !isTracebackHead && !isErrorWord && !isHcclWord; }
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
