#include "launch/exchange/launchimport.h"
#include "launch/options/launchers.h"
#include "launch/options/launchprofile.h"
#include "launch/planning/wrappers.h"
#include "launchform/form/launchform.h"
#include "launchform/launchfixture.h"
#include "launchform/options/launchfields.h"
#include "launchform/preview/planpanel.h"
#include "launchform/start/launchjob.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/preferences.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>

namespace tst_launchform
{

using namespace rankdeck;

class TestLaunchForm : public QObject
{
    Q_OBJECT

private:
    static constexpr int deadlineMs = 20000;

    /// A form on the screen and its parts by name.
    struct Shown {
        LaunchForm form;

        explicit Shown(const LaunchSpec &spec)
        {
            form.setSpec(spec);
            form.show();
        }
        template <typename Widget>
        Widget *part(const char *name) const
        {
            Widget *found = form.findChild<Widget *>(QLatin1String(name));
            if (!found)
                qFatal("the form has no %s", name);
            return found;
        }
        QLineEdit *edit(const char *name) const { return part<QLineEdit>(name); }
        QPushButton *button(const char *name) const { return part<QPushButton>(name); }
        QString text(const char *label) const { return part<QLabel>(label)->text(); }
        int planRows() const { return part<QTableView>("planTable")->model()->rowCount(); }
        QString planCell(int row, int column) const
        {
            const auto *model = part<QTableView>("planTable")->model();
            return model->index(row, column).data().toString();
        }
        bool canLaunch() const { return form.canLaunch(); }
        /// Shortcuts reach only the window that the window manager has made the active one.
        bool hasTheKeys()
        {
            form.activateWindow();
            return QTest::qWaitForWindowActive(&form, deadlineMs);
        }
    };

private Q_SLOTS:
    void aSpecThatIsSetIsReadBackWhole_data()
    {
        QTest::addColumn<LaunchSpec>("spec");
        QTest::newRow("defaults") << LaunchSpec();
        LaunchSpec spec;
        spec.name = u"nightly & co"_s;
        spec.command = QStringList{u"python3"_s, u"my script.py"_s, u"--name=it's"_s,
                                   u""_s,        u"$HOME"_s,        QString::fromUtf8("训练")};
        spec.workDir = u"/data/work dir"_s;
        spec.logDir.clear();
        spec.rankTableFile = u"/data/table.json"_s;
        spec.server = u"192.168.0.2"_s;
        spec.convertedRankTable = u"/data/converted"_s;
        spec.rankTableWaitSeconds = 86400;
        spec.randomCacheDir = false;
        spec.destroyWhenFinished = false;
        spec.raiseOnFailure = false;
        spec.graceSeconds = 0;
        spec.environment = {{u"GLOG_v"_s, u"2"_s}, {u"LINES"_s, u"a\nb\\n = c "_s}};
        spec.common.condaEnv = u"mindspore"_s;
        spec.common.envFiles = QStringList{u"/data/a.env"_s, u"/data/训练.env"_s};
        spec.common.unsetVariables = QStringList{u"MS_ROLE"_s, u"http_proxy"_s};
        spec.common.rankEnvironment = {{0, {{u"A"_s, u"1"_s}, {u"B"_s, u"2\n3"_s}}}, {7, {}}};
        spec.common.bindCore = u"{\"device0\":[\"0-10\"]}"_s;
        spec.common.nice = -20;
        spec.common.memoryLimitMiB = 4096;
        spec.common.openFiles = 65536;
        spec.common.umask = 022;
        spec.common.terminals = u"all"_s;
        spec.common.wrappers = QStringList{u"0:gdb"_s, u"1-3:strace -e 'a  b'"_s};
        spec.common.progressPattern = u"第 (?P<step>\\d+) 步"_s;
        spec.common.stallAfterSeconds = 0;
        spec.common.sampleEverySeconds = 3600;
        spec.common.dumpSignal = u"SIGUSR2"_s;
        spec.common.before = {{u"mkdir"_s, u"-p"_s, u"a b"_s}, {u"sh"_s, u"-c"_s, u"one\ntwo"_s}};
        spec.common.after = {{u"true"_s}};
        QTest::newRow("davincirun, everything") << spec;

        QTest::newRow("msrun") << defaultsOf(u"msrun"_s);
        LaunchSpec msrun = withSharedOptions(defaultsOf(u"msrun"_s), spec);
        msrun.rankTableFile = u"/data/table.json"_s;
        msrun.msrun = {.workerNum = 16,
                       .localWorkerNum = 4,
                       .masterAddr = u"node0"_s,
                       .masterPort = 80, // Of no use, and shown all the same.
                       .nodeRank = 3,
                       .join = true,
                       .clusterTimeOut = -1,
                       .simLevel = 2,
                       .simRankId = 5,
                       .bindNuma = u"True"_s,
                       .workerLogName = u"训练_{ip}"_s,
                       .tailWorkerLog = u"0,7"_s};
        QTest::newRow("msrun, everything") << msrun;

        QTest::newRow("processes") << defaultsOf(u"processes"_s);
        LaunchSpec processes = withSharedOptions(defaultsOf(u"processes"_s), spec);
        processes.processes.args = {{0, {u"--lead"_s, u"a b"_s}}, {1, {}}};
        processes.processes.envs = {{0, {{u"SEED"_s, u"1"_s}}}, {1, {}}};
        processes.processes.redirects = {{0, Streams::Out}};
        processes.processes.defaultRedirect = Streams::None;
        processes.processes.defaultTee = Streams::Error;
        processes.processes.nproc = 2;
        processes.processes.nnodes = 3;
        processes.processes.nodeRank = 1;
        processes.processes.masterAddr = u"node0"_s;
        processes.processes.masterPort = 1234;
        processes.processes.role = u"trainer"_s;
        processes.processes.maxRestarts = 2;
        QTest::newRow("processes, everything") << processes;
    }
    void aSpecThatIsSetIsReadBackWhole()
    {
        const LaunchFixture fixture;
        QFETCH(LaunchSpec, spec);
        LaunchForm form;
        form.setSpec(spec);
        QCOMPARE(form.spec(), spec);
    }

