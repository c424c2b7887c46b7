#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QToolButton;

namespace rankdeck
{

/// One of several panes side by side: a strip that says whose it is and how that one is, above what the pane
/// shows, and a frame that says where the keys go.
class TilePane : public QWidget
{
    Q_OBJECT

public:
    explicit TilePane(QWidget *parent = nullptr);
    ~TilePane() override;

    QString title() const { return m_titleText; }

Q_SIGNALS:
    /// The strip was double-clicked: show this pane alone, or with the others again.
    void activated();
    /// The focus came into it.
    void focused();

protected:
    /// A button at the right of the strip.
    QToolButton *addStripButton(const QString &text, const QString &toolTip);
    /// Below what is there; the first one of `stretch` 1 takes the room.
    void addBelow(QWidget *widget, int stretch);
    void showTitle(const QString &title);
    /// What is said of the pane where the mouse rests on its title.
    void setHint(const QString &hint);
    /// Elided where it is too long, and whole in the tool tip.
    void showStatusText(const QString &text);

    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void onFocusChanged(QWidget *before, QWidget *now);
    void elide();

    QWidget *m_strip;
    QLabel *m_title;
    QLabel *m_status;
    QString m_titleText;
    QString m_statusText;
    bool m_hasFocus = false;
};

} // namespace rankdeck
