#include "base/json.h"
#include "devicegrid/grid/devicegrid.h"
#include "mainwindow/window/mainwindow.h"
#include "run/record/rundirectory.h"
#include "runlist/runlist.h"
#include "support/programs.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/labels.h"

#include <QDialog>
#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTreeWidget>

#include <memory>

namespace tst_onestory
{

using namespace rankdeck;

/// A rank hangs, others give up waiting for it, Rankdeck ends the rest: every view of that run says the same.
class OneStoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init();
    void cleanup();
    void everyViewTellsTheSame_data();
    void everyViewTellsTheSame();

private:
    Outcome launch(const QByteArray &whoReports) const;
    void compareTerminal(const QString &title) const;
    void compareWindow(const QString &title);
    template <typename Widget>
    Widget *find(const char *name) const
    {
        return m_window->findChild<Widget *>(QLatin1String(name));
    }

    std::unique_ptr<WindowHome> m_home;
    std::unique_ptr<MainWindow> m_window;
    QString m_directory;
};

void OneStoryTest::init()
{
    m_home = std::make_unique<WindowHome>();
}

void OneStoryTest::cleanup()
{
    m_window.reset();
    killProcessesOf(*m_home);
}

/// Rank 6 is silent after step 20. Those that match `whoReports` give up, and end once all of them have said
/// so, rank 3 first.
Outcome OneStoryTest::launch(const QByteArray &whoReports) const
{
    const QByteArray script =
        "for step in 18 19 20; do echo \"step $step/1000 loss: 0.5\"; done\n"
        "echo $$ > $RANK_ID.ready\n"
        "case $RANK_ID in " +
        whoReports +
        ")\n"
        "  for rank in 0 1 2 3 4 5 6 7; do until [ -s $rank.ready ]; do sleep 0.02; done; done\n"
        "  sleep 1.5\n"
        "  echo 'Traceback (most recent call last):'\n"
        "  echo '  File \"train.py\", line 7, in step'\n"
        "  echo 'RuntimeError: HCCL allreduce failed: EI0002 notify wait timeout, remote rank 6'\n"
        "  touch $RANK_ID.said\n"
        "  for rank in $SAYING; do while [ ! -e $rank.said ]; do sleep 0.02; done; done\n"
        "  [ $RANK_ID = 3 ] && exit 1\n"
        "  while kill -0 $(cat 3.ready) 2>/dev/null; do sleep 0.02; done\n"
        "  exit 1;;\n"
        "esac\n"
        "exec sleep 1000\n";
    const bool isOne = whoReports == "3";
    return ctl({u"davincirun"_s, u"--rank-table"_s, demoTable(), u"--log-dir"_s, m_home->path("logs"),
                u"--env"_s, isOne ? u"SAYING=3"_s : u"SAYING=0 1 2 3 4 5 7"_s, u"sh"_s, u"-c"_s,
                QString::fromUtf8(script)},
               m_home->path(""));
}

void OneStoryTest::everyViewTellsTheSame_data()
{
    QTest::addColumn<QByteArray>("whoReports");
    QTest::addColumn<QString>("title");
    const QString form = u"^Rank 6 hung at step 20 \\(silent [1-9]\\d? s\\); %1 gave up waiting: "
                         "RuntimeError: HCCL allreduce failed: EI0002 notify wait timeout, "
                         "remote rank 6$"_s;
    QTest::newRow("one reported") << QByteArray("3") << form.arg(u"rank 3"_s);
    QTest::newRow("all others reported") << QByteArray("[0-57]") << form.arg(u"ranks 0-5,7"_s);
}

void OneStoryTest::everyViewTellsTheSame()
{
    QFETCH(QByteArray, whoReports);
    QFETCH(QString, title);
    const Outcome outcome = launch(whoReports);
    QCOMPARE(outcome.code, 1);
    const auto directory = findRun(u"last"_s);
    QVERIFY(directory);
    m_directory = *directory;
    const auto told = parseJson(ctl({u"report"_s, m_directory, u"--json"_s}).out);
    QVERIFY(told);
    const QString said = told->at("title").get<QString>();
    QVERIFY2(QRegularExpression(title).match(said).hasMatch(), qPrintable(said));
    QVERIFY2(outcome.err.contains("DistributedRuntimeError: " + said.toUtf8() + '\n'),
             outcome.err.constData());
    compareTerminal(said);
    compareWindow(said);
}

