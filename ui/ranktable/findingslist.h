#pragma once

#include "ranktable/checkedtable.h"

#include <QWidget>

class QPlainTextEdit;
class QTreeView;

namespace rankdeck
{

class FindingsModel;
class SeverityIcons;

/// The findings of a rank table in a list, and below it all that is known of the one that is selected.
class FindingsList : public QWidget
{
    Q_OBJECT

public:
    explicit FindingsList(QWidget *parent = nullptr);

    void setTable(const SharedTable &table);
    void setIcons(const SeverityIcons &icons);
    /// -1: none.
    void showFinding(int finding);
    QTreeView *list() const { return m_list; }
    QWidget *detail() const;

Q_SIGNALS:
    /// By the user.
    void findingChosen(int finding);

protected:
    void resizeEvent(QResizeEvent *event) override;

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
