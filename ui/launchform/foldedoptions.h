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
    explicit FoldedOptions(OptionGroup *options, QWidget *parent = nullptr);

    OptionGroup *options() const { return m_options; }
    QWidget *button() const;
    void setOpen(bool open);
    /// Say how many options are set now.
    void refresh();

private:
    OptionGroup *m_options;
    QToolButton *m_button;
};

} // namespace rankdeck