    void everyFieldEndsUpInTheSpec()
    {
        const LaunchFixture fixture;
        Shown shown{LaunchSpec()};
        shown.edit("commandEdit")->setText(u"python3 \"a b.py\""_s);
        shown.edit("rankTableEdit")->setText(u"/t.json"_s);
        shown.edit("workDirEdit")->setText(u"/w"_s);
        shown.edit("logDirEdit")->setText(u"/l"_s);
        shown.edit("nameEdit")->setText(u"n"_s);
        shown.edit("convertedRankTableEdit")->setText(u"/c"_s);
        shown.part<QPlainTextEdit>("envEdit")->setPlainText(u"A=1\nB=2"_s);
        shown.part<QSpinBox>("waitSpin")->setValue(7);
        shown.part<QSpinBox>("graceSpin")->setValue(8);
        for (const char *check : {"noRandomCacheDirCheck", "noDestroyCheck", "noRaiseCheck"})
            shown.part<QCheckBox>(check)->setChecked(false);

        LaunchSpec expected;
        expected.command = QStringList{u"python3"_s, u"a b.py"_s};
        expected.rankTableFile = u"/t.json"_s;
        expected.workDir = u"/w"_s;
        expected.logDir = u"/l"_s;
        expected.name = u"n"_s;
        expected.convertedRankTable = u"/c"_s;
        expected.environment = {{u"A"_s, u"1"_s}, {u"B"_s, u"2"_s}};
        expected.rankTableWaitSeconds = 7;
        expected.graceSeconds = 8;
        expected.randomCacheDir = expected.destroyWhenFinished = expected.raiseOnFailure = false;
        QCOMPARE(shown.form.spec(), expected);
    }

    void terminalsAreChosenInThePlan()
    {
        const LaunchFixture fixture;
        const Shown shown(fixture.spec());
        QTRY_COMPARE_WITH_TIMEOUT(shown.planRows(), 8, deadlineMs);
        auto *table = shown.part<QTableView>("planTable");
        const auto box = [&](int row) {
            return table->model()->index(row, PlanModel::TerminalColumn);
        };
        const auto isChecked = [&](int row) {
            return box(row).data(Qt::CheckStateRole).toInt() == Qt::Checked;
        };
        QVERIFY(!isChecked(3));
        // As a user does with the keyboard.
        table->setCurrentIndex(box(3));
        QTest::keyClick(table, Qt::Key_Space);
        QCOMPARE(shown.form.spec().common.terminals, u"3"_s);
        QTRY_VERIFY_WITH_TIMEOUT(isChecked(3), deadlineMs);
        QCOMPARE(table->currentIndex(), box(3));
        QVERIFY(table->model()->setData(box(5), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(shown.form.spec().common.terminals, u"3,5"_s);
        QTRY_VERIFY_WITH_TIMEOUT(isChecked(5), deadlineMs);
        QVERIFY(table->model()->setData(box(3), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(shown.form.spec().common.terminals, u"5"_s);
    }

    void wrappersArePickedAndGetTheirTerminals()
    {
        const LaunchFixture fixture;
        const Shown shown(fixture.spec());
        QTRY_COMPARE_WITH_TIMEOUT(shown.planRows(), 8, deadlineMs);
        const QList<QAction *> presets = shown.button("wrapEditAddButton")->menu()->actions();
        QCOMPARE(presets.size(), int(wrapperPresets().size()));
        QVERIFY(presets.first()->text().contains(u"gdb --args"_s));
        presets.first()->trigger();
        QCOMPARE(shown.form.spec().common.wrappers, QStringList{u"0:gdb"_s});
        QTRY_COMPARE_WITH_TIMEOUT(shown.planCell(0, PlanModel::CommandColumn),
                                  u"gdb --args /bin/echo hello"_s, deadlineMs);
        const QModelIndex box =
            shown.part<QTableView>("planTable")->model()->index(0, PlanModel::TerminalColumn);
        QCOMPARE(box.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QVERIFY(!(box.flags() & Qt::ItemIsUserCheckable));
        QVERIFY(shown.text("planNotes").contains(u"Rank 0 gets a terminal"_s));
    }

    void aGoodSpecShowsItsPlanBeforeAnythingStarts()
    {
        const LaunchFixture fixture;
        const Shown shown(fixture.spec());
        QTRY_COMPARE_WITH_TIMEOUT(shown.planRows(), 8, deadlineMs);
        for (int row = 0; row < 8; ++row) {
            const QString number = QString::number(row);
            QCOMPARE(shown.planCell(row, 0), number);
            QCOMPARE(shown.planCell(row, 1), number);
            QCOMPARE(shown.planCell(row, PlanModel::CommandColumn), u"/bin/echo hello"_s);
            QVERIFY(shown.planCell(row, PlanModel::EnvironmentColumn).contains(u"RANK_ID="_s + number));
            QVERIFY(shown.planCell(row, PlanModel::LogColumn)
                        .endsWith(u"-proc-rank-%1-device-%1.txt"_s.arg(row)));
        }
        QCOMPARE(shown.text("planSummary"), u"8 processes on 127.0.0.1, world size 8"_s);
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        QVERIFY(!QFile::exists(fixture.path("state/rankdeck/runs")));
        QVERIFY(!QFile::exists(fixture.path("log")));
    }

    void theChosenRanksEnvironmentIsShownWhole()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.environment.insert(u"MY_OWN"_s, u"value"_s);
        const Shown shown(spec);
        QTRY_COMPARE_WITH_TIMEOUT(shown.planRows(), 8, deadlineMs);
        shown.part<QTableView>("planTable")->selectRow(3);
        const QString details = shown.part<QPlainTextEdit>("planDetails")->toPlainText();
        for (const char *line : {"RANK_ID=3", "DEVICE_ID=3", "RANK_SIZE=8", "MY_OWN=value"})
            QVERIFY2(details.contains(QLatin1String(line)), line);
    }

    void whatRunsBesideTheRanksIsNamedAboveThem()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.common.before = {{u"/bin/echo"_s, u"<b>two words</b>"_s}};
        spec.common.after = {{u"/bin/true"_s}};
        const Shown shown(spec);
        QTRY_COMPARE_WITH_TIMEOUT(shown.planRows(), 8, deadlineMs);
        const QStringList notes = shown.text("planNotes").split(u'\n');
        QCOMPARE(notes.value(0), u"Before the launch: /bin/echo '<b>two words</b>'"_s);
        QCOMPARE(notes.value(1), u"After the launch: /bin/true"_s);
    }

    void aMissingRankTableIsSaidAtItsField()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.rankTableFile = fixture.path("no/absent.json");
        const Shown shown(spec);
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("rankTableEditNote").contains(u"No rank table found"_s),
                                 deadlineMs);
        QVERIFY(!shown.canLaunch());
        QCOMPARE(shown.planRows(), 0);
    }

    void aWrongCommandIsSaidThoughTheRankTableIsMissingToo()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.rankTableFile = fixture.path("no/absent.json");
        spec.command = QStringList{u"/no/such/program"_s};
        const Shown shown(spec);
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("rankTableEditNote").contains(u"No rank table found"_s),
                                 deadlineMs);
        QVERIFY(shown.text("commandEditNote").contains(u"/no/such/program"_s));
    }

