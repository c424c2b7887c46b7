#include "launch/nodes/planlaunch.h"
#include "launchform/launchfixture.h"
#include "launchform/options/launchfields.h"
#include "ranktable/reading/ranktablereader.h"
#include "support/windowtest.h"

#include <QProcess>

namespace tst_everylauncher
{

using namespace rankdeck;
using namespace Qt::StringLiterals;

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
    void itPlans_data() { launchersAsData(launcherNames()); }
    void itPlans()
    {
        QFETCH(QString, name);
        auto spec = launcherCommandLine(name)->parse({m_fixture.write("train.py", "print('hello')\n")});
        QVERIFY2(spec, qPrintable(spec.error().sentence()));
        QCOMPARE(spec->launcher, name);
        spec->workDir = m_fixture.path(".");
        spec->rankTableFile = needsRankTable(*spec) ? m_fixture.writeTable() : QString();
        const auto facts = gatherLaunchFacts(*spec);
        QVERIFY2(facts, qPrintable(facts.error().sentence()));
        const auto table =
            needsRankTable(*spec) ? readRankTable(spec->rankTableFile) : Result<RankTable>(RankTable());
        const auto plan = planLaunch(*spec, *table, spec->rankTableFile, *facts);
        QVERIFY2(plan, qPrintable(plan.error().sentence()));
        QCOMPARE(plan->launcher, name);
        QVERIFY(!plan->processes.empty());
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
                const bool isShown = row.label && row.name() != u"--bind-core"_s;
                QVERIFY2(!isShown || fields.hasField(normalOption(row.name())), row.usage);
                shown += isShown ? 1 : 0;
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
        for (const OptionRow &row : launcher.rows()) {
            // torchrun calls no function.
            if (row.isOption() && !(launcher.spelling && row.name() == u"--function"_s))
                QVERIFY2(help.contains(row.name()) && options.contains(row.name()), row.usage);
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
