#pragma once

#include "run/terminal.h"

#include <optional>

#include <termios.h>

namespace rankdeck
{

/// Has the terminal on standard input hand on every key as it is pressed, Ctrl-C too, until this object goes;
/// does nothing where standard input is none.
class RawTerminal
{
public:
    RawTerminal();
    ~RawTerminal();
    RawTerminal(const RawTerminal &) = delete;
    RawTerminal &operator=(const RawTerminal &) = delete;

    /// Whether standard input is a terminal.
    bool isThere() const { return m_before.has_value(); }
    /// How large it is; nothing when there is none.
    std::optional<TerminalSize> size() const;

private:
    std::optional<termios> m_before;
};

} // namespace rankdeck
