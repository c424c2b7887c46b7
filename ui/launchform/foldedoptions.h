#pragma once

#include <QWidget>

class QToolButton;

namespace rankdeck
{

class OptionGroup;

/// Options that few need, behind a button that shows them. The button says how many of them are set.
class FoldedOptions : public QWidget
{
    Q_OBJECT

public:
    /// @param title of the button, with its mnemonic.
    /// @param below stands below the options when given.
    FoldedOptions(const QString &title, OptionGroup *options, QWidget *below = nullptr,
                  QWidget *parent = nullptr);

    OptionGroup *options() const { return m_options; }
    QWidget *button() const;
    void setOpen(bool open);
    /// Say how many options are set now.
    void refresh();

private:
    QString m_title;
    OptionGroup *m_options;
    QWidget *m_below;
    QToolButton *m_button;
};

} // namespace rankdeck
