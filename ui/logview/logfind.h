#pragma once

#include "logview/logsource.h"

#include <QObject>
#include <QString>

#include <optional>

namespace rankdeck
{

class FindBar;
class LogCanvas;

/// Looks in a log for what the find bar asks for, marks it on the screen, and says how it goes in the bar.
class LogFind : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it.
    LogFind(FindBar *bar, LogSource *source, LogCanvas *canvas, QObject *parent = nullptr);

    bool isOpen() const;
    void open();
    void close();
    void next(bool backward);
    /// Other lines are in the source's page.
    void pageChanged();

Q_SIGNALS:
    void lineWanted(qint64 line);
    /// The first match in the line that was found, `lineCells` wide.
    void cellsWanted(rankdeck::CellRange cells, int lineCells);
    void closed();

private:
    void onEdited();
    void start(qint64 from, bool backward);
    void onFound(LogSource::Search search, qint64 line);
    void onNotFound(LogSource::Search search);
    void restart();
    void reveal();

    FindBar *m_bar;
    LogSource *m_source;
    LogCanvas *m_canvas;
    qint64 m_from = 0;
    bool m_isBackward = false;
    bool m_isSecondTry = false;        ///< The other way, where the first way found nothing.
    bool m_wasFound = false;           ///< This pattern was found before.
    std::optional<qint64> m_revealing; ///< The line found, until it is here.
};

} // namespace rankdeck
