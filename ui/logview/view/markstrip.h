#pragma once

#include "widgets/logpalette.h"

#include <QWidget>

namespace rankdeck
{

/// A narrow strip beside a log's scroll bar: where in the whole log matches and bookmarks stand. It is
/// painted only when that looks different. A press on it requests the line nearest to there.
class MarkStrip : public QWidget
{
    Q_OBJECT

public:
    explicit MarkStrip(QWidget *parent = nullptr);

    /// @param matches, bookmarks ascending, 0-based.
    /// @param lines of the log.
    void setMarks(const QList<qint64> &matches, const QList<qint64> &bookmarks, qint64 lines);
    /// Rows of pixels in which a match or a bookmark stands, from the top.
    QList<int> markedRows() const;

    QSize sizeHint() const override { return {stripWidth, 0}; }

Q_SIGNALS:
    void lineWanted(qint64 line);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    static constexpr int stripWidth = 10; ///< pixels
    enum Mark : quint8 { None = 0, Match = 1, Bookmark = 2 };

    void place();
    int rowOf(qint64 line) const;

    LogPalette m_palette;
    QList<qint64> m_matches;
    QList<qint64> m_bookmarks;
    qint64 m_lines = 0;
    std::vector<quint8> m_rows; ///< Marks in each row of pixels.
};

} // namespace rankdeck
