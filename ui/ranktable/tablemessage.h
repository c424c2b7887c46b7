#pragma once

#include <QWidget>

class QLabel;

namespace rankdeck
{

/// What stands where a rank table would be: none is open, it is being read, it cannot be read.
class TableMessage : public QWidget
{
    Q_OBJECT

public:
    explicit TableMessage(QWidget *parent = nullptr);

    void setMessage(const QString &title, const QString &text);
    QString text() const;

Q_SIGNALS:
    void openWanted();

private:
    QLabel *m_title;
    QLabel *m_text;
};

} // namespace rankdeck
