#pragma once

#include "base/tr.h"

#include <QCompleter>
#include <QLineEdit>
#include <QSettings>
#include <QStringListModel>

namespace rankdeck
{

/// Offers earlier texts of a line edit: Down, or the arrow in the edit, lists them, the latest first.
/// Remembers a text when the edit is left or Enter is pressed. Kept in the settings.
class TextHistory : public QObject
{
    Q_OBJECT

public:
    static constexpr int most = 20;

    /// @param key of the settings; edits with the same key share a history.
    TextHistory(QLineEdit *edit, const QString &key);

    /// Adds the text of the edit, if there is any.
    void remember();
    QStringList texts() const { return QSettings().value(m_key).toStringList(); }
    /// Shows the list, unless it is empty.
    void show();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QLineEdit *m_edit;
    QString m_key;
    QStringListModel m_model;
    QCompleter m_list;
};

} // namespace rankdeck