void OneStoryTest::compareTerminal(const QString &title) const
{
    const auto told = parseJson(ctl({u"report"_s, m_directory, u"--json"_s}).out);
    QCOMPARE(told->at("root_rank").get<int>(), 6);
    QVERIFY(told->at("is_hang").get<bool>());
    QVERIFY(told->at("ending").is_null());
    const auto listed = parseJson(ctl({u"list"_s, u"--json"_s}).out);
    QVERIFY(listed);
    QCOMPARE(listed->at("runs").at(0).at("verdict").get<QString>(), title);
    QVERIFY(ctl({u"list"_s}).out.contains(title.toUtf8()));
    QCOMPARE(ctl({u"wait"_s, m_directory}).err.trimmed(), title.toUtf8());
    QVERIFY(ctl({u"report"_s, m_directory, u"--html"_s})
                .out.contains("<h1>" + title.toHtmlEscaped().toUtf8() + "</h1>"));
    const QByteArray report = ctl({u"report"_s, m_directory}).out;
    QVERIFY2(report.startsWith(title.toUtf8() + '\n'), report.constData());
    // Its last line as FILE:LINE, its stacks, and the traceback of a rank that reported.
    QVERIFY2(QRegularExpression(u"rank 6 +\\S*rank-6\\S*\\.txt:3\n +step 20/1000 loss: 0\\.5"_s)
                 .match(QString::fromUtf8(report))
                 .hasMatch(),
             report.constData());
    QVERIFY2(report.contains("Stacks of rank 6 while it hung:\n"), report.constData());
    QVERIFY2(report.contains("Traceback:\n"), report.constData());
    QVERIFY(!report.contains("asked to terminate"));
    // Before any signal.
    const QByteArray journal = fileText(journalPath(m_directory));
    QVERIFY(journal.contains("\"stacks-dumped\"") || journal.contains("stacks/"));
    QVERIFY(journal.indexOf("stacks/") < journal.indexOf("the other processes are ended"));
}

void OneStoryTest::compareWindow(const QString &title)
{
    m_window = std::make_unique<MainWindow>();
    m_window->resize(1200, 800);
    m_window->show();
    m_window->openRun(m_directory);
    QTRY_COMPARE_WITH_TIMEOUT(find<ElidedLabel>("runDetails")->text(), title, programLimitMs);
    const auto *grid = find<DeviceGrid>("deviceGrid");
    QTRY_COMPARE_WITH_TIMEOUT(grid->cellCount(), 8, programLimitMs);
    QVERIFY2(grid->cell(6).lines[2].left.startsWith("hung, ended"_L1),
             qPrintable(grid->cell(6).lines[2].left));
    QCOMPARE(grid->cell(6).lines[0].right, u"stopped"_s);
    QVERIFY2(grid->cell(3).lines[2].left.startsWith(u"exit code 1 · EI0002"_s),
             qPrintable(grid->cell(3).lines[2].left));
    const auto *runs = find<QListView>("runListView");
    QTRY_VERIFY_WITH_TIMEOUT(
        runs->model()->rowCount() > 0 &&
            runs->model()->index(0, 0).data(Qt::ToolTipRole).toString().contains(title.toHtmlEscaped()),
        programLimitMs);

    QTest::mouseClick(find<QPushButton>("showErrorButton"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(find<QDialog>("failureDialog"), programLimitMs);
    const auto *dialog = find<QDialog>("failureDialog");
    const auto text = [&](const char *name) {
        return dialog->findChild<QLabel *>(QLatin1String(name))->text();
    };
    const auto lines = [&](const char *name) {
        return dialog->findChild<QPlainTextEdit *>(QLatin1String(name))->toPlainText();
    };
    const QString cause = text("failureCause").section('\n'_L1, 0, 0);
    QCOMPARE(text("failureHeadline") + u"; "_s + cause, title);
    QVERIFY(lines("failureTail").endsWith("step 20/1000 loss: 0.5"_L1));
    QVERIFY(lines("failureTraceback").contains("RuntimeError: HCCL allreduce failed"_L1));
    QVERIFY(lines("failureStacks").contains("#0"_L1));
    QVERIFY(text("failureLogFile").contains("rank-6"_L1));
    const auto *evidence = dialog->findChild<QTreeWidget *>(u"verdictEvidence"_s);
    QCOMPARE(evidence->topLevelItem(0)->text(3), u"step 20/1000 loss: 0.5"_s);
    for (const QLabel *label : dialog->findChildren<QLabel *>())
        QVERIFY2(!label->text().contains("SIGTERM"_L1), qPrintable(label->text()));
}

} // namespace tst_onestory

RANKDECK_WINDOW_TEST(tst_onestory, OneStoryTest)
#include "tst_onestory.moc"
