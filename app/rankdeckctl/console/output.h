#pragma once

#include "base/jsontext.h"

namespace rankdeck
{

/// Exit code for unusable arguments or input.
inline constexpr int unusableInput = 2;

/// Returns text from a file as a terminal may show it: characters that would move the cursor, colour or
/// reorder the line are spelled out (\\u001b).
QString visibleText(const QString &text);
/// Returns text in a form that cannot control the terminal: colours (SGR), tabs, line ends and carriage
/// returns stay, each other control character is spelled out, "^[" or "\\u202e", and so are characters that
/// change the direction of text. Bytes that are not UTF-8 become U+FFFD.
QByteArray terminalText(QByteArrayView text);
/// Returns JSON text with the same spelled out, which in JSON means the same; line ends stay.
QString visibleJson(const QByteArray &json);

/// Returns the lines of a table for a terminal, with two blanks between columns. The last text of a row that
/// has fewer columns may be wider than its column.
/// @param alignment 'r' for each column that is aligned to the right, 'l' for the others.
QStringList tableLines(const QList<QStringList> &rows, const QByteArray &alignment);

/// Prints a line on standard output: a result. On a terminal as terminalText().
void print(const QString &line);
/// Prints a result as a JSON object, with the number of its schema: its keys keep their meaning for as long
/// as that stays.
/// @param isIndented for readers; else on one line, one of many.
void printJson(JsonText object, bool isIndented = true);
/// Returns the same on one line, without the line's end.
QByteArray jsonLine(JsonText object);
/// Prints a line on standard error: progress and messages. On a terminal as terminalText().
void say(const QString &line);
/// Writes bytes to standard output, unchanged. The first failed write is reported on standard error, and
/// nothing is written after it; a reader that has gone is not an error. Returns false then, too. Of bytes for
/// standard error nobody could be told.
bool printBytes(QByteArrayView bytes, int descriptor = STDOUT_FILENO);
/// Returns false if printBytes() would write nothing any more.
bool canPrint();
/// Returns the exit code of a command that has done `code`: 1 in place of 0 if its output could not be
/// written.
int codeWithOutput(int code);
/// Prints a problem on standard error, after the name of this program.
void complain(const QString &text);
/// Prints a note about a launch on standard error.
void sayNote(const QString &note);
/// Returns the name of this program for others who watch the same run.
QString consoleName();
/// Asks a question on the terminal. Returns whether the answer is yes; false without a terminal.
bool isConfirmed(const QString &question);
/// Prints the error's sentence on standard error, with --json also an object on standard output. Returns
/// unusableInput.
int refuse(const Error &error);
/// Has refuse() print errors as JSON, too.
void printErrorsAsJson();

/// The text of --version.
QString versionLine();

} // namespace rankdeck
