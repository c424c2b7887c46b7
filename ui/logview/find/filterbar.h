#pragma once

#include "base/oneshottimer.h"
#include "log/line/logfilter.h"
#include "widgets/widgetparts.h"

#include <QSpinBox>

namespace rankdeck
{

/// Parses a filter: patterns joined by " && " (all of them) and, binding closer, " || " (one of them); "!c"
/// selects lines without c: "a || b && !c" those with a or b, and without c. Empty text selects all lines.
std::vector<std::vector<LogPattern>> patternsIn(const QString &text, bool isRegex, bool caseSensitive);

/// A filter that the user named, as the filter bar shows it.
struct SavedFilter {
    QString name;
    QString text; ///< See patternsIn().
    bool isRegex = false;
    bool caseSensitive = false;
    LogSeverity leastSeverity = LogSeverity::None;
    int context = 0;

    bool operator==(const SavedFilter &) const = default;
};

/// Reads the filters in the settings, in the order of their names.
QList<SavedFilter> savedFilters();
/// Adds a filter to the settings, in place of one with the same name.
void saveFilter(const SavedFilter &filter);
void deleteFilter(const QString &name);

/// Input of a filter for lines. changed() is emitted a moment after the last key, and only for a valid
/// filter; the error of an invalid one is shown in the bar. Filters can be named and kept.
class FilterBar : public WrappingRow
{
    Q_OBJECT

public:
    explicit FilterBar(QWidget *parent = nullptr);

    const LogFilter &filter() const { return m_filter; }
    /// Number of lines shown around each match.
    int context() const { return m_context->value(); }
    /// Shows the number of matching lines.
    void setLineCount(qint64 count);
    void focusText();
    /// Adds a text that lines must have, or must not have.
    void add(const QString &text, bool isExcluded);
    /// Puts a switch behind those for the words, and a button behind that of the filters with a name.
    void append(QCheckBox *option, QToolButton *action);
    SavedFilter content() const;
    void setContent(const SavedFilter &filter);

Q_SIGNALS:
    /// filter() or context() changed.
    void changed();

private:
    void change();
    void fillMenu();
    void askForName();
    void showResult() { rankdeck::showResult(m_result, m_problem.isEmpty() ? m_resultText : m_problem); }

    QHBoxLayout *m_words;
    QHBoxLayout *m_limits;
    QLineEdit *m_edit;
    QCheckBox *m_regex;
    QCheckBox *m_case;
    QComboBox *m_severity;
    QSpinBox *m_context;
    QToolButton *m_saved;
    QLabel *m_result;
    OneShotTimer m_soon{300}; ///< After a key: the user may go on typing.
    LogFilter m_filter;
    QString m_resultText;
    QString m_problem;
};

} // namespace rankdeck
