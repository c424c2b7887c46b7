#include "rankdeckctl/top/fullscreen.h"

#include "base/program.h"

#include <QFile>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <langinfo.h>
#include <map>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS // Their names are those of Qt's and our functions.
#include <curses.h>

namespace rankdeck
{

struct FullScreen::Screen {
    SCREEN *screen = nullptr;
    bool hasColors = false;
    bool isUtf8 = false;
};

/// Starts ncurses for the first of these terminals with a description on this machine: minimal systems have
/// few, and all terminals in use understand a vt100's sequences.
static SCREEN *newScreen()
{
    // The systems' directories, and last the one of a package; programs that are started do not see this.
    constexpr const char *variable = "TERMINFO_DIRS";
    const bool isGiven = qEnvironmentVariableIsSet(variable);
    if (!isGiven)
        qputenv(variable, "/etc/terminfo:/lib/terminfo:/usr/lib/terminfo:/usr/share/terminfo:" +
                              QFile::encodeName(packageDirectory()) + "/share/terminfo");
    SCREEN *screen = nullptr;
    for (const QByteArray &name : {qgetenv("TERM"), QByteArray("xterm"), QByteArray("vt100")}) {
        if (!screen && !name.isEmpty())
            screen = newterm(name.constData(), stdout, stdin);
    }
    if (!isGiven)
        qunsetenv(variable);
    return screen;
}

/// Returns true if characters beyond ASCII can be shown. Minimal systems have no locale for that: a package
/// brings one.
static bool useUtf8()
{
    const auto isUtf8 = [] {
        return qstrcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    };
    constexpr const char *variable = "LOCPATH";
    if (isUtf8() || packageDirectory().isEmpty() || qEnvironmentVariableIsSet(variable))
        return isUtf8();
    qputenv(variable, QFile::encodeName(packageDirectory()) + "/share/locale");
    std::setlocale(LC_CTYPE, "C.UTF-8");
    qunsetenv(variable);
    return isUtf8();
}

Result<std::unique_ptr<FullScreen>> FullScreen::open()
{
    if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0)
        return Error{tr("standard input and output are not a terminal"),
                     {},
                     tr("Use rankdeckctl progress or rankdeckctl devices.")};
    if (qgetenv("TERM") == "dumb")
        return Error{tr("this terminal cannot show a full screen"), u"TERM=dumb"_s, {}};
    auto screen = std::make_unique<Screen>();
    screen->isUtf8 = useUtf8();
    // Before newterm(), which would handle SIGWINCH itself.
    std::unique_ptr<FullScreen> terminal(new FullScreen(std::move(screen)));
    Screen &own = *terminal->m_screen;
    own.screen = newScreen();
    if (!own.screen)
        return Error{tr("the terminal \"%1\" is not known here").arg(qEnvironmentVariable("TERM")), u"TERM"_s,
                     tr("Set TERM, for example to xterm.")};
    cbreak();
    noecho();
    nonl();
    curs_set(0);
    keypad(stdscr, true);
    nodelay(stdscr, true);
    constexpr int escapeMs = 25; // Time after Escape in which another byte would make it a key's sequence.
    set_escdelay(escapeMs);
    if (qEnvironmentVariableIsEmpty("NO_COLOR") && has_colors() && start_color() == OK) {
        use_default_colors();
        constexpr int most = 16;
        for (int color = 0; color < std::min(COLORS, most); ++color)
            init_pair(short(color + 1), short(color), -1);
        own.hasColors = true;
    }
    return terminal;
}

FullScreen::FullScreen(std::unique_ptr<Screen> screen)
    : m_screen(std::move(screen))
    , m_signals({SIGWINCH, SIGINT, SIGTERM, SIGHUP})
    , m_keys(STDIN_FILENO, QSocketNotifier::Read)
{
    connect(&m_signals, &UnixSignals::received, this, &FullScreen::onSignal);
    connect(&m_keys, &QSocketNotifier::activated, this, &FullScreen::readKeys);
}

FullScreen::~FullScreen()
{
    if (!m_screen->screen)
        return;
    endwin();
    delscreen(m_screen->screen);
}

QSize FullScreen::size() const
{
    return {getmaxx(stdscr), getmaxy(stdscr)};
}

void FullScreen::onSignal(int number)
{
    if (number != SIGWINCH) {
        Q_EMIT closed();
        return;
    }
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
    clearok(curscr, true);
    Q_EMIT resized();
}

