#include "ranktable/diffview.h"

#include "ranktable/diffhighlighter.h"

#include <QEvent>
#include <QFontDatabase>

namespace rankdeck
{

DiffView::DiffView(QWidget *parent)
    : QPlainTextEdit(parent)
    , m_highlighter(new DiffHighlighter(document()))
{
    setReadOnly(true);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Preview of what changes"));
    m_highlighter->setColors(palette());
}

void DiffView::setDiff(const QString &diff)
{
    if (diff != toPlainText())
        setPlainText(diff);
}

void DiffView::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_highlighter->setColors(palette());
}

} // namespace rankdeck
