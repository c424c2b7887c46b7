#pragma once

#include "base/oneshottimer.h"
#include "logview/source/logsource.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

class LogCanvas;

/// Input of the text to find, and the result. Below the log, not over it: scrolling remains a copy of pixels.
class FindBar : public QWidget
{
    Q_OBJECT

public:
    explicit FindBar(QWidget *parent = nullptr);

    LogPattern pattern() const { return {m_edit->text(), m_regex->isChecked(), m_case->isChecked()}; }
    /// Returns the matcher; nothing without a text or for an invalid expression, whose error the bar shows.
    const std::optional<LogMatcher> &matcher() const { return m_matcher; }
    /// Shows the bar and puts the cursor into it; `suggestion` replaces the text unless it is empty.
    void open(const QString &suggestion);
    void setResult(const QString &result) { showResult(m_result, result); }
    /// Lets the user search all logs, see allRequested().
    void offerAll() { m_all->show(); }

Q_SIGNALS:
    void findRequested(bool backward);
    /// The same in all logs.
    void allRequested(const rankdeck::LogPattern &pattern);
    /// The pattern changed: earlier results no longer apply.
    void edited();
    /// The pattern is valid and did not change for a moment.
    void editingPaused();
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void onEdited();

    QLineEdit *m_edit;
    QCheckBox *m_regex;
    QCheckBox *m_case;
    QToolButton *m_all;
    QLabel *m_result;
    OneShotTimer m_pause{300}; ///< After a key.
    std::optional<LogMatcher> m_matcher;
};

/// Searches a log for the pattern in the find bar, marks matches on the screen, counts the matching lines in
/// the background, and shows in the bar the number of the match that was found.
class LogFind : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it.
    LogFind(FindBar *bar, LogSource *source, LogCanvas *canvas, QObject *parent = nullptr);

    bool isOpen() const { return m_bar->isVisible(); }
    void open();
    void close();
    void next(bool backward);
    /// Sets the pattern to collect while the bar is closed: see LogSource::collect().
    void collectWhileClosed(const LogPattern &pattern);

Q_SIGNALS:
    void opened();
    void lineRequested(qint64 line);
    /// The first match in the line that was found, `lineCells` wide.
    void cellsRequested(rankdeck::CellRange cells, int lineCells);
    void closed();

private:
    void onEdited();
    /// Forgets what was found.
    void forget();
    void start(qint64 from, bool backward);
    void onFound(LogSource::Search search, qint64 line);
    void onNotFound(LogSource::Search search);
    void reveal();
    void showFound();
    QString place() const;

    FindBar *m_bar;
    LogSource *m_source;
    LogCanvas *m_canvas;
    qint64 m_from = 0;
    bool m_isBackward = false;
    bool m_isSecondTry = false; ///< The first way found nothing: the other way, or on from the other end.
    bool m_wasFound = false;    ///< This pattern was found before.
    LogPattern m_whileClosed;
    std::optional<qint64> m_revealing; ///< The line found, until it is loaded.
    std::optional<qint64> m_found;     ///< The last line found, of the file.
    QString m_wrapped;                 ///< How it was found beyond an end of the log.
};

} // namespace rankdeck