using KeyNames = std::map<wint_t, Key::Name>;

static std::optional<Key> keyIn(const KeyNames &names, wint_t code)
{
    const auto found = names.find(code);
    return found == names.end() ? std::nullopt : std::optional(Key{found->second});
}

static std::optional<Key> namedKey(wint_t code)
{
    static const KeyNames names{{KEY_UP, Key::Up},        {KEY_DOWN, Key::Down},
                                {KEY_LEFT, Key::Left},    {KEY_RIGHT, Key::Right},
                                {KEY_PPAGE, Key::PageUp}, {KEY_NPAGE, Key::PageDown},
                                {KEY_HOME, Key::Home},    {KEY_END, Key::End},
                                {KEY_ENTER, Key::Enter},  {KEY_BACKSPACE, Key::Backspace}};
    return keyIn(names, code);
}

static std::optional<Key> typedKey(wint_t code)
{
    constexpr wint_t escape = 0x1b;
    constexpr wint_t del = 0x7f;
    static const KeyNames names{{'\r', Key::Enter},     {'\n', Key::Enter},    {'\t', Key::Tab},
                                {'\b', Key::Backspace}, {del, Key::Backspace}, {escape, Key::Escape}};
    if (const auto key = keyIn(names, code); key || code < ' ')
        return key;
    const char32_t character = code;
    return Key{Key::Text, QString::fromUcs4(&character, 1)};
}

void FullScreen::readKeys()
{
    wint_t code = 0;
    int kind = wget_wch(stdscr, &code);
    if (kind == ERR) {
        pollfd terminal{STDIN_FILENO, POLLIN, 0};
        if (::poll(&terminal, 1, 0) > 0) { // There is something to read that cannot be read: its end.
            m_keys.setEnabled(false);
            Q_EMIT closed();
        }
        return;
    }
    for (; kind != ERR; kind = wget_wch(stdscr, &code)) {
        if (const auto key = kind == KEY_CODE_YES ? namedKey(code) : typedKey(code))
            Q_EMIT pressed(*key);
    }
}

/// Returns the text for a terminal without UTF-8.
static QString plainText(QString text)
{
    constexpr char16_t lastAscii = 0x7e;
    for (QChar &character : text) {
        if (character == u'…')
            character = u'~';
        else if (character == u'·' || character == u'─')
            character = u'-';
        else if (character == u'│')
            character = u'|';
        else if (character.unicode() > lastAscii)
            character = u'?';
    }
    return text;
}

void FullScreen::drawRun(const LogRun &run, bool isChosen) const
{
    attr_t attributes = isChosen ? A_REVERSE : A_NORMAL;
    if (run.style.bold)
        attributes |= A_BOLD;
    if (run.style.underline)
        attributes |= A_UNDERLINE;
    short pair = 0;
    constexpr quint32 basic = 8;
    // Reversed, each colour would be another background, and a dim one hides its text.
    if (m_screen->hasColors && !isChosen && run.style.foreground.kind == LogColor::Kind::Indexed &&
        run.style.foreground.value < 2 * basic) {
        quint32 color = run.style.foreground.value;
        if (color == basic && COLORS <= int(basic)) {
            color = COLORS; // Bright black would be black there.
        } else if (color >= quint32(COLORS)) {
            color -= basic;
            attributes |= A_BOLD;
        }
        pair = color < quint32(COLORS) ? short(color + 1) : short(0);
    }
    wattr_set(stdscr, attributes, pair, nullptr);
    const std::wstring text = (m_screen->isUtf8 ? run.text : plainText(run.text)).toStdWString();
    waddnwstr(stdscr, text.data(), int(text.size()));
}

void FullScreen::draw(const QList<ScreenLine> &lines)
{
    const QSize room = size();
    werase(stdscr);
    for (int row = 0; row < room.height() && row < lines.size(); ++row) {
        const ScreenLine &line = lines[row];
        wmove(stdscr, row, 0);
        for (const LogRun &run : partOf(line.runs, 0, room.width()))
            drawRun(run, line.isChosen);
        if (line.isChosen)
            drawRun({QString(std::max(0, room.width() - cellsOf(line.runs)), u' '), {}}, true);
    }
    wrefresh(stdscr);
}

} // namespace rankdeck
