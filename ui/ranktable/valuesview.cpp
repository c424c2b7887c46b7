#include "ranktable/valuesview.h"

#include "ranktable/valuesmodel.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>

namespace rankdeck
{

ValuesView::ValuesView(ValuesModel *model, QWidget *parent)
    : QTableView(parent)
    , m_model(model)
{
    setModel(model);
    setTabKeyNavigation(false);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::AnyKeyPressed | QAbstractItemView::EditKeyPressed |
                    QAbstractItemView::DoubleClicked | QAbstractItemView::SelectedClicked);
    viewport()->setAttribute(Qt::WA_Hover, false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setHighlightSections(false);
}

void ValuesView::keyPressEvent(QKeyEvent *event)
{
    if (!event->matches(QKeySequence::Paste) || !currentIndex().isValid()) {
        QTableView::keyPressEvent(event);
        return;
    }
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    m_model->setValues(currentIndex().row(), lines);
}

} // namespace rankdeck
