#pragma once

#include "base/tr.h"
#include "launch/plan/processplan.h"

#include <QAccessibleWidget>

namespace rankdeck
{

/// Lets screen readers read the text of a canvas of class T: its member shownText, as the value of a
/// Terminal, as the description of any other role. The text is composed only when a screen reader asks.
template <typename T, QAccessible::Role canvasRole, auto shownText>
class AccessibleCanvas : public QAccessibleWidget
{
public:
    /// To be called once or more, before the first canvas of class T is shown.
    static void install()
    {
        static const bool isInstalled = [] {
            QAccessible::installFactory(make);
            return true;
        }();
        Q_UNUSED(isInstalled);
    }

    QString text(QAccessible::Text kind) const override
    {
        constexpr auto readKind = isTerminal ? QAccessible::Value : QAccessible::Description;
        return kind == readKind ? (m_canvas->*shownText)() : QAccessibleWidget::text(kind);
    }

    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        if constexpr (isTerminal) {
            state.readOnly = true;
            if constexpr (requires(T * canvas) { canvas->takesKeys(); })
                state.readOnly = !m_canvas->takesKeys();
            state.multiLine = true;
        }
        return state;
    }

private:
    static constexpr bool isTerminal = canvasRole == QAccessible::Terminal;

    explicit AccessibleCanvas(T *canvas)
        : QAccessibleWidget(canvas, canvasRole)
        , m_canvas(canvas)
    {
    }

    static QAccessibleInterface *make(const QString &, QObject *object)
    {
        T *const canvas = qobject_cast<T *>(object);
        return canvas ? new AccessibleCanvas(canvas) : nullptr;
    }

    T *m_canvas;
};

} // namespace rankdeck
