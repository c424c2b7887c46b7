#pragma once

#include "log/logfilter.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace rankdeck
{

/// Which lines are wanted. Speaks up a moment after the user has written, and only with a filter that can be
/// used; what is wrong with another it says itself.
class FilterBar : public QWidget
{
    Q_OBJECT

public:
    explicit FilterBar(QWidget *parent = nullptr);

    const LogFilter &filter() const { return m_filter; }
    /// Lines shown around each wanted one.
    int context() const;
    /// How many lines are shown, or how the reading goes on.
    void setResult(const QString &result);
    void focusText();

Q_SIGNALS:
    /// filter() or context() is another.
    void changed();

private:
    void change();

    QLineEdit *m_edit;
    QCheckBox *m_regex;
    QCheckBox *m_case;
    QComboBox *m_severity;
    QSpinBox *m_context;
    QLabel *m_result;
    QTimer m_soon;
    LogFilter m_filter;
    QString m_resultText;
    QString m_problem;
};

} // namespace rankdeck
