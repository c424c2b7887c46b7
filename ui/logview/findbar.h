#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace rankdeck
{

/// What to find, how, and how it went. Stands below the log, not over it: a scroll stays a copy.
class FindBar : public QWidget
{
    Q_OBJECT

public:
    explicit FindBar(QWidget *parent = nullptr);

    QString text() const;
    bool caseSensitive() const;
    /// Show the bar and put the cursor into it; `suggestion` replaces the text unless it is empty.
    void open(const QString &suggestion);
    void setResult(const QString &result);

Q_SIGNALS:
    void findWanted(bool backward);
    /// Text or case changed: what was found before is no longer what is looked for.
    void edited();
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QLineEdit *m_edit;
    QCheckBox *m_case;
    QLabel *m_result;
};

} // namespace rankdeck
