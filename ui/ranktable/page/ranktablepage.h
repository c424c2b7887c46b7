#pragma once

#include "ranktable/checkedtable.h"
#include "ranktable/ranktablelook.h"

#include <QWidget>

class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace rankdeck
{

class FindingsList;
class RankTableHeader;
class RankTableWatch;
class TableDialog;
class TableGrid;
class TableMessage;
class TableText;
class TableTree;

/// One rank table file: what is in it, what is wrong with it, where that stands in its text, and what can be
/// made of it. Read and checked again whenever the file changes.
class RankTablePage : public QWidget
{
    Q_OBJECT

public:
    explicit RankTablePage(QWidget *parent = nullptr);
    ~RankTablePage() override;

    /// Show a file; it need not exist.
    void openTable(const QString &path);
    /// Show none.
    void closeTable();
    /// Absolute; empty for none.
    QString path() const { return m_path; }
    /// As last looked at; nothing before.
    const SharedTable &table() const { return m_table; }

    QByteArray saveDivision() const;
    void restoreDivision(const QByteArray &saved);

public Q_SLOTS:
    void askForFile();
    void convert();
    void merge();
    void subset();
    void generate();

Q_SIGNALS:
    /// Another file is shown.
    void opened(const QString &path);
    void launchWanted(const QString &path);
    void closeWanted();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QWidget *makeBody();
    void connectViews();
    void orderFocus();
    void makeIcons();
    void onReading(qint64 bytes);
    void onLooked(const RankTableLook &look);
    void showTable(const SharedTable &table);
    void divideRows();
    void showFinding(int index);
    void showPlace(DevicePlace place);
    bool hasPlace(DevicePlace place) const;
    void selectPlace(DevicePlace place);
    void showDialog(TableDialog *dialog);

    RankTableHeader *m_header;
    QStackedWidget *m_stack;
    TableMessage *m_message;
    QSplitter *m_columns;
    QSplitter *m_rows;
    QTabWidget *m_tabs;
    TableTree *m_tree;
    TableGrid *m_grid;
    TableText *m_text;
    FindingsList *m_findings;
    RankTableWatch *m_watch;
    QByteArray m_rowsDivision; ///< While the findings have no place of their own, the division before.
    QString m_path;
    SharedTable m_table;
    DevicePlace m_place; ///< That is selected.
};

} // namespace rankdeck
