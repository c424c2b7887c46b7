#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QToolButton;

namespace rankdeck
{

class LogLines;
class LogView;

/// A log with a strip above it: whose it is, how that one is, whether the view follows.
class LogPane : public QWidget
{
    Q_OBJECT

public:
    explicit LogPane(QWidget *parent = nullptr);
    ~LogPane() override;

    LogView *view() const { return m_view; }
    void setSource(LogLines *lines);
    /// Such as "rank 3 · device 3".
    void setTitle(const QString &title);
    QString title() const { return m_titleText; }
    /// Such as "running" or "exit code 3"; empty for none.
    void setState(const QString &state);

Q_SIGNALS:
    /// The strip was double-clicked: show this log alone, or with the others again.
    void activated();
    /// The focus came into it.
    void focused();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void onFocusChanged(QWidget *before, QWidget *now);
    void showStatus();
    void elide();

    QWidget *m_strip;
    QLabel *m_title;
    QLabel *m_status;
    QToolButton *m_follow;
    LogView *m_view;
    QString m_titleText;
    QString m_state;
    QString m_notice;
    QString m_statusText;
    qint64 m_newLines = 0;
    bool m_hasFocus = false;
};

} // namespace rankdeck
