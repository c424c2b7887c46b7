#pragma once

#include "ranktable/ranktablelook.h"

#include <QWidget>

class QPushButton;

namespace rankdeck
{

class ChipChoice;
class ElidedLabel;
class FindingBadge;
class NoteLabel;

/// Says which rank table is shown and how it is, and offers what can be done with it.
class RankTableHeader : public QWidget
{
    Q_OBJECT

public:
    explicit RankTableHeader(QWidget *parent = nullptr);

    /// Another file, of which nothing is known yet; empty for none.
    void setPath(const QString &path);
    void setReading(qint64 bytes);
    void setLook(const RankTableLook &look);
    ChipChoice *chip() const { return m_chip; }
    /// All that takes the focus, in the order of the Tab key.
    QList<QWidget *> focusOrder() const;

Q_SIGNALS:
    void launchWanted();
    void convertWanted();
    void mergeWanted();
    void subsetWanted();
    void generateWanted();
    void closeWanted();

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
