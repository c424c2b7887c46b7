#include "terminal/terminalkeys.h"

#include <QList>

#include <vterm.h>

#include <algorithm>
#include <optional>

namespace rankdeck
{

namespace
{

constexpr Qt::KeyboardModifiers meant =
    Qt::ControlModifier | Qt::ShiftModifier | Qt::AltModifier | Qt::MetaModifier;

VTermKey specialKey(int key)
{
    if (key >= Qt::Key_F1 && key <= Qt::Key_F12)
        return static_cast<VTermKey>(VTERM_KEY_FUNCTION(key - Qt::Key_F1 + 1));
    switch (key) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return VTERM_KEY_ENTER;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
        return VTERM_KEY_TAB;
    case Qt::Key_Backspace:
        return VTERM_KEY_BACKSPACE;
    case Qt::Key_Escape:
        return VTERM_KEY_ESCAPE;
    case Qt::Key_Up:
        return VTERM_KEY_UP;
    case Qt::Key_Down:
        return VTERM_KEY_DOWN;
    case Qt::Key_Left:
        return VTERM_KEY_LEFT;
    case Qt::Key_Right:
        return VTERM_KEY_RIGHT;
    case Qt::Key_Insert:
        return VTERM_KEY_INS;
    case Qt::Key_Delete:
        return VTERM_KEY_DEL;
    case Qt::Key_Home:
        return VTERM_KEY_HOME;
    case Qt::Key_End:
        return VTERM_KEY_END;
    case Qt::Key_PageUp:
        return VTERM_KEY_PAGEUP;
    case Qt::Key_PageDown:
        return VTERM_KEY_PAGEDOWN;
    default:
        return VTERM_KEY_NONE;
    }
}

bool isArrow(int key)
{
    return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_Left || key == Qt::Key_Right;
}

/// What Ctrl makes of a key. Source: ECMA-48, 5.2, and for '/' and '?' what terminals agree on.
std::optional<char> controlCharacter(int key)
{
    if (key >= Qt::Key_A && key <= Qt::Key_Z)
        return static_cast<char>(key - Qt::Key_A + 1);
    switch (key) {
    case Qt::Key_Space:
    case Qt::Key_At:
        return '\0';
    case Qt::Key_BracketLeft:
        return '\x1b';
    case Qt::Key_Backslash:
        return '\x1c';
    case Qt::Key_BracketRight:
        return '\x1d';
    case Qt::Key_AsciiCircum:
        return '\x1e';
    case Qt::Key_Underscore:
    case Qt::Key_Slash:
        return '\x1f';
    case Qt::Key_Question:
        return '\x7f';
    default:
        return {};
    }
}

/// Some keyboards have these only with Shift.
bool needsShift(int key)
{
    return key == Qt::Key_At || key == Qt::Key_AsciiCircum || key == Qt::Key_Underscore ||
           key == Qt::Key_Question;
}

bool isForView(int key, Qt::KeyboardModifiers modifiers)
{
    const bool isPage = key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    if (modifiers == Qt::ShiftModifier)
        return isPage || key == Qt::Key_Insert;
    if (modifiers == Qt::AltModifier)
        return isArrow(key);
    if (!modifiers.testFlag(Qt::ControlModifier))
        return false;
    return key == Qt::Key_Tab || key == Qt::Key_Backtab || (key >= Qt::Key_0 && key <= Qt::Key_9) ||
           (modifiers.testFlag(Qt::ShiftModifier) && !needsShift(key)) ||
           (modifiers.testFlag(Qt::AltModifier) && !controlCharacter(key));
}

} // namespace

bool isForProgram(int key, Qt::KeyboardModifiers modifiers, const QString &text)
{
    modifiers &= meant;
    if (modifiers.testFlag(Qt::MetaModifier) || isForView(key, modifiers))
        return false;
    if (specialKey(key) != VTERM_KEY_NONE)
        return true;
    if (modifiers.testFlag(Qt::ControlModifier))
        return controlCharacter(key).has_value();
    return !text.isEmpty();
}

void typeKey(VTerm *terminal, int key, Qt::KeyboardModifiers modifiers, const QString &text)
{
    modifiers &= meant;
    const auto type = [&](char32_t character) {
        // With Alt the emulator puts an escape before it.
        vterm_keyboard_unichar(terminal, character,
                               modifiers.testFlag(Qt::AltModifier) ? VTERM_MOD_ALT : VTERM_MOD_NONE);
    };
    const VTermKey special = specialKey(key);
    if (special == VTERM_KEY_BACKSPACE && modifiers.testFlag(Qt::ControlModifier)) {
        type(U'\b');
        return;
    }
    if (special != VTERM_KEY_NONE) {
        int held = VTERM_MOD_NONE;
        if (modifiers.testFlag(Qt::AltModifier))
            held |= VTERM_MOD_ALT;
        // Enter, Backspace and Escape are the same with them: few programs know another code for it.
        const bool isPlain =
            special == VTERM_KEY_ENTER || special == VTERM_KEY_BACKSPACE || special == VTERM_KEY_ESCAPE;
        if (!isPlain && (modifiers.testFlag(Qt::ShiftModifier) || key == Qt::Key_Backtab))
            held |= VTERM_MOD_SHIFT;
        if (!isPlain && modifiers.testFlag(Qt::ControlModifier))
            held |= VTERM_MOD_CTRL;
        vterm_keyboard_key(terminal, special, static_cast<VTermModifier>(held));
        return;
    }
    if (modifiers.testFlag(Qt::ControlModifier)) {
        if (const auto control = controlCharacter(key))
            type(static_cast<char32_t>(*control));
        return;
    }
    const QList<uint> characters = text.toUcs4();
    for (const uint character : characters)
        type(character);
}

QString harmless(const QString &text)
{
    QString result = text;
    result.replace(QLatin1String("\r\n"), QLatin1String("\r"));
    result.replace(QLatin1Char('\n'), QLatin1Char('\r'));
    result.removeIf([](QChar c) {
        const char16_t code = c.unicode();
        return (code < 0x20 && code != u'\t' && code != u'\r') || (code >= 0x7F && code <= 0x9F);
    });
    return result;
}

} // namespace rankdeck