    void malformedJsonIsSaidAtTheRankTableWithLineAndColumn()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.rankTableFile = fixture.write("bad.json", "{\n  \"status\": oops\n}");
        const Shown shown(spec);
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("rankTableEditNote").contains(u"bad.json:2:"_s), deadlineMs);
        QVERIFY(!shown.canLaunch());
    }

    void aTableThatAppearsLaterIsNoticedWithoutAnEdit()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        QVERIFY(QFile::remove(spec.rankTableFile));
        const Shown shown(spec);
        QTRY_VERIFY_WITH_TIMEOUT(
            shown.text("rankTableEditNote").contains(u"file not found yet): Launch waits"_s), deadlineMs);
        QVERIFY(shown.canLaunch());
        QCOMPARE(shown.planRows(), 0);
        fixture.writeTable();
        QTRY_COMPARE_WITH_TIMEOUT(shown.planRows(), 8, deadlineMs);
    }

    void anEmptyCommandIsSaidAtTheCommand()
    {
        const LaunchFixture fixture;
        const Shown shown(fixture.spec());
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        const QString help = shown.text("commandEditNote");
        shown.edit("commandEdit")->clear();
        QVERIFY(!shown.canLaunch());
        QVERIFY(shown.text("commandEditNote").contains(u"no command"_s));
        shown.edit("commandEdit")->setText(u"/bin/echo"_s);
        QCOMPARE(shown.text("commandEditNote"), help);
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
    }

    void anUnclosedQuoteIsSaidAtTheCommand()
    {
        const LaunchFixture fixture;
        const Shown shown(fixture.spec());
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        QVERIFY(shown.part<QAction>("copyOwnAction")->isEnabled());
        shown.edit("commandEdit")->setText(u"python3 'train.py"_s);
        QVERIFY(!shown.part<QAction>("copyOwnAction")->isEnabled());
        QVERIFY(shown.text("commandEditNote").contains(u"not closed"_s));
        QVERIFY(!shown.canLaunch());
    }

    void whatIsWrongIsSaidBesideItsField_data()
    {
        QTest::addColumn<QString>("editor");
        QTest::addColumn<QString>("value");
        QTest::newRow("program") << "commandEdit"
                                 << "/no/such/program";
        QTest::newRow("work dir") << "workDirEdit"
                                  << "/dev/null/work";
        QTest::newRow("log dir") << "logDirEdit"
                                 << "/dev/null/log";
    }
    void whatIsWrongIsSaidBesideItsField()
    {
        QFETCH(QString, editor);
        QFETCH(QString, value);
        const LaunchFixture fixture;
        const Shown shown(fixture.spec());
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        const QByteArray name = editor.toUtf8();
        shown.edit(name)->setText(value);
        QTRY_VERIFY_WITH_TIMEOUT(!shown.canLaunch(), deadlineMs);
        QVERIFY2(shown.text((name + "Note").constData()).contains(value),
                 qPrintable(shown.text("messageLabel")));
        QVERIFY(shown.text("messageLabel").isEmpty());
    }

    void aLineThatIsNoVariableIsSaidAtTheEnvironment()
    {
        const LaunchFixture fixture;
        const Shown shown(fixture.spec());
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        shown.part<QPlainTextEdit>("envEdit")->setPlainText(u"A=1\nnonsense"_s);
        QVERIFY(shown.text("envEditNote").contains(u"Line 2"_s));
        QVERIFY(!shown.canLaunch());
    }

    void anEmptyRankTableFieldShowsWhatWillBeRead()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        qputenv("RANK_TABLE_FILE", spec.rankTableFile.toUtf8());
        spec.rankTableFile.clear();
        const Shown shown(spec);
        QTRY_COMPARE_WITH_TIMEOUT(shown.edit("rankTableEdit")->placeholderText(),
                                  u"from RANK_TABLE_FILE: "_s + fixture.path("table.json"), deadlineMs);
    }

    void launchingStartsARunAndHidesTheForm()
    {
        const LaunchFixture fixture;
        Shown shown(fixture.spec());
        QSignalSpy launched(&shown.form, &LaunchForm::launched);
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        shown.button("launchButton")->click();
        QTRY_COMPARE_WITH_TIMEOUT(launched.size(), 1, deadlineMs);
        const QString directory = launched.first().first().toString();
        QVERIFY2(QFile::exists(directory + u"/run.json"_s), qPrintable(directory));
        QVERIFY(!shown.form.isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(LaunchFixture::isOver(directory), deadlineMs);
    }

    void aPlanCanBeCheckedBeforeItIsLaunched()
    {
        const LaunchFixture fixture;
        Shown shown(fixture.spec());
        const QSignalSpy wanted(&shown.form, &LaunchForm::preflightRequested);
        QVERIFY(!shown.button("preflightButton")->isEnabled());
        shown.form.checkFirst();
        QVERIFY(shown.form.isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(shown.button("preflightButton")->isEnabled(), deadlineMs);
        QVERIFY(shown.hasTheKeys());
        QTest::keyClick(shown.edit("commandEdit"), Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().first().value<LaunchSpec>(), fixture.spec());
        QVERIFY(!shown.form.isVisible());
        shown.form.show();
        shown.edit("commandEdit")->clear();
        QVERIFY(!shown.button("preflightButton")->isEnabled());
    }

    void aPlanThatCannotBeCarriedOutCanBeCheckedAllTheSame()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.command = {u"no-such-program-of-mine"_s};
        const Shown shown(spec);
        QTRY_VERIFY_WITH_TIMEOUT(shown.planRows() > 0, deadlineMs);
        QVERIFY(!shown.canLaunch());
        QVERIFY(shown.button("preflightButton")->isEnabled());
    }

    void aLaunchIsOfferedAgainInTheNextForm()
    {
        const LaunchFixture fixture;
        const LaunchSpec spec = fixture.spec();
        {
            Shown shown(spec);
            QSignalSpy launched(&shown.form, &LaunchForm::launched);
            QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
            QVERIFY(shown.hasTheKeys());
            QTest::keyClick(shown.edit("commandEdit"), Qt::Key_Return, Qt::ControlModifier);
            QTRY_COMPARE_WITH_TIMEOUT(launched.size(), 1, deadlineMs);
            QTRY_COMPARE_WITH_TIMEOUT(shown.part<QComboBox>("recentCombo")->count(), 1, deadlineMs);
            QTRY_VERIFY_WITH_TIMEOUT(LaunchFixture::isOver(launched.first().first().toString()), deadlineMs);
        }
        Shown next{LaunchSpec()};
        auto *recent = next.part<QComboBox>("recentCombo");
        QTRY_COMPARE_WITH_TIMEOUT(recent->count(), 1, deadlineMs);
        recent->setFocus();
        QTest::keyClick(recent, Qt::Key_Down);
        QCOMPARE(next.form.spec(), spec);
    }

    void anUnfinishedTableIsWaitedForAndTheWaitCanBeCancelled()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        fixture.writeTable("initializing");
        Shown shown(spec);
        QSignalSpy launched(&shown.form, &LaunchForm::launched);
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        QVERIFY(shown.text("rankTableEditNote").contains(u"initializing"_s));
        shown.button("launchButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("messageLabel").contains(u"(initializing)"_s), deadlineMs);
        QVERIFY(!shown.canLaunch());
        QVERIFY(!shown.edit("commandEdit")->isEnabled());

        shown.button("cancelButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        QVERIFY(shown.edit("commandEdit")->isEnabled());
        QVERIFY(shown.form.isVisible());
        QVERIFY(launched.isEmpty());
        QVERIFY(!QFile::exists(fixture.path("state/rankdeck/runs")));
    }

    void aTableThatStaysUnfinishedIsSaidAtItsField()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.rankTableWaitSeconds = 0;
        fixture.writeTable("initializing");
        Shown shown(spec);
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        shown.button("launchButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("rankTableEditNote").contains(u"still"_s), deadlineMs);
        QVERIFY(shown.form.isVisible());
    }

    void theRankTableIsCheckedAsItIsNamed()
    {
        const LaunchFixture fixture;
        const LaunchSpec spec = fixture.spec();
        Shown shown(spec);
        QTRY_COMPARE_WITH_TIMEOUT(shown.text("tableCheckText"), u"no findings"_s, deadlineMs);
        QFile::rename(spec.rankTableFile, fixture.path("good.json"));
        fixture.writeTableWithErrors();
        shown.edit("rankTableEdit")->setText(fixture.path("table.json") + 'x'_L1);
        QTRY_VERIFY_WITH_TIMEOUT(shown.part<QWidget>("tableCheckLine")->isHidden(), deadlineMs);
        shown.edit("rankTableEdit")->setText(fixture.path("table.json"));
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("tableCheckText").startsWith(u"2 errors"_s) &&
                                     shown.text("tableCheckText").contains(u"first error: line 3: "_s),
                                 deadlineMs);
        QVERIFY(shown.canLaunch());

        QSignalSpy wanted(&shown.form, &LaunchForm::showTableRequested);
        shown.button("showTableButton")->click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().first().toString(), fixture.path("table.json"));
    }

    void aTableWithErrorsIsLaunchedOnlyAfterAQuestion()
    {
        const LaunchFixture fixture;
        const LaunchSpec spec = fixture.spec();
        fixture.writeTableWithErrors();
        Shown shown(spec);
        QSignalSpy launched(&shown.form, &LaunchForm::launched);
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        shown.button("launchButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown.form.findChild<LaunchQuestion *>(), deadlineMs);
        QPointer question(shown.form.findChild<LaunchQuestion *>());
        QVERIFY2(question->text().contains(u"2 errors"_s), qPrintable(question->text()));
        QVERIFY2(question->text().contains(u"line 3: "_s), qPrintable(question->text()));
        QCOMPARE(question->defaultButton(), question->button(QMessageBox::Cancel));

        QTest::keyClick(question, Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        QVERIFY(launched.isEmpty());
        QVERIFY(!QFile::exists(fixture.path("state/rankdeck/runs")));
        QTRY_VERIFY_WITH_TIMEOUT(!question, deadlineMs);

        shown.button("launchButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown.form.findChild<LaunchQuestion *>(), deadlineMs);
        shown.form.findChild<LaunchQuestion *>()->findChild<QPushButton *>(u"launchAnywayButton"_s)->click();
        QTRY_COMPARE_WITH_TIMEOUT(launched.size(), 1, deadlineMs);
        QTRY_VERIFY_WITH_TIMEOUT(LaunchFixture::isOver(launched.first().first().toString()), deadlineMs);
    }

    void aTableThatIsCompletedWithErrorsWhileTheLaunchWaitsIsAskedAboutToo()
    {
        const LaunchFixture fixture;
        const LaunchSpec spec = fixture.spec();
        fixture.writeTable("initializing");
        Shown shown(spec);
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        shown.button("launchButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("messageLabel").contains(u"(initializing)"_s), deadlineMs);
        fixture.writeTableWithErrors();
        QTRY_VERIFY_WITH_TIMEOUT(shown.form.findChild<LaunchQuestion *>(), deadlineMs);
        shown.form.findChild<LaunchQuestion *>()->reject();
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
    }

    void aRankTableThatIsFilledInLeavesTheOtherFieldsAlone()
    {
        const LaunchFixture fixture;
        Shown shown(fixture.spec());
        shown.edit("commandEdit")->setText(u"python3 'unclosed"_s);
        shown.form.setRankTable(u"/other.json"_s);
        QCOMPARE(shown.edit("rankTableEdit")->text(), u"/other.json"_s);
        QCOMPARE(shown.edit("commandEdit")->text(), u"python3 'unclosed"_s);
    }

    void anotherLauncherKeepsWhatBothShareAndTakesItsOwnDefaults()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.environment = {{u"A"_s, u"1"_s}};
        spec.name = u"训练"_s;
        spec.common.nice = 5;
        Shown shown(spec);
        auto *launcher = shown.part<QComboBox>("launcherCombo");
        launcher->setFocus();
        QTest::keyClick(launcher, Qt::Key_Down);

        LaunchSpec expected = defaultsOf(u"msrun"_s);
        expected.command = spec.command;
        expected.workDir = spec.workDir;
        expected.logDir = spec.logDir;
        expected.environment = spec.environment;
        expected.name = spec.name;
        expected.common = spec.common;
        QCOMPARE(shown.form.spec(), expected);
        QCOMPARE(shown.part<QSpinBox>("masterPortSpin")->value(), 8118);
        QVERIFY(!shown.form.findChild<QLineEdit *>(u"convertedRankTableEdit"_s));
        QCOMPARE(shown.form.focusWidget(), launcher);

        QTest::keyClick(launcher, Qt::Key_Down);
        QCOMPARE(shown.form.spec().launcher, u"processes"_s);
        QVERIFY(!shown.form.findChild<QLineEdit *>(u"rankTableEdit"_s));
        QCOMPARE(shown.form.spec().graceSeconds, 30);

        // What was typed for a launcher comes back with it.
        QTest::keyClick(launcher, Qt::Key_Home);
        QCOMPARE(shown.form.spec(), spec);
    }

    void theNumberOfRanksIsKeptOnAChangeOfLauncher()
    {
        LaunchSpec msrun = defaultsOf(u"msrun"_s);
        msrun.msrun.workerNum = 8;
        msrun.msrun.localWorkerNum = 4;
        const LaunchSpec processes = withSharedOptions(defaultsOf(u"processes"_s), msrun);
        QCOMPARE(processes.processes.nproc, 4);
        QCOMPARE(processes.processes.nnodes, 2);
        LaunchSpec other = processes;
        other.processes.nproc = 3;
        const LaunchSpec back = withSharedOptions(defaultsOf(u"msrun"_s), other);
        QCOMPARE(back.msrun.localWorkerNum, 3);
        QCOMPARE(back.msrun.workerNum, 6);
    }

    void aNewFormIsNeutralAndNamesTheStepsInTheWindowsWords()
    {
        const LaunchFixture fixture;
        LaunchForm form;
        form.show();
        const auto text = [&form](const char *label) {
            return form.findChild<QLabel *>(QLatin1String(label))->text();
        };
        const QString tableHelp = text("rankTableEditNote");
        QTRY_VERIFY_WITH_TIMEOUT(text("planReason").contains(u"Command: "_s), deadlineMs);
        QTRY_VERIFY_WITH_TIMEOUT(text("planReason").contains(u"Rank table: "_s), deadlineMs);
        QVERIFY2(!text("planReason").contains(u"--"_s), qPrintable(text("planReason")));
        QVERIFY(!text("commandEditNote").contains(u"no command"_s));
        QVERIFY2(!text("rankTableEditNote").contains(u"No rank table found"_s),
                 qPrintable(text("rankTableEditNote")));
        QVERIFY(text("messageLabel").isEmpty());

        // Launch shows what is missing.
        form.findChild<QPushButton *>(u"launchButton"_s)->click();
        QVERIFY(text("commandEditNote").contains(u"no command"_s));
        QVERIFY(text("rankTableEditNote").contains(u"No rank table found"_s));
        QCOMPARE(form.focusWidget()->objectName(), u"commandEdit"_s);
    }

    void aNewFormHasThePreferences()
    {
        const LaunchFixture fixture;
        const WindowHome home;
        Preferences preferences;
        preferences.launcher = u"msrun"_s;
        preferences.launchNumbers = {{u"--stall-after"_s, 7}};
        preferences.endCommand = u"mail-me"_s;
        preferences.save();
        LaunchForm form;
        QCOMPARE(form.spec().launcher, u"msrun"_s);
        QCOMPARE(form.spec().common.stallAfterSeconds, 7);
        QCOMPARE(form.spec().environment.value(u"RANKDECK_ON_END"_s), u"mail-me"_s);
        form.show();
        QVERIFY(!form.findChild<QLabel *>(u"commandEditNote"_s)->text().contains(u"no command"_s));
        form.setSpec(fixture.processesSpec());
        Preferences().save(); // Does not touch what was filled in.
        QCOMPARE(form.spec(), fixture.processesSpec());
    }

    void textBoxesGrowWithTheirFont()
    {
        const LaunchFixture fixture;
        LaunchForm form;
        form.setSpec(fixture.processesSpec());
        form.show();
        auto *const edit = form.findChild<QPlainTextEdit *>(u"envEdit"_s);
        QFont font = edit->font();
        const int before = edit->height();
        font.setPointSizeF(font.pointSizeF() * 2);
        edit->setFont(font);
        QTRY_VERIFY(edit->height() >= 3 * edit->fontMetrics().lineSpacing());
        QVERIFY(edit->height() > before);
    }

    void aFieldThatWasEditedShowsItsOwnProblemOnly()
    {
        const LaunchFixture fixture;
        LaunchForm form;
        form.show();
        auto *command = form.findChild<QLineEdit *>(u"commandEdit"_s);
        command->setText(u"'unclosed"_s);
        QVERIFY(form.findChild<QLabel *>(u"commandEditNote"_s)->text().contains(u"not closed"_s));
        const auto *reason = form.findChild<QLabel *>(u"planReason"_s);
        QTRY_VERIFY_WITH_TIMEOUT(reason->text().contains(u"Rank table: "_s), deadlineMs);
        QVERIFY(!form.findChild<QLabel *>(u"rankTableEditNote"_s)->text().contains(u"No rank table"_s));
    }

    void enterInAFieldLaunchesNothing()
    {
        const LaunchFixture fixture;
        Shown shown(fixture.spec());
        const QSignalSpy launched(&shown.form, &LaunchForm::launched);
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        QVERIFY(shown.hasTheKeys());
        for (const char *name : {"commandEdit", "workDirEdit", "nameEdit"}) {
            shown.edit(name)->setFocus();
            QTest::keyClick(shown.edit(name), Qt::Key_Return);
            QVERIFY2(shown.button("launchButton")->isEnabled(), name); // Disabled during a launch.
        }
        QVERIFY(shown.form.isVisible());
        QVERIFY(launched.isEmpty());
    }

    void theLogDirectoryFollowsTheWorkDirectory()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        spec.logDir = u"./log"_s;
        Shown shown(spec);
        const QSignalSpy wanted(&shown.form, &LaunchForm::preflightRequested);
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("logDirEditNote").contains(fixture.path("log")), deadlineMs);
        QCOMPARE(shown.form.spec().logDir, u"./log"_s);
        shown.form.checkFirst();
        QCOMPARE(wanted.value(0).value(0).value<LaunchSpec>().logDir, fixture.path("log"));
    }

    void aMissingScriptIsToldWithEveryLauncher_data()
    {
        QTest::addColumn<QString>("launcher");
        for (const QString &launcher : launcherNames())
            QTest::newRow(qPrintable(launcher)) << launcher;
    }
    void aMissingScriptIsToldWithEveryLauncher()
    {
        const LaunchFixture fixture;
        QFETCH(QString, launcher);
        LaunchSpec spec = launcher == u"msrun"       ? fixture.msrunSpec()
                          : launcher == u"processes" ? fixture.processesSpec()
                                                     : fixture.spec();
        spec.command = QStringList{u"python3"_s, u"absent.py"_s};
        const Shown shown(spec);
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("commandEditNote").contains(u"script does not exist"_s),
                                 deadlineMs);
        QVERIFY(!shown.canLaunch());
    }

    void withLittleWidthNamesStandAboveTheirFieldsAndNothingIsCut()
    {
        const LaunchFixture fixture;
        Shown shown(fixture.spec());
        auto *edit = shown.edit("workDirEdit");
        auto *fields = shown.form.findChild<LaunchFields *>();
        const auto left = [&] {
            return edit->mapTo(fields, QPoint()).x();
        };
        QVERIFY(left() > 50);
        QFont large = shown.form.font();
        large.setPointSize(18);
        shown.form.setFont(large);
        shown.form.resize(900, 600);
        QTRY_VERIFY_WITH_TIMEOUT(left() < 20, deadlineMs);
        QVERIFY2(shown.form.minimumSizeHint().width() <= 1008,
                 qPrintable(QString::number(shown.form.minimumSizeHint().width())));
        QVERIFY2(shown.form.minimumSizeHint().height() <= 652,
                 qPrintable(QString::number(shown.form.minimumSizeHint().height())));
        QCOMPARE(fields->width(), fields->parentWidget()->width());
    }

    void msrunIsPlannedWithItsScheduler()
    {
        const LaunchFixture fixture;
        const Shown shown(fixture.msrunSpec());
        QTRY_COMPARE_WITH_TIMEOUT(shown.planRows(), 3, deadlineMs);
        QCOMPARE(shown.planCell(0, 0), u"scheduler"_s);
        QCOMPARE(shown.planCell(2, 0), u"1"_s);
        QCOMPARE(shown.planCell(2, PlanModel::LogColumn), u"worker_1.log"_s);
        QVERIFY(shown.planCell(0, PlanModel::EnvironmentColumn).contains(u"MS_ROLE=MS_SCHED"_s));
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
    }

    void processesArePlannedWithoutARankTable()
    {
        const LaunchFixture fixture;
        const Shown shown(fixture.processesSpec());
        QTRY_COMPARE_WITH_TIMEOUT(shown.planRows(), 2, deadlineMs);
        QCOMPARE(shown.planCell(1, PlanModel::CommandColumn), u"/bin/echo hello --last"_s);
        QCOMPARE(shown.planCell(1, PlanModel::LogColumn), u"1/stdout.log"_s);
        QVERIFY(shown.part<QTableView>("planTable")->isColumnHidden(1));
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
    }

    void theLogsOfSeveralNodesHaveNamesOfTheirOwn()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.processesSpec();
        spec.nodes.list = u"a,b"_s;
        const Shown shown(spec);
        QTRY_COMPARE_WITH_TIMEOUT(shown.planRows(), 4, deadlineMs);
        QCOMPARE(shown.planCell(1, PlanModel::LogColumn), u"node0/1/stdout.log"_s);
        QCOMPARE(shown.planCell(2, PlanModel::LogColumn), u"node1/0/stdout.log"_s);
    }

    void whatIsWrongWithAnOptionIsSaidBesideIt_data()
    {
        QTest::addColumn<LaunchSpec>("spec");
        QTest::addColumn<QString>("note");
        const LaunchFixture fixture;
        const auto row = [](const LaunchSpec &good, const char *note, const auto &spoil) {
            LaunchSpec spec = good;
            spoil(spec);
            QTest::newRow(note) << spec << QString::fromUtf8(note);
        };
        const LaunchSpec msrun = fixture.msrunSpec();
        row(msrun, "masterPortSpinNote", [](LaunchSpec &spec) { spec.msrun.masterPort = 80; });
        row(msrun, "localWorkerNumSpinNote", [](LaunchSpec &spec) { spec.msrun.localWorkerNum = 3; });
        row(msrun, "masterAddrEditNote", [](LaunchSpec &spec) { spec.msrun.masterAddr = u"::1"_s; });
        row(msrun, "bindCoreEditNote", [](LaunchSpec &spec) { spec.common.bindCore = u"Maybe"_s; });
        row(msrun, "commandEditNote", [](LaunchSpec &spec) { spec.command = QStringList{u"absent.py"_s}; });
        row(msrun, "rankTableFileEditNote", [](LaunchSpec &spec) { spec.rankTableFile = u"/absent"_s; });
        row(msrun, "tailWorkerLogEditNote", [](LaunchSpec &spec) { spec.msrun.tailWorkerLog = u"x"_s; });
        const LaunchSpec processes = fixture.processesSpec();
        row(processes, "argsEditNote", [](LaunchSpec &spec) { spec.processes.nproc = 3; });
        row(processes, "envsEditNote", [](LaunchSpec &spec) { spec.processes.envs = {{0, {}}}; });
        row(processes, "nodeRankSpinNote", [](LaunchSpec &spec) { spec.processes.nodeRank = 1; });
        row(processes, "niceSpinNote", [](LaunchSpec &spec) { spec.common.nice = 20; });
        row(processes, "envFileEditNote", [](LaunchSpec &spec) { spec.common.envFiles << u"/absent"_s; });
        row(processes, "condaEnvEditNote", [](LaunchSpec &spec) { spec.common.condaEnv = u"absent"_s; });
        row(processes, "rankEnvEditNote", [](LaunchSpec &spec) {
            spec.common.rankEnvironment = {{9, {{u"A"_s, u"1"_s}}}};
        });
    }
    void whatIsWrongWithAnOptionIsSaidBesideIt()
    {
        // Of its own: that of the data is gone, and its directories with it.
        const LaunchFixture fixture;
        QFETCH(LaunchSpec, spec);
        QFETCH(QString, note);
        spec.workDir = fixture.path(".");
        spec.logDir.clear();
        if (spec.launcher == u"msrun" && spec.command.first() != u"absent.py")
            spec.command = fixture.msrunSpec().command;
        const Shown shown(spec);
        auto *label = shown.part<QLabel>(note.toUtf8());
        const QString help = label->text();
        QTRY_VERIFY_WITH_TIMEOUT(!shown.canLaunch() && label->text() != help, deadlineMs);
        QVERIFY2(shown.text("messageLabel").isEmpty(), qPrintable(shown.text("messageLabel")));
        QVERIFY2(label->isVisible(), "a problem is behind a folded section");
    }

    void aLaunchThatCannotBeShowsTheFieldThatIsWrong()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.processesSpec();
        spec.processes.nproc = 3;
        Shown shown(spec);
        QVERIFY(QTest::qWaitForWindowActive(&shown.form, 30000));
        auto *args = shown.part<QPlainTextEdit>("argsEdit");
        QVERIFY(args->visibleRegion().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("argsEditNote").contains(u"rank 2 is missing"_s), deadlineMs);
        shown.form.launch();
        QCOMPARE(shown.form.focusWidget(), args);
        QVERIFY(!args->visibleRegion().isEmpty());
    }

    void optionsThatFewNeedAreFoldedUnlessOneIsSet()
    {
        const LaunchFixture fixture;
        LaunchSpec spec = fixture.spec();
        Shown shown(spec);
        auto *more = shown.part<QToolButton>("moreOptionsButton");
        QVERIFY(!shown.part<QWidget>("niceSpin")->isVisible());
        more->click();
        QVERIFY(shown.part<QWidget>("niceSpin")->isVisible());
        shown.part<QSpinBox>("niceSpin")->setValue(5);
        QVERIFY2(more->text().contains(u"(1 set)"), qPrintable(more->text()));
        shown.form.setSpec(spec);
        QVERIFY(!shown.part<QWidget>("niceSpin")->isVisible());
        spec.common.nice = 5;
        shown.form.setSpec(spec);
        QVERIFY(shown.part<QWidget>("niceSpin")->isVisible());
    }

    void mnemonicsAreUniqueOnEachPage_data()
    {
        QTest::addColumn<QString>("launcher");
        for (const QString &launcher : launcherNames())
            QTest::newRow(qPrintable(launcher)) << launcher;
    }
    void mnemonicsAreUniqueOnEachPage()
    {
        const LaunchFixture fixture;
        QFETCH(QString, launcher);
        const Shown shown(defaultsOf(launcher));
        shown.part<QToolButton>("moreOptionsButton")->click();
        QMap<QString, QString> seen;
        const auto look = [&](const QWidget *widget, const QString &text) {
            const QString key = QKeySequence::mnemonic(text).toString();
            if (key.isEmpty() || !widget->isVisible())
                return;
            QVERIFY2(!seen.contains(key), qPrintable(text + u" and "_s + seen.value(key)));
            seen.insert(key, text);
        };
        for (const QLabel *label : shown.form.findChildren<QLabel *>())
            look(label, label->text());
        for (const QAbstractButton *button : shown.form.findChildren<QAbstractButton *>())
            look(button, button->text());
        QVERIFY2(seen.size() > 10, qPrintable(QString::number(seen.size())));
    }

    void aPastedCommandLineFillsTheForm()
    {
        const LaunchFixture fixture;
        Shown shown(fixture.spec());
        QVERIFY(shown.hasTheKeys());
        QGuiApplication::clipboard()->setText(u"dear colleague"_s);
        QTest::keyClick(&shown.form, Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        auto *dialog = shown.form.findChild<QDialog *>(u"pasteDialog"_s);
        QVERIFY(dialog);
        QVERIFY(dialog->findChild<QPlainTextEdit *>(u"pasteEdit"_s)->toPlainText().isEmpty());
        auto *line = dialog->findChild<QPlainTextEdit *>(u"pasteEdit"_s);
        auto *fill = dialog->findChild<QPushButton *>(u"fillButton"_s);
        const auto *note = dialog->findChild<QLabel *>(u"pasteNote"_s);
        const auto *notes = dialog->findChild<QPlainTextEdit *>(u"pasteNotes"_s);
        QVERIFY(!fill->isEnabled());
        QVERIFY(fill->isDefault());

        line->setPlainText(u"msrun --log_dir='x train.py"_s);
        QVERIFY(!fill->isEnabled());
        QVERIFY(!note->text().isEmpty());
        line->setPlainText(u"msrun --worker_num=x train.py"_s);
        QVERIFY(fill->isEnabled());
        QVERIFY2(note->text().contains(u"wrap"_s), qPrintable(note->text()));
        QVERIFY2(notes->toPlainText().contains(u"--worker_num"_s), qPrintable(notes->toPlainText()));

        line->setPlainText(u"GLOG_v=2 msrun --worker_num=4 --local_worker_num=4 \\\n"
                           "  --master_port=9000 train.py --名 '训练 1' > out.txt"_s);
        QVERIFY2(fill->isEnabled(), qPrintable(note->text()));
        QVERIFY2(notes->toPlainText().contains(u"out.txt"_s), qPrintable(notes->toPlainText()));
        fill->click();

        const LaunchSpec spec = shown.form.spec();
        QCOMPARE(spec.launcher, u"msrun"_s);
        QCOMPARE(shown.part<QComboBox>("launcherCombo")->currentText(), u"msrun"_s);
        QCOMPARE(shown.part<QSpinBox>("workerNumSpin")->value(), 4);
        QCOMPARE(spec.msrun.masterPort, 9000);
        QCOMPARE(spec.command, (QStringList{u"train.py"_s, u"--名"_s, u"训练 1"_s}));
        QCOMPARE(spec.environment.value(u"GLOG_v"_s), u"2"_s);
        QVERIFY(shown.text("messageLabel").contains(u"out.txt"_s));
    }

    void aCommandLineOnTheClipboardIsThereWhenPasteIsChosen()
    {
        const LaunchFixture fixture;
        LaunchForm form;
        form.show();
        QGuiApplication::clipboard()->setText(u"msrun --worker_num=4 --local_worker_num=4 train.py\n"_s);
        form.findChild<QPushButton *>(u"pasteButton"_s)->click();
        auto *dialog = form.findChild<QDialog *>(u"pasteDialog"_s);
        QVERIFY(dialog);
        dialog->findChild<QPushButton *>(u"fillButton"_s)->click();
        QCOMPARE(form.spec().msrun.workerNum, 4);
    }

    void theLaunchIsCopiedAsACommandLineThatFillsTheFormAgain_data()
    {
        QTest::addColumn<LaunchSpec>("spec");
        const LaunchFixture fixture;
        QTest::newRow("davincirun") << fixture.spec();
        QTest::newRow("msrun") << fixture.msrunSpec();
        LaunchSpec processes = fixture.processesSpec();
        processes.processes.args.clear(); // These have no form on a command line.
        processes.environment = {{u"NAME"_s, u"训练 1"_s}};
        QTest::newRow("processes") << processes;
    }
    void theLaunchIsCopiedAsACommandLineThatFillsTheFormAgain()
    {
        const LaunchFixture fixture;
        QFETCH(LaunchSpec, spec);
        const Shown shown(spec);
        shown.part<QAction>("copyOwnAction")->trigger();
        QVERIFY(shown.text("messageLabel").contains(u"clipboard"_s));
        const auto copied = importCommandLine(QGuiApplication::clipboard()->text());
        QVERIFY2(copied, qPrintable(QGuiApplication::clipboard()->text()));
        QCOMPARE(copied->spec, spec);

        const QString peer = spec.launcher == u"processes" ? u"torchrun"_s : spec.launcher;
        shown.part<QAction>("copyPeerAction")->trigger();
        QVERIFY2(QGuiApplication::clipboard()->text().contains(peer + u' '),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }

    void theLaunchIsSavedAsAScript()
    {
        const LaunchFixture fixture;
        const Shown shown(fixture.processesSpec());
        auto *action = shown.part<QAction>("saveScriptAction");
        QTRY_VERIFY_WITH_TIMEOUT(action->isEnabled(), deadlineMs);
        action->trigger();
        auto *chooser = shown.form.findChild<QFileDialog *>();
        QVERIFY(chooser);
        const QString path = fixture.path("launch.sh");
        Q_EMIT chooser->fileSelected(path);
        chooser->close();
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("messageLabel").contains(path), deadlineMs);
        QVERIFY(QFileInfo(path).isExecutable());
        QProcess script;
        script.start(path, QStringList());
        QVERIFY(script.waitForFinished(deadlineMs));
        QCOMPARE(script.exitCode(), 0);
    }

    void aProfileIsSavedAndOpenedAgain()
    {
        const LaunchFixture fixture;
        const LaunchSpec spec = fixture.msrunSpec();
        Shown shown(spec);
        const auto save = [&] {
            shown.part<QAction>("saveProfileAction")->trigger();
            auto *dialog = shown.form.findChild<QInputDialog *>(u"profileNameDialog"_s);
            dialog->setTextValue(u"夜间 & co"_s);
            dialog->accept();
        };
        save();
        QTRY_VERIFY_WITH_TIMEOUT(shown.text("messageLabel").contains(u"夜间"_s), deadlineMs);

        shown.form.setSpec(LaunchSpec());
        auto *menu = shown.part<QPushButton>("profileButton")->menu();
        const auto saved = [&] {
            return menu->actions().first();
        };
        QTRY_COMPARE_WITH_TIMEOUT(saved()->text(), u"夜间 && co"_s, deadlineMs);
        saved()->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(shown.form.spec(), spec, deadlineMs);

        // A profile is replaced only after a question.
        shown.part<QSpinBox>("workerNumSpin")->setValue(16);
        save();
        auto *question = shown.form.findChild<QMessageBox *>(u"replaceQuestion"_s);
        QVERIFY(question);
        QCOMPARE(question->defaultButton(), question->button(QMessageBox::Cancel));
        question->reject();
        QCOMPARE(loadProfile(u"夜间 & co"_s)->msrun.workerNum, 2);
    }

    void theWheelScrollsThePageAndChangesNothingWithoutFocus()
    {
        const LaunchFixture fixture;
        const Shown shown(defaultsOf(u"msrun"_s));
        auto *number = shown.part<QSpinBox>("workerNumSpin");
        QVERIFY(!number->hasFocus());
        QWheelEvent wheel(QPointF(5, 5), number->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(number, &wheel);
        QCOMPARE(number->value(), 8);
        QVERIFY(!wheel.isAccepted());
        auto *choice = shown.part<QComboBox>("flightRecorderCombo");
        QVERIFY(!choice->hasFocus());
        wheel.accept();
        QApplication::sendEvent(choice, &wheel);
        QCOMPARE(choice->currentText(), u"auto"_s);
        QVERIFY(!wheel.isAccepted());
    }

    void tabGoesThroughTheFieldsFromTopToBottom()
    {
        const LaunchFixture fixture;
        Shown shown(fixture.spec());
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        shown.edit("commandEdit")->setFocus();
        QStringList visited;
        for (int i = 0; i < 40; ++i) {
            const QString name = shown.form.focusWidget()->objectName();
            if (visited.contains(name))
                break;
            if (!name.isEmpty())
                visited += name;
            QTest::keyClick(shown.form.focusWidget(), Qt::Key_Tab);
        }
        const QStringList expected =
            u"commandEdit scriptButton rankTableEdit showTableButton workDirEdit logDirEdit "
            "nameEdit envEdit condaEnvEdit graceSpin serverEdit convertedRankTableEdit waitSpin "
            "noRandomCacheDirCheck noDestroyCheck noRaiseCheck nodeOptionsButton moreOptionsButton "
            "planTable "
            "planDetails profileButton commandLineButton preflightButton launchButton closeButton "
            "pasteButton launcherCombo"_s.split(' '_L1);
        QCOMPARE(visited, expected);
    }

    void everyEditorHasANameAndAHelpForThoseWhoDoNotSee()
    {
        const LaunchFixture fixture;
        const Shown shown(fixture.spec());
        QTRY_VERIFY_WITH_TIMEOUT(shown.canLaunch(), deadlineMs);
        for (const char *name :
             {"commandEdit", "rankTableEdit", "workDirEdit", "logDirEdit", "nameEdit", "envEdit",
              "serverEdit", "convertedRankTableEdit", "waitSpin", "graceSpin"}) {
            const auto *editor = shown.part<QWidget>(name);
            QVERIFY2(!editor->accessibleName().isEmpty(), name);
            QVERIFY2(!editor->accessibleDescription().isEmpty(), name);
        }
    }
};

} // namespace tst_launchform

RANKDECK_WINDOW_TEST(tst_launchform, TestLaunchForm)
#include "tst_launchform.moc"
