#include "terminal/screen/terminalkeys.h"

#include <vterm.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace rankdeck
{

constexpr std::pair<int, VTermKey> specialKeys[] = {
    {Qt::Key_Return, VTERM_KEY_ENTER},
    {Qt::Key_Enter, VTERM_KEY_ENTER},
    {Qt::Key_Tab, VTERM_KEY_TAB},
    {Qt::Key_Backtab, VTERM_KEY_TAB},
    {Qt::Key_Backspace, VTERM_KEY_BACKSPACE},
    {Qt::Key_Escape, VTERM_KEY_ESCAPE},
    {Qt::Key_Up, VTERM_KEY_UP},
    {Qt::Key_Down, VTERM_KEY_DOWN},
    {Qt::Key_Left, VTERM_KEY_LEFT},
    {Qt::Key_Right, VTERM_KEY_RIGHT},
    {Qt::Key_Insert, VTERM_KEY_INS},
    {Qt::Key_Delete, VTERM_KEY_DEL},
    {Qt::Key_Home, VTERM_KEY_HOME},
    {Qt::Key_End, VTERM_KEY_END},
    {Qt::Key_PageUp, VTERM_KEY_PAGEUP},
    {Qt::Key_PageDown, VTERM_KEY_PAGEDOWN},
};

/// Control characters of keys with Ctrl. Source: ECMA-48, 5.2; for '/' and '?' what most terminals do.
constexpr std::pair<int, char> controlCharacters[] = {
    {Qt::Key_Space, '\0'},          {Qt::Key_At, '\0'},
    {Qt::Key_BracketLeft, '\x1b'},  {Qt::Key_Backslash, '\x1c'},
    {Qt::Key_BracketRight, '\x1d'}, {Qt::Key_AsciiCircum, '\x1e'},
    {Qt::Key_Underscore, '\x1f'},   {Qt::Key_Slash, '\x1f'},
    {Qt::Key_Question, '\x7f'},
};

template <typename Value, std::size_t size>
static std::optional<Value> entryOf(const std::pair<int, Value> (&table)[size], int key)
{
    const auto *const entry = std::ranges::find(table, key, &std::pair<int, Value>::first);
    return entry == std::end(table) ? std::nullopt : std::optional(entry->second);
}

static VTermKey specialKey(int key)
{
    if (key >= Qt::Key_F1 && key <= Qt::Key_F12)
        return static_cast<VTermKey>(VTERM_KEY_FUNCTION(key - Qt::Key_F1 + 1));
    return entryOf(specialKeys, key).value_or(VTERM_KEY_NONE);
}

static std::optional<char> controlCharacter(int key)
{
    if (key >= Qt::Key_A && key <= Qt::Key_Z)
        return static_cast<char>(key - Qt::Key_A + 1);
    return entryOf(controlCharacters, key);
}

/// Whether some keyboards have this key only with Shift.
static bool needsShift(int key)
{
    return key == Qt::Key_At || key == Qt::Key_AsciiCircum || key == Qt::Key_Underscore ||
           key == Qt::Key_Question;
}

static bool isForView(int key, Qt::KeyboardModifiers modifiers)
{
    const bool isPage = key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    if (modifiers == Qt::ShiftModifier)
        return isPage || key == Qt::Key_Insert;
    if (modifiers == Qt::AltModifier)
        return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_Left || key == Qt::Key_Right;
    if (!modifiers.testFlag(Qt::ControlModifier))
        return false;
    return key == Qt::Key_Tab || key == Qt::Key_Backtab || (key >= Qt::Key_0 && key <= Qt::Key_9) ||
           (modifiers.testFlag(Qt::ShiftModifier) && !needsShift(key)) ||
           (modifiers.testFlag(Qt::AltModifier) && !controlCharacter(key));
}

bool isForProgram(int key, Qt::KeyboardModifiers modifiers, const QString &text)
{
    modifiers &= terminalModifiers;
    if (modifiers.testFlag(Qt::MetaModifier) || isForView(key, modifiers))
        return false;
    if (specialKey(key) != VTERM_KEY_NONE)
        return true;
    return modifiers.testFlag(Qt::ControlModifier) ? controlCharacter(key).has_value() : !text.isEmpty();
}

void typeKey(VTerm *terminal, int key, Qt::KeyboardModifiers modifiers, const QString &text)
{
    modifiers &= terminalModifiers;
    const auto type = [&](char32_t character) {
        // With Alt the emulator sends an escape first.
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
        // Enter, Backspace and Escape ignore Ctrl and Shift: few programs know other codes for these.
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
    for (const uint character : text.toUcs4())
        type(character);
}

QString harmless(const QString &text)
{
    QString result = text;
    result.replace("\r\n"_L1, "\r"_L1);
    result.replace('\n'_L1, '\r'_L1);
    result.removeIf([](QChar c) {
        const char16_t code = c.unicode();
        return (code < 0x20 && code != u'\t' && code != u'\r') || (code >= 0x7F && code <= 0x9F);
    });
    return result;
}

} // namespace rankdeck
