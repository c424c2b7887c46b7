#pragma once

#include "base/tr.h"

#include <QObject>

#include <memory>

namespace rankdeck
{

class MainWindow;

/// While the QApplication is made: has fontconfig prefer letters as Chinese writes them, also where the
/// locale is not Chinese. It would else take those of Japanese, with other punctuation. Programs started
/// later do not inherit it.
class FontLanguage
{
public:
    FontLanguage(const QString &asked, const QString &preferred);
    ~FontLanguage();
    Q_DISABLE_COPY_MOVE(FontLanguage)

private:
    bool m_isSet;
};

/// Returns the language for the window: `asked` on the command line, else that of the preferences, else the
/// environment's. English, with a line on the terminal, if no font here has the characters of the other.
QString windowLanguage(const QString &asked, const QString &preferred);

/// Creates the window again in another language when the preferences ask for one. The runs do not notice.
class TranslatedWindow : public QObject
{
    Q_OBJECT

public:
    /// Makes the window in the installed language.
    TranslatedWindow();
    ~TranslatedWindow() override;

    MainWindow &window() { return *m_window; }

private:
    void takeLanguage(const QString &preferred);

    std::unique_ptr<MainWindow> m_window;
};

} // namespace rankdeck
