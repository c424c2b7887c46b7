#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace rankdeck
{

class LogLines;

/// Ask for a file, then save what `lines` shows there in the background, with a progress dialog over `view`.
/// `said` is told how it went, one sentence, unless `view` is gone by then.
void saveLog(LogLines *lines, QWidget *view, const std::function<void(const QString &)> &said);

} // namespace rankdeck
