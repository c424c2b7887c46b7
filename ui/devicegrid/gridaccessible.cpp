#include "devicegrid/gridaccessible.h"

#include "devicegrid/devicegrid.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace rankdeck
{

namespace
{

class AccessibleGrid : public QAccessibleWidget
{
public:
    explicit AccessibleGrid(DeviceGrid *grid)
        : QAccessibleWidget(grid, QAccessible::Client)
        , m_grid(grid)
    {
    }

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Description ? m_grid->describedCurrent() : QAccessibleWidget::text(kind);
    }

private:
    DeviceGrid *m_grid;
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *const grid = qobject_cast<DeviceGrid *>(object);
    return grid ? new AccessibleGrid(grid) : nullptr;
}

} // namespace

void installGridAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(installed);
}

} // namespace rankdeck
