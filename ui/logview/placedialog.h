#pragma once

#include "log/loglinehead.h"

#include <QDialog>

#include <optional>

class QLabel;
class QLineEdit;

namespace rankdeck
{

/// Asks where to go in a log: "1234" is a line, "14:22:26" or "10m" a time (see timeGiven()).
class PlaceDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param here the line (0-based) that is shown, to begin with
    /// @param lines how many there are
    /// @param timeHere tells the day of a time without one; without it that is today.
    PlaceDialog(qint64 here, qint64 lines, const std::optional<LogTime> &timeHere, QWidget *parent = nullptr);

    void accept() override;

Q_SIGNALS:
    /// 0-based.
    void lineChosen(qint64 line);
    void timeChosen(rankdeck::LogTime time);

private:
    qint64 m_lines;
    std::optional<LogTime> m_timeHere;
    QLineEdit *m_place;
    QLabel *m_trouble;
};

} // namespace rankdeck
