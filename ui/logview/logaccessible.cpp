#include "logview/logaccessible.h"

#include "logview/logcanvas.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace rankdeck
{

namespace
{

class AccessibleLog : public QAccessibleWidget
{
public:
    explicit AccessibleLog(LogCanvas *canvas)
        : QAccessibleWidget(canvas, QAccessible::Terminal)
        , m_canvas(canvas)
    {
    }

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_canvas->visibleText() : QAccessibleWidget::text(kind);
    }

    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.readOnly = true;
        state.multiLine = true;
        return state;
    }

private:
    LogCanvas *m_canvas;
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *const canvas = qobject_cast<LogCanvas *>(object);
    return canvas ? new AccessibleLog(canvas) : nullptr;
}

} // namespace

void installLogAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(installed);
}

} // namespace rankdeck
