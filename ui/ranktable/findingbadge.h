#pragma once

#include "ranktable/finding.h"

#include <QWidget>

class QLabel;

namespace rankdeck
{

/// "2 errors", "1 warning": how many findings there are of each severity, each with its mark.
class FindingBadge : public QWidget
{
    Q_OBJECT

public:
    explicit FindingBadge(QWidget *parent = nullptr);

    void setFindings(const Findings &findings);
    /// In place of counts, such as "Reading…".
    void setWords(const QString &words);
    /// What is shown, such as "2 errors, 1 warning".
    QString text() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    void add(const QIcon &icon, const QString &words, const QColor &color);
    void refresh();

    Findings m_counted; ///< Of which only the severities count.
    QString m_words;
};

} // namespace rankdeck
