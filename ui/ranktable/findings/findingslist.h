#pragma once

#include "ranktable/findings/checkedtable.h"
#include "ranktable/findings/severityicon.h"
#include "widgets/widgetparts.h"

#include <QAbstractTableModel>

class QTreeView;

namespace rankdeck
{

/// The findings of a report, the worst first, then by place. Those with the same words share a row.
class FindingsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { SeverityColumn, PlaceColumn, WhatColumn, MendColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setTable(const SharedTable &table);
    void setIcons(const SeverityIcons &icons) { m_icons = icons; }

    int rowCount(const QModelIndex &parent = {}) const override { return countBelow(parent, m_rows.size()); }
    int columnCount(const QModelIndex &parent = {}) const override { return countBelow(parent, ColumnCount); }
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Returns the first finding of a row; -1 if there is no such row.
    int findingAt(int row) const { return m_rows.value(row, {-1}).constFirst(); }
    /// Returns the severity of a row, which there must be.
    Severity severityAt(int row) const { return m_table->finding(findingAt(row)).severity; }
    /// Returns the row of a finding; -1 if `finding` is not the index of one.
    int rowOf(int finding) const;

    /// Returns line and column such as "12:5", or "file" for a finding about the whole file.
    static QString placeText(const Finding &finding);

private:
    SharedTable m_table;
    QList<QList<int>> m_rows; ///< Findings, never none.
    SeverityIcons m_icons;
};

/// Lists the findings of a rank table; below, the details of the selected one.
class FindingsList : public QWidget
{
    Q_OBJECT

public:
    FindingsList();

    void setTable(const SharedTable &table);
    void setIcons(const SeverityIcons &icons);
    /// Selects a finding; -1 for none.
    void showFinding(int finding);
    /// Chooses the next finding of this severity after the selected one, after the last again the first.
    void chooseNext(Severity severity);
    QTreeView *list() const { return m_list; }
    QWidget *detail() const { return m_detail; }

Q_SIGNALS:
    /// The user selected a finding.
    void findingChosen(int finding);

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QWidget::resizeEvent(event);
        divideWidth();
    }

private:
    void onCurrent(const QModelIndex &current);
    void showDetail(int finding);
    void divideWidth();
    void fitHeight();

    FindingsModel *m_model;
    QTreeView *m_list;
    QPlainTextEdit *m_detail;
    SharedTable m_table;
    bool m_showing = false;
};

} // namespace rankdeck
