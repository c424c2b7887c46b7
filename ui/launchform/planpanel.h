#pragma once

#include "launchform/planmodel.h"
#include "launchform/previewresult.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QTableView;

namespace rankdeck
{

/// A plan before it is carried out: what it comes to, a table of its processes, and all there is to know
/// about the chosen one.
class PlanPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PlanPanel(QWidget *parent = nullptr);

    QList<QWidget *> focusOrder() const;

    /// Its plan, or why there is none.
    void showPreview(const PreviewResult &result);
    /// No plan; `reason` stands in its place.
    void setEmpty(const QString &reason);

Q_SIGNALS:
    /// See PlanModel::terminalsWanted().
    void terminalsWanted(const QString &ranks);

private:
    QWidget *makePlanPage();
    void setPlan(const LaunchPlan &plan);
    void showDetails();

    PlanModel *m_model;
    QLabel *m_summary;
    QStackedWidget *m_pages;
    QLabel *m_reason;
    QTableView *m_table;
    QLabel *m_notes;
    QLabel *m_detailsTitle;
    QPlainTextEdit *m_details;
    bool m_columnsSized = false;
};

} // namespace rankdeck
