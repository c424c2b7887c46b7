#pragma once

#include "ranktable/page/ranktablewatch.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

class ChipChoice;
class ElidedLabel;
class NoteLabel;

/// Shows the number of findings of each severity with its mark: "2 errors", "1 warning". A click on a number
/// requests the next finding of that severity.
class FindingBadge : public QWidget
{
    Q_OBJECT

public:
    FindingBadge();

    void setFindings(const Findings &findings);
    /// Shows words in place of counts, such as "Reading…".
    void setWords(const QString &words);
    /// Returns the shown text, such as "2 errors, 1 warning".
    QString text() const { return m_words.isEmpty() ? countWords(m_counted) : m_words; }

Q_SIGNALS:
    void severityRequested(rankdeck::Severity severity);

private:
    void add(const QIcon &icon, const QString &words, const QColor &color);
    void addButton(Severity severity, int count);
    void refresh();

    Findings m_counted; ///< Only their severities and numbers are used.
    QString m_words;
};

/// The head of the page: name and condition of the rank table, and buttons for what can be done with it.
class RankTableHeader : public QWidget
{
    Q_OBJECT

public:
    RankTableHeader();

    /// Shows another file, without a result yet; none for an empty path.
    void setPath(const QString &path);
    void setReading(qint64 bytes);
    void setLook(const RankTableLook &look);
    ChipChoice *chip() const { return m_chip; }
    /// Returns all widgets that take the focus, in the order of the Tab key.
    QList<QWidget *> focusOrder() const;

Q_SIGNALS:
    void launchRequested();
    void convertRequested();
    void mergeRequested();
    void subsetRequested();
    void generateRequested();
    void closeRequested();
    /// Emitted when the user wants to see the next finding of this severity.
    void severityRequested(rankdeck::Severity severity);

private:
    void showReport(const CheckReport &report);
    void setUsable(bool canLaunch, bool canTransform, const QString &why);

    ElidedLabel *m_name;
    FindingBadge *m_badge;
    ElidedLabel *m_details;
    ChipChoice *m_chip;
    NoteLabel *m_note;
    QPushButton *m_launch;
    QPushButton *m_convert;
    QPushButton *m_merge;
    QPushButton *m_subset;
    QPushButton *m_generate;
    QPushButton *m_close;
};

} // namespace rankdeck
