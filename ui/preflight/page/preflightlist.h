#pragma once

#include "preflight/preflight.h"
#include "widgets/tone.h"
#include "widgets/widgetparts.h"

#include <QAbstractItemModel>

class QSortFilterProxyModel;
class QTreeView;

namespace rankdeck
{

/// Returns the report as plain text: its summary, then the checks by part, problems first.
QString reportText(const PreflightReport &report);

/// The checks of a preflight: its parts in their order, and below each its checks, problems first.
class PreflightModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { StatusColumn, SubjectColumn, SentenceColumn, ColumnCount };
    static constexpr int IsProblemRole = Qt::UserRole;

    using QAbstractItemModel::QAbstractItemModel;

    void clear();
    void add(const PreflightCheck &check);
    /// Sets the palette for the colours of the status.
    void setPalette(const QPalette &palette) { m_palette = palette; }
    /// Returns null for a part.
    const PreflightCheck *check(const QModelIndex &index) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex & = {}) const override { return ColumnCount; }
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Rows {
        PreflightCheck::Part part = PreflightCheck::Part::Plan;
        std::vector<PreflightCheck> checks;
    };

    QVariant partData(const Rows &rows, int column, int role) const;
    QVariant checkData(const PreflightCheck &check, int column, int role) const;

    std::vector<Rows> m_parts;
    QPalette m_palette;
};

/// Lists the checks of a preflight by part; below, the details of the selected one. Parts with a problem open
/// by themselves.
class PreflightList : public QWidget
{
    Q_OBJECT

public:
    PreflightList();

    void clear();
    void add(const PreflightCheck &check);
    /// Shows failures and warnings alone.
    void setOnlyProblems(bool only);
    /// Selects the first problem, unless something is selected.
    void showFirstProblem();
    /// Returns the selected check; null for a part, or if nothing is selected.
    const PreflightCheck *current() const;
    QTreeView *list() const { return m_list; }
    QPlainTextEdit *detail() const { return m_detail; }

Q_SIGNALS:
    void currentChanged();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void openProblems();
    void showDetail(const QModelIndex &shown);

    PreflightModel *m_model;
    QSortFilterProxyModel *m_filter;
    QTreeView *m_list;
    QPlainTextEdit *m_detail;
};

} // namespace rankdeck
