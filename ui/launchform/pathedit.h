#pragma once

#include <QLineEdit>

class QPushButton;

namespace rankdeck
{

/// A line for a path, with a button that looks for one. The button is the caller's to place.
class PathEdit : public QLineEdit
{
    Q_OBJECT

public:
    enum class Kind { File, Directory };

    /// @param title of the dialog that the button opens.
    PathEdit(Kind kind, const QString &title, QWidget *parent = nullptr);

    QPushButton *browseButton() const { return m_browse; }

private:
    void browse();

    Kind m_kind;
    QString m_title;
    QPushButton *m_browse;
};

} // namespace rankdeck
