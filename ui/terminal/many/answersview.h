#pragma once

#include "canvas/canvaswidget.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// What ranks have answered to a command, each answer once, beside the names of those that gave it. Where
/// answers differ, those that most did not give are marked with ≠.
class AnswersView : public CanvasWidget
{
    Q_OBJECT

public:
    struct Answer {
        QString names; ///< "ranks 0-6".
        int ranks = 1; ///< How many.
        QString text;  ///< Lines; empty: they printed nothing.
        bool isWhole = true;

        bool operator==(const Answer &) const = default;
    };

    explicit AnswersView(QWidget *parent = nullptr);

    void setAnswers(const QList<Answer> &answers);
    /// A sentence in place of answers.
    void setMessage(const QString &sentence);
    /// As shown, one line below the other.
    QString text() const;
    int lineCount() const { return int(m_rows.size()); }
    /// Lines that fit.
    int pageLines() const;
    /// The line at the top.
    int top() const { return m_top; }
    void setTop(int line);
    /// As high as all lines need, in pixels.
    int heightForAll() const;

Q_SIGNALS:
    void changed();

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    struct Row {
        QString names; ///< Of an answer's first line.
        QString text;
        bool isOdd = false;
        bool isQuiet = false;
    };

    void setRows(const QList<Row> &rows);
    void copy() const;

    QList<Row> m_rows;
    int m_nameCells = 0;
    int m_top = 0;
    int m_wheelRest = 0;
};

} // namespace rankdeck
