#pragma once

#include "background/iothread.h"
#include "log/file/logsearch.h"
#include "widgets/widgetparts.h"

#include <QTreeWidget>

#include <map>

namespace rankdeck
{

/// A log that can be searched together with others.
struct SearchedLog {
    int key = 0; ///< Key chosen by the caller, such as a process; several logs may have the same.
    QString title;
    QString path;
    bool isError = false; ///< The log is the standard error of `title`.
    LogLimit limit = {};  ///< Visible part of the log.
};

/// Searches many logs for a text, in a thread of its own, and lists the matching lines by log.
class SearchPanel : public QWidget
{
    Q_OBJECT

public:
    /// @param logs returns the logs to search, asked for at each search.
    explicit SearchPanel(std::function<QList<SearchedLog>()> logs, QWidget *parent = nullptr);
    ~SearchPanel() override;

    /// Shows the panel, and searches if there is a text; else waits for the user to enter one.
    void open(const LogPattern &pattern);
    /// Stops a search and forgets its results. For another run with other logs.
    void clear();
    bool isSearching() const { return m_search != nullptr; }

Q_SIGNALS:
    /// Emitted when the user wants to see a line (0-based) of the log at `path`.
    void lineRequested(int key, const QString &path, qint64 line);
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void search();
    void stop();
    void dismiss();
    void take(const QList<LogHits> &hits, int searched);
    void addLines(QTreeWidgetItem *item);
    void choose(QTreeWidgetItem *item);
    void showResult();

    std::function<QList<SearchedLog>()> m_logsNow;
    QLineEdit *m_edit;
    QCheckBox *m_regex;
    QCheckBox *m_case;
    QToolButton *m_start;
    QToolButton *m_cancel;
    QLabel *m_result;
    QTreeWidget *m_tree;
    IoThread m_thread{u"search"_s};
    RemoteOwner<ManyLogsSearch> m_search;
    QList<SearchedLog> m_logs;
    int m_searched = 0; ///< Logs.
    bool m_wasCancelled = false;
    qint64 m_count = 0;
    std::map<int, QList<LogHits>> m_hits; ///< By key.
    std::map<int, QTreeWidgetItem *> m_items;
};

} // namespace rankdeck
