#pragma once

#include <QByteArray>
#include <QDialog>

namespace rankdeck
{

/// What a line of a log showed one after the other: its pieces between carriage returns, as a progress bar
/// writes them.
class LineHistoryDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param isWhole whether `bytes` begin where the line does
    LineHistoryDialog(const QByteArray &bytes, bool isWhole, QWidget *parent = nullptr);
};

} // namespace rankdeck
