#pragma once

#include <QTimer>
#include <QWidget>

class QPushButton;

namespace rankdeck
{

class ElidedLabel;

/// Says of a report bundle that it is unpacked just now, which can be cancelled, and then where and when it
/// was made.
class BundleLine : public QWidget
{
    Q_OBJECT

public:
    explicit BundleLine(QWidget *parent = nullptr);

    /// Small ones are unpacked before it is worth a word: it is shown a moment later.
    void setUnpacking(const QString &path);
    void setOrigin(const QString &sentence);
    /// There is no bundle.
    void clear();

Q_SIGNALS:
    void cancelWanted();

private:
    ElidedLabel *m_text;
    QPushButton *m_cancel;
    QTimer m_moment;
};

} // namespace rankdeck
