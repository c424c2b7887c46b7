#include "ranktable/findingslist.h"

#include "ranktable/findingsmodel.h"
#include "ranktable/findingwords.h"

#include <QHeaderView>
#include <QPlainTextEdit>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck
{

FindingsList::FindingsList(QWidget *parent)
    : QWidget(parent)
    , m_model(new FindingsModel(this))
    , m_list(new QTreeView)
    , m_detail(new QPlainTextEdit)
{
    m_list->setObjectName(QStringLiteral("findingsList"));
    m_list->setAccessibleName(tr("Findings"));
    m_list->setModel(m_model);
    m_list->setRootIsDecorated(false);
    m_list->viewport()->setAttribute(Qt::WA_Hover, false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->header()->setStretchLastSection(true);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &FindingsList::onCurrent);
    // Again: the line may have been scrolled away meanwhile.
    connect(m_list, &QTreeView::activated, this, &FindingsList::onCurrent);
    connect(m_list, &QTreeView::clicked, this, &FindingsList::onCurrent);

    m_detail->setObjectName(QStringLiteral("findingDetail"));
    m_detail->setAccessibleName(tr("Details of the finding"));
    m_detail->setReadOnly(true);
    m_detail->setTabChangesFocus(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_detail);
    showDetail(-1);
    fitHeight();
}

QWidget *FindingsList::detail() const
{
    return m_detail;
}

void FindingsList::setTable(const SharedTable &table)
{
    m_showing = true;
    m_table = table;
    m_model->setTable(table);
    m_showing = false;
    showDetail(-1);
    divideWidth();
    fitHeight();
}

void FindingsList::setIcons(const SeverityIcons &icons)
{
    m_model->setIcons(icons);
    m_list->viewport()->update();
}

void FindingsList::showFinding(int finding)
{
    m_showing = true;
    const QModelIndex index = finding < 0 ? QModelIndex() : m_model->index(finding, 0);
    m_list->setCurrentIndex(index);
    if (index.isValid())
        m_list->scrollTo(index);
    else
        m_list->clearSelection();
    m_showing = false;
    showDetail(finding);
}

void FindingsList::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    divideWidth();
}

void FindingsList::onCurrent(const QModelIndex &current)
{
    if (m_showing || !current.isValid())
        return;
    showDetail(current.row());
    Q_EMIT findingChosen(current.row());
}

void FindingsList::showDetail(int finding)
{
    if (finding >= 0)
        m_detail->setPlainText(findingDetail(m_table->finding(finding)));
    else if (!m_table || m_model->rowCount() > 0)
        m_detail->setPlainText(
            tr("Select a finding to see its place in the text and where its rule comes from."));
    else
        m_detail->setPlainText(tr("Nothing odd was found in this rank table."));
}

/// Where nothing was found, the list leaves its place to the table.
void FindingsList::fitHeight()
{
    const bool isEmpty = m_model->rowCount() == 0;
    const int lines = isEmpty ? 1 : 4;
    m_detail->setFixedHeight(m_detail->fontMetrics().lineSpacing() * lines + 14);
    m_list->setVisible(!isEmpty);
    setMaximumHeight(isEmpty ? m_detail->height() : QWIDGETSIZE_MAX);
}

/// What and how to mend it share what the narrow columns leave.
void FindingsList::divideWidth()
{
    m_list->resizeColumnToContents(FindingsModel::SeverityColumn);
    m_list->resizeColumnToContents(FindingsModel::PlaceColumn);
    const int rest = m_list->viewport()->width() - m_list->columnWidth(FindingsModel::SeverityColumn) -
                     m_list->columnWidth(FindingsModel::PlaceColumn);
    m_list->setColumnWidth(FindingsModel::WhatColumn, std::max(120, rest * 3 / 5));
}

} // namespace rankdeck
