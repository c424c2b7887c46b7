#pragma once

#include "canvas/widget/canvaswidget.h"

#include <QApplication>
#include <QClipboard>

namespace rankdeck
{

/// Shows the answers of ranks to a command, each once, beside the names of its ranks. If answers differ,
/// those that most ranks did not give are marked with ≠.
class AnswersView : public CanvasWidget
{
    Q_OBJECT

public:
    struct Answer {
        QString names; ///< "ranks 0-6".
        int ranks = 1; ///< Number of ranks.
        QString text;  ///< Lines; empty if they printed nothing.
        bool isWhole = true;

        bool operator==(const Answer &) const = default;
    };

    explicit AnswersView(QWidget *parent = nullptr);

    void setAnswers(const QList<Answer> &answers);
    /// Shows a sentence in place of answers.
    void setMessage(const QString &sentence) { setRows({Row{{}, sentence, true, false}}); }
    QString text() const;
    int lineCount() const { return int(m_rows.size()); }
    /// Lines that fit.
    int pageLines() const { return std::max(1, (height() - 2 * margin) / canvas().cellSize().height()); }
    /// The line at the top.
    int top() const { return m_top; }
    void setTop(int line);
    /// Height for all lines, in pixels.
    int heightForAll() const { return lineCount() * canvas().cellSize().height() + 2 * margin; }

Q_SIGNALS:
    void changed();

protected:
    void drawCanvas(Canvas &canvas, bool everything) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    static constexpr int margin = 6; ///< Pixels.

    struct Row {
        QString names; ///< Only in the first line of an answer.
        QString text;
        bool isOdd = false;
        bool isQuiet = false;
    };

    void setRows(const QList<Row> &rows);
    void copy() const { QApplication::clipboard()->setText(text()); }

    QList<Row> m_rows;
    int m_nameCells = 0;
    int m_top = 0;
    int m_wheelRest = 0;
};

} // namespace rankdeck
