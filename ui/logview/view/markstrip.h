#pragma once

#include "widgets/logpalette.h"

#include <QWidget>

namespace rankdeck
{

/// A narrow strip beside a log's scroll bar: where in the whole log matches, highlights and bookmarks stand.
/// It is painted only when that looks different. A press on it requests the line nearest to there.
class MarkStrip : public QWidget
{
    Q_OBJECT

public:
    explicit MarkStrip(QWidget *parent = nullptr);

    /// Lines, ascending, 0-based.
    struct Marks {
        QList<qint64> matches;
        QList<qint64> highlights;
        QList<qint64> bookmarks;
    };
    /// @param lines of the log.
    void setMarks(const Marks &marks, qint64 lines);
    /// Rows of pixels in which something is marked, from the top.
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
    enum Mark : quint8 { None = 0, Match = 1, Bookmark = 2, Highlighted = 4 };

    void place();
    int rowOf(qint64 line) const;

    LogPalette m_palette;
    Marks m_marks;
    qint64 m_lines = 0;
    std::vector<quint8> m_rows; ///< Marks in each row of pixels.
};

} // namespace rankdeck
