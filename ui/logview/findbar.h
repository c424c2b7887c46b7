#pragma once

#include "log/logmatcher.h"

#include <QTimer>
#include <QWidget>

#include <optional>

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

    LogPattern pattern() const;
    /// None while there is no text or it is no regular expression, which the bar says by itself.
    const std::optional<LogMatcher> &matcher() const { return m_matcher; }
    /// Show the bar and put the cursor into it; `suggestion` replaces the text unless it is empty.
    void open(const QString &suggestion);
    void setResult(const QString &result);

Q_SIGNALS:
    void findWanted(bool backward);
    /// The pattern changed: what was found before is no longer what is looked for.
    void edited();
    /// A moment ago, and it can be looked for.
    void editingPaused();
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void onEdited();

    QLineEdit *m_edit;
    QCheckBox *m_regex;
    QCheckBox *m_case;
    QLabel *m_result;
    QTimer m_pause;
    std::optional<LogMatcher> m_matcher;
};

} // namespace rankdeck
