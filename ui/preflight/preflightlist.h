#pragma once

#include "agent/preflight/preflightcheck.h"

#include <QWidget>

class QPlainTextEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace rankdeck
{

class PreflightModel;

/// The checks of a preflight by part, and below them all that is known of the one that is selected. Parts
/// with a problem open by themselves.
class PreflightList : public QWidget
{
    Q_OBJECT

public:
    explicit PreflightList(QWidget *parent = nullptr);

    void clear();
    void add(const PreflightCheck &check);
    /// Show failures and warnings alone.
    void setOnlyProblems(bool only);
    /// Select it, where there is one and nothing is selected.
    void showFirstProblem();
    QTreeView *list() const { return m_list; }
    QPlainTextEdit *detail() const { return m_detail; }

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void openProblems();
    void showDetail(const QModelIndex &shown);
    void divideWidth();

    PreflightModel *m_model;
    QSortFilterProxyModel *m_filter;
    QTreeView *m_list;
    QPlainTextEdit *m_detail;
};

} // namespace rankdeck
