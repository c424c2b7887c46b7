#pragma once

#include <QPlainTextEdit>

namespace rankdeck
{

class DiffHighlighter;

/// A unified diff to read: plain text, monospaced, with what came and went tinted.
class DiffView : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit DiffView(QWidget *parent = nullptr);

    void setDiff(const QString &diff);

protected:
    void changeEvent(QEvent *event) override;

private:
    DiffHighlighter *m_highlighter;
};

} // namespace rankdeck
