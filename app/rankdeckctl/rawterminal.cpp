#include "rawterminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace rankdeck
{

RawTerminal::RawTerminal()
{
    termios settings{};
    if (tcgetattr(STDIN_FILENO, &settings) != 0)
        return;
    m_before = settings;
    cfmakeraw(&settings);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings);
}

RawTerminal::~RawTerminal()
{
    if (m_before)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &*m_before);
}

std::optional<TerminalSize> RawTerminal::size() const
{
    winsize window{};
    if (!m_before || ioctl(STDIN_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_row == 0 ||
        window.ws_col == 0)
        return std::nullopt;
    return TerminalSize{window.ws_row, window.ws_col};
}

} // namespace rankdeck
