#pragma once

#include "widgets/widgetparts.h"

class QListWidget;
class QTextBrowser;

namespace rankdeck
{

/// A page of the manual that is compiled in.
struct ManualPage {
    QString name;  ///< Name of its file: "logs.md", "launchers/msrun.md".
    QString title; ///< Its first heading.
    QString text;  ///< Markdown.
};

/// Returns all pages in the program's language: index.md, those that it links in their order, then others.
QList<ManualPage> manualPages();

/// Returns what stands behind # in a link to a heading: "exit-codes" for "Exit codes".
QString headingAnchor(const QString &heading);

/// The manual in a window of its own: its pages on the left, the page on the right, and a search over all.
class ManualWindow : public QWidget
{
    Q_OBJECT

public:
    explicit ManualWindow(QWidget *parent = nullptr);

    /// Shows a page, such as "logs.md" or "logs.md#colours", and raises the window.
    void open(const QString &page);

protected:
    /// Esc empties the search, then closes the window.
    void keyPressEvent(QKeyEvent *event) override;

private:
    void showPage(const QString &page);
    void follow(const QUrl &link);
    void listPages();
    void markWords();
    /// Goes to the next place of the search on this page, or on the next one that has any.
    void findNext();
    QStringList words() const { return m_search->text().split(' '_L1, Qt::SkipEmptyParts); }

    QList<ManualPage> m_pages;
    QLineEdit *m_search;
    QListWidget *m_list;
    QTextBrowser *m_text;
    QToolButton *m_back;
    QToolButton *m_forward;
};

} // namespace rankdeck
