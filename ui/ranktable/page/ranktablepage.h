#pragma once

#include "ranktable/findings/checkedtable.h"
#include "ranktable/page/ranktablewatch.h"
#include "widgets/widgetparts.h"

class QStackedWidget;

namespace rankdeck
{

class FindingsList;
class RankTableHeader;
class TableDialog;
class TableGrid;
class TableText;
class TableTree;

/// The message in place of a rank table: none is open, it is being read, it cannot be read.
class TableMessage : public QWidget
{
    Q_OBJECT

public:
    TableMessage();

    void setMessage(const QString &title, const QString &text);
    QString text() const { return m_title->text() + '\n'_L1 + m_text->text(); }

Q_SIGNALS:
    void openRequested();

private:
    QLabel *m_title;
    QLabel *m_text;
};

/// Shows a rank table file: its content, the findings and their places in the text, and what can be made from
/// it. Reads and checks it again whenever the file changes.
class RankTablePage : public QWidget
{
    Q_OBJECT

public:
    RankTablePage();

    /// Shows a file, which need not exist.
    void openTable(const QString &path);
    void closeTable();
    /// Absolute; empty for none.
    QString path() const { return m_path; }
    /// Returns the table as it was last read; null before.
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
    void launchRequested(const QString &path);
    void closeRequested();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

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
    QByteArray m_rowsDivision; ///< The division to restore when there are findings.
    QString m_path;
    SharedTable m_table;
    DevicePlace m_place; ///< The selected one.
};

} // namespace rankdeck
