#pragma once

#include "result.h"

#include <QString>

namespace rankdeck
{

/// Exit code for unusable arguments or input.
inline constexpr int unusableInput = 2;

/// Text from a file as a terminal may show it: what would move the cursor, colour or reorder the line is
/// spelled out (\\u001b).
QString visibleText(const QString &text);
/// JSON text with the same spelled out, which in JSON means the same; line ends stay.
QString visibleJson(const QByteArray &json);

/// A line on standard output: what was asked for.
void print(const QString &line);
/// A line on standard error: progress and chatter.
void say(const QString &line);
/// This program as others who watch the same run are told of it.
QString consoleName();
/// Whether the user says yes to a question on the terminal. Where there is none, nobody is asked: that is no.
bool isConfirmed(const QString &question);
/// The error's sentence on standard error; returns unusableInput.
int refuse(const Error &error);

} // namespace rankdeck
