#include "widgets/showlines.h"

#include <QEvent>
#include <QPlainTextEdit>

namespace rankdeck
{

namespace
{

/// Keeps the height of its parent at a number of lines.
class LinesShown : public QObject
{
public:
    explicit LinesShown(QPlainTextEdit *edit)
        : QObject(edit)
        , m_edit(edit)
    {
        setObjectName(name);
        edit->installEventFilter(this);
    }

    void setLines(int lines)
    {
        m_lines = lines;
        fit();
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (watched == m_edit && event->type() == QEvent::FontChange)
            fit();
        return QObject::eventFilter(watched, event);
    }

    static constexpr QLatin1String name{"linesShown"};

private:
    void fit()
    {
        constexpr int aroundText = 14; // Frame and margins, pixels.
        m_edit->setFixedHeight(m_edit->fontMetrics().lineSpacing() * m_lines + aroundText);
    }

    QPlainTextEdit *m_edit;
    int m_lines = 0;
};

} // namespace

void showLines(QPlainTextEdit *edit, int lines)
{
    QObject *const known = edit->findChild<QObject *>(LinesShown::name, Qt::FindDirectChildrenOnly);
    (known ? static_cast<LinesShown *>(known) : new LinesShown(edit))->setLines(lines);
}

} // namespace rankdeck
