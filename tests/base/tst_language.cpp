#include "base/language.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_language
{

using namespace rankdeck;

class LanguageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theEnvironmentChooses_data();
    void theEnvironmentChooses();
    void aWordChooses();
};

void LanguageTest::theEnvironmentChooses_data()
{
    QTest::addColumn<QStringList>("variables");
    QTest::addColumn<QString>("language");
    const auto row = [](const char *name, const char *variables, const char *language) {
        QTest::newRow(name) << QString::fromLatin1(variables).split(' '_L1, Qt::SkipEmptyParts)
                            << QString::fromLatin1(language);
    };
    row("nothing", "", "en");
    row("LANG", "LANG=zh_CN.UTF-8", "zh_CN");
    row("another part of the world", "LANG=zh_SG.UTF-8", "zh_CN");
    row("the language alone", "LANG=zh", "zh_CN");
    row("no translation", "LANG=fr_FR.UTF-8", "en");
    row("LC_MESSAGES before LANG", "LANG=zh_CN.UTF-8 LC_MESSAGES=en_US.UTF-8", "en");
    row("LC_ALL before all", "LANG=en_US.UTF-8 LC_MESSAGES=en_US.UTF-8 LC_ALL=zh_CN.UTF-8", "zh_CN");
    row("LANGUAGE before the locale", "LANG=en_US.UTF-8 LANGUAGE=zh_CN:en", "zh_CN");
    row("LANGUAGE, the first that is there", "LANG=fr_FR.UTF-8 LANGUAGE=fr:en:zh_CN", "en");
    row("LANGUAGE means nothing in C", "LC_ALL=C.UTF-8 LANGUAGE=zh_CN", "en");
    row("POSIX", "LANG=POSIX LANGUAGE=zh_CN", "en");
}

void LanguageTest::theEnvironmentChooses()
{
    QFETCH(QStringList, variables);
    QProcessEnvironment environment;
    for (const QString &variable : std::as_const(variables))
        environment.insert(variable.section('='_L1, 0, 0), variable.section('='_L1, 1));
    QTEST(languageOf(environment, {u"zh_CN"_s}), "language");
}

void LanguageTest::aWordChooses()
{
    // This program has no translation built in.
    QCOMPARE(*languageFromWord(u"en"_s), u"en"_s);
    QVERIFY(!languageFromWord(u"xx"_s));
    QVERIFY(languageFromWord(u"auto"_s));
}

} // namespace tst_language

RANKDECK_TEST(tst_language, LanguageTest)

#include "tst_language.moc"
