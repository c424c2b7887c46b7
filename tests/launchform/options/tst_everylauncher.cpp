#include "base/json.h"
#include "launch/exchange/torchrunimport.h"
#include "launchform/launchfixture.h"
#include "launchform/options/launchfields.h"
#include "support/windowtest.h"

#include <QProcess>

namespace tst_everylauncher
{

using namespace rankdeck;

/// Each launcher of the table in launchers.cpp is there for all who use the table.
class TestEveryLauncher : public QObject
{
    Q_OBJECT

private:
    const LaunchFixture m_fixture;

    static void launchersAsData(const QStringList &names)
    {
        QTest::addColumn<QString>("name");
        for (const QString &name : names)
            QTest::newRow(qPrintable(name)) << name;
    }

    static QStringList linesOf(const QStringList &arguments)
    {
        QProcess ctl;
        ctl.start(buildPath("bin/rankdeckctl"), arguments);
        if (!ctl.waitForFinished())
            qFatal("rankdeckctl does not end");
        return QString::fromUtf8(ctl.readAllStandardOutput()).split(u'\n');
    }

    /// What TAB offers for a word behind others.
    static QStringList completed(const QStringList &before, const QString &word = {})
    {
        return linesOf(QStringList{u"__complete"_s, QString::number(before.size() + 1), u"rankdeckctl"_s} +
                       before + QStringList{word});
    }

private Q_SLOTS:
    void itPlans_data() { launchersAsData(launcherWords()); }
    void itPlans()
    {
        QFETCH(QString, name);
        const Launcher &launcher = *findLauncher(name);
        QStringList words{u"plan"_s, u"--json"_s, name, u"--work-dir"_s, m_fixture.path(".")};
        if (launcher.needsRankTable)
            words << u"--rank-table"_s << m_fixture.writeTable();
        words << m_fixture.write("train.py", "print('hello')\n");
        const auto plan = parseJson(linesOf(words).join(u'\n').toUtf8());
        QVERIFY(plan && plan->contains("processes"));
        QCOMPARE(plan->at("launcher").get<QString>(),
                 QLatin1String(launcher.spelling ? launcher.spelling : launcher.name));
        QVERIFY(!plan->at("processes").empty());
    }

    void itsFormHasItsOptions_data() { launchersAsData(launcherNames()); }
    void itsFormHasItsOptions()
    {
        QFETCH(QString, name);
        const Launcher &launcher = *findLauncher(name);
        LaunchFields fields;
        fields.setLauncher(name);
        QCOMPARE(fields.spec().launcher, name);
        QVERIFY(!launcherDescription(name).isEmpty());
        int shown = 0;
        for (const OptionRows rows : {launcher.rows(), commonRows()}) {
            for (const OptionRow &row : rows) {
                QVERIFY2(!row.label || fields.hasField(normalOption(row.name())), row.usage);
                shown += row.label ? 1 : 0;
            }
        }
        QVERIFY(shown > 30);
        LaunchSpec spec = launcher.defaults();
        spec.command = QStringList{u"echo"_s};
        fields.setSpec(spec);
        QCOMPARE(fields.spec(), spec);
    }

    void itsHelpAndItsCompletionNameItsOptions_data() { launchersAsData(launcherWords()); }
    void itsHelpAndItsCompletionNameItsOptions()
    {
        QFETCH(QString, name);
        const Launcher &launcher = *findLauncher(name);
        const QString help = linesOf({name, u"--help"_s}).join(u'\n');
        const QStringList options = completed({name}, u"-"_s);
        QVERIFY(help.contains(QString::fromUtf8(launcher.example)));
        QVERIFY(linesOf({u"--help"_s}).join(u'\n').contains(QString::fromUtf8(launcher.summary)));
        QVERIFY(completed({}).contains(name));
        QVERIFY(completed({u"plan"_s}).contains(name));
        const LaunchCommandLine line = launcher.spelling ? torchrunCommandLine() : *launcherCommandLine(name);
        QVERIFY(!line.own.empty() && line.common.size() > 30);
        for (const LaunchOptions &own : {line.own, line.common}) {
            for (const LaunchOption &option : own)
                QVERIFY2(help.contains(option.name) && options.contains(option.name),
                         qPrintable(option.name));
        }
    }

    void everyListNamesIt()
    {
        const QString names = anyOf(launcherWords());
        QVERIFY(names.contains(u"torchrun"_s) && names.contains(u"wrap"_s));
        const auto saved = linesOf({u"profile"_s, u"save"_s, u"--help"_s}).join(u' ').simplified();
        QVERIFY2(saved.contains(names), qPrintable(saved));
        QFile page(sourcePath("resources/manual/en/window.md"));
        QVERIFY(page.open(QIODevice::ReadOnly) && page.readAll().contains(anyOf(launcherNames()).toUtf8()));
        QFile manPage(sourcePath("resources/manual/man/rankdeckctl.1.md"));
        QVERIFY(manPage.open(QIODevice::ReadOnly) &&
                manPage.readAll().contains(anyOf(launcherWords() << u"run"_s).toUtf8()));
        const auto general = linesOf({u"--help"_s}).join(u' ').simplified();
        QVERIFY2(general.contains(anyOf(launcherWords() << u"run"_s)), qPrintable(general));
    }
};

} // namespace tst_everylauncher

RANKDECK_WINDOW_TEST(tst_everylauncher, TestEveryLauncher)
#include "tst_everylauncher.moc"
