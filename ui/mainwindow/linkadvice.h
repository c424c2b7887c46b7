#pragma once

#include <QWidget>

namespace rankdeck
{

/// For a slow connection to the display: the advice to let ssh compress it. Once closed it never comes again.
class LinkAdvice : public QWidget
{
    Q_OBJECT

public:
    /// It was closed once.
    static bool isClosed();
    explicit LinkAdvice(QWidget *parent = nullptr);

private:
    void close();
};

} // namespace rankdeck
