#include "base/tr.h"

#include <QTranslator>

namespace rankdeck
{

namespace
{

/// Knows the English singulars. Asked last, after the translation for the user's language.
class EnglishSingulars : public QTranslator
{
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char * /*context*/, const char * /*sourceText*/, const char *disambiguation,
                      int n) const override
    {
        return n == 1 ? QString::fromUtf8(disambiguation) : QString();
    }
};

void installEnglishSingulars()
{
    QCoreApplication::installTranslator(new EnglishSingulars(QCoreApplication::instance()));
}

} // namespace

Q_COREAPP_STARTUP_FUNCTION(installEnglishSingulars)

QString tr(const char *text, const char *disambiguation, int n)
{
    // A program that uses the SDK may have no QCoreApplication, and then no translator either.
    const bool isSingular = n == 1 && disambiguation && !QCoreApplication::instance();
    return QCoreApplication::translate("rankdeck", isSingular ? disambiguation : text, disambiguation, n);
}

} // namespace rankdeck
