#pragma once

#include "base/oneshottimer.h"
#include "widgets/logpalette.h"

#include <QWidget>

namespace rankdeck
{

class LogFind;
class LogJumps;
class LogSource;

/// A narrow strip beside a log's scroll bar: where in the whole log matches, highlights and bookmarks stand.
/// It is painted only when that looks different. A press on it requests the line nearest to there.
class MarkStrip : public QWidget
{
    Q_OBJECT

public:
    /// Shows itself only while something may be marked: it takes room from the lines. All must outlive it.
    MarkStrip(LogSource *source, const LogFind *find, const LogJumps *jumps, QWidget *parent);

    /// Sets whether lines are highlighted while nothing is searched.
    void setHighlighted(bool isHighlighted)
    {
        m_isHighlighted = isHighlighted;
        refresh();
    }
    /// Rows of pixels in which something is marked, from the top.
    QList<int> markedRows() const;

    QSize sizeHint() const override { return {stripWidth, 0}; }

Q_SIGNALS:
    void lineRequested(qint64 line);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *) override { place(); }
    void mousePressEvent(QMouseEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    static constexpr int stripWidth = 10; ///< pixels
    enum Mark : quint8 { None = 0, Match = 1, Bookmark = 2, Highlighted = 4 };

    /// Lines, ascending, 0-based.
    struct Marks {
        QList<qint64> matches;
        QList<qint64> highlights;
        QList<qint64> bookmarks;
    };

    void refresh();
    void place();
    int rowOf(qint64 line) const;

    const LogSource *m_source;
    const LogFind *m_find;
    const LogJumps *m_jumps;
    OneShotTimer m_soon{1000}; ///< For lines that came.
    bool m_isHighlighted = false;
    LogPalette m_palette;
    Marks m_marks;
    qint64 m_lines = 0;         ///< Lines of the log.
    std::vector<quint8> m_rows; ///< Marks in each row of pixels.
};

} // namespace rankdeck
