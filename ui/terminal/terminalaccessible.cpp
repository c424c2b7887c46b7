#include "terminal/terminalaccessible.h"

#include "terminal/terminalview.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace rankdeck
{

namespace
{

class AccessibleTerminal : public QAccessibleWidget
{
public:
    explicit AccessibleTerminal(TerminalView *view)
        : QAccessibleWidget(view, QAccessible::Terminal)
        , m_view(view)
    {
    }

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_view->visibleText() : QAccessibleWidget::text(kind);
    }

    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.readOnly = !m_view->takesKeys();
        state.multiLine = true;
        return state;
    }

private:
    TerminalView *m_view;
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *const view = qobject_cast<TerminalView *>(object);
    return view ? new AccessibleTerminal(view) : nullptr;
}

} // namespace

void installTerminalAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(installed);
}

} // namespace rankdeck
