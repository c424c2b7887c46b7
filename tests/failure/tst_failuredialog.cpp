#include "failure/failuredialog.h"
#include "failure/verdicttabs.h"
#include "failure/verdictwatch.h"
#include "support/handmaderun.h"
#include "support/windowtest.h"
#include "widgets/editor.h"
#include "widgets/widgetparts.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTreeWidget>

namespace tst_failuredialog
{

using namespace rankdeck;

namespace
{

RunState failedRun(ExitStatus status = {ExitStatus::Kind::Exited, 3})
{
    return failed(running(handMadeRun()), 5, status);
}

QString text(const QWidget &dialog, const char *label)
{
    return dialog.findChild<QLabel *>(QLatin1String(label))->text();
}

/// Whether the tab with this widget is shown.
bool tabOf(const QWidget &dialog, const char *name)
{
    const auto *tabs = dialog.findChild<QTabWidget *>(u"verdictTabs"_s);
    return tabs->isTabVisible(tabs->indexOf(dialog.findChild<QWidget *>(QLatin1String(name))));
}

QPushButton *button(const QWidget &dialog, const char *name)
{
    return dialog.findChild<QPushButton *>(QLatin1String(name));
}

} // namespace

class TestFailureDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void saysWhichRankFailedAndWhere();
    void saysHowItEndedInWords_data();
    void saysHowItEndedInWords();
    void showsTheLastLinesAsPlainText();
    void showsTheTracebackThatTheRankWrote();
    void aLineOfTheTracebackOpensTheEditor();
    void aKnownErrorIsExplained();
    void anUnknownErrorLeavesNoBox();
    void aRankWithoutADeviceIsNamedWithItsNode();
    void aRunThatFailedWithoutARankSaysWhy();
    void aRunThatFailedWithoutARankSaysWhatBecameOfItsProcesses();
    void whatNobodySawEndMayBeAlive();
    void copyPutsTheReportOnTheClipboard();
    void theErrorIsSavedAsAPicture();
    void aWebPageHasTheWholeRun();
    void saveWritesTheReport();
    void aPlaceThatCannotBeWrittenIsToldInTheDialog();
    void openLogNamesTheProcess();
    void aRankThatIsStartedAgainClosesItsError();
    void itIsAsHighAsItsEvidenceNeeds();
    void theBundleIsAskedForWhereTheDialogStands();
    void tabGoesThroughTheButtonsAsTheyStand();
    void everyButtonHasALetterOfItsOwn();
    void itFitsOnASmallScreen();
    void theLogsOfAllRanksAreJudged();
    void noLineIsCutOnceTheVerdictIsThere_data();
    void noLineIsCutOnceTheVerdictIsThere();
    void enterOnALineOfEvidenceGoesToItAndDoesNothingElse();
    void aClickOnThePlaceOfALineGoesToItToo();
    void aHungRankHasItsStacksAndItsOwnLastLines();
    void whatIsKnownAtOnceIsShownAtOnce();
    void isNotModalAndClosesOnEscape();

private:
    QTemporaryDir m_config; ///< No error catalogue of the user's is in it.
};

void TestFailureDialog::initTestCase()
{
    qputenv("XDG_CONFIG_HOME", m_config.path().toLocal8Bit());
}

void TestFailureDialog::saysWhichRankFailedAndWhere()
{
    const FailureDialog dialog(failedRun());
    QVERIFY(text(dialog, "failureHeadline").contains(u"5"_s));
    QVERIFY(dialog.windowTitle().contains(u"5"_s));
    const QString place = text(dialog, "failurePlace");
    for (const char *part : {"device 5", "10.0.0.1", "pid 1005"})
        QVERIFY2(place.contains(QLatin1String(part)), qPrintable(place));
}

void TestFailureDialog::saysHowItEndedInWords_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("number");
    QTest::addColumn<QString>("words");
    QTest::newRow("exit code") << int(ExitStatus::Kind::Exited) << 3 << u"exit code 3"_s;
    QTest::newRow("signal") << int(ExitStatus::Kind::Signalled) << SIGKILL << u"SIGKILL"_s;
    QTest::newRow("not started") << int(ExitStatus::Kind::NotStarted) << ENOENT << u"could not be started"_s;
}

void TestFailureDialog::saysHowItEndedInWords()
{
    QFETCH(int, kind);
    QFETCH(int, number);
    QFETCH(QString, words);
    const FailureDialog dialog(failedRun({ExitStatus::Kind(kind), number}));
    const QString cause = text(dialog, "failureCause");
    QVERIFY2(cause.contains(words), qPrintable(cause));
}

void TestFailureDialog::showsTheLastLinesAsPlainText()
{
    RunState state = failedRun();
    state.failure->logTail << u"<b>not bold</b>"_s;
    const FailureDialog dialog(state);
    const auto *tail = dialog.findChild<QPlainTextEdit *>(u"failureTail"_s);
    QCOMPARE(tail->toPlainText(), state.failure->logTail.join('\n'_L1));
    QVERIFY(tail->isReadOnly());
    for (const QLabel *label : dialog.findChildren<QLabel *>()) {
        if (label->objectName().startsWith("failure"_L1))
            QCOMPARE(label->textFormat(), Qt::PlainText);
    }
}

void TestFailureDialog::showsTheTracebackThatTheRankWrote()
{
    RunState state = failedRun();
    {
        FailureDialog without(state);
        without.show();
        QTRY_VERIFY(without.isDiagnosed());
        QVERIFY(!tabOf(without, "failureTraceback"));
    }
    state.failure->reason = Sentence(u"RuntimeError: <b>boom</b>"_s);
    state.failure->traceback = QStringList{u"Traceback:"_s, u"  <i>here</i>"_s};
    FailureDialog dialog(state);
    dialog.show();
    const auto *traceback = dialog.findChild<QPlainTextEdit *>(u"failureTraceback"_s);
    QTRY_VERIFY(tabOf(dialog, "failureTraceback"));
    QCOMPARE(traceback->toPlainText(), u"Traceback:\n  <i>here</i>"_s);
    QVERIFY(text(dialog, "failureCause").contains("RuntimeError: <b>boom</b>"_L1));
}

void TestFailureDialog::aLineOfTheTracebackOpensTheEditor()
{
    QTemporaryDir directory;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, directory.path());
    QFile source(directory.filePath(u"train.py"_s));
    QVERIFY(source.open(QIODevice::WriteOnly));
    source.close();
    // Whoever copies the file has opened it.
    const QString opened = directory.filePath(u"opened 14"_s);
    QSettings().setValue(QLatin1String(editorSetting),
                         u"cp {file} \"%1/opened {line}\""_s.arg(directory.path()));

    VerdictTabs tabs;
    Verdict verdict;
    verdict.trace = QStringList{u"Traceback:"_s, u"  File \"train.py\", line 14, in f"_s,
                                u"  File \"none.py\", line 3, in f"_s};
    tabs.setDirectory(directory.path());
    tabs.setVerdict(verdict, {}, true);
    auto *const trace = tabs.findChild<QPlainTextEdit *>(u"failureTraceback"_s);
    tabs.setCurrentWidget(trace);
    tabs.resize(600, 300);
    tabs.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tabs, 30000));
    const auto placeOf = [trace](int line) {
        QTextCursor cursor(trace->document()->findBlockByNumber(line));
        return trace->cursorRect(cursor).center() + QPoint(20, 0);
    };
    QTest::mouseDClick(trace->viewport(), Qt::LeftButton, Qt::NoModifier, placeOf(0));
    QVERIFY(!tabs.findChild<QMessageBox *>());
    QTest::mouseDClick(trace->viewport(), Qt::LeftButton, Qt::NoModifier, placeOf(1));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(opened), 30000);
    QVERIFY(QFile::remove(opened));
    trace->setTextCursor(QTextCursor(trace->document()->findBlockByNumber(1)));
    QTest::keyClick(trace, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(opened), 30000);
    QTest::mouseDClick(trace->viewport(), Qt::LeftButton, Qt::NoModifier, placeOf(2));
    auto *const problem = tabs.findChild<QMessageBox *>();
    QVERIFY(problem && problem->text().contains(u"none.py"_s));
    problem->close();
}

void TestFailureDialog::aKnownErrorIsExplained()
{
    QLocale::setDefault(QLocale::c());
    RunState state = failedRun();
    state.failure->logTail = QStringList(60, u"step"_s)
                             << u"EI0006: Getting socket times out. Reason: <b>late</b>"_s;
    FailureDialog dialog(state);
    dialog.show();
    auto *box = dialog.findChild<QFrame *>(u"explanationBox"_s);
    QTRY_VERIFY(box->isVisible());
    QCOMPARE(text(dialog, "explanationTitle"),
             u"A rank could not connect to another one in time (hccl-EI0006)"_s);
    QVERIFY(text(dialog, "explanationMeaning").contains(u"HCCL_CONNECT_TIMEOUT"_s));
    QVERIFY(text(dialog, "explanationMend").contains(u"TLS"_s));
    auto *commands = dialog.findChild<QLabel *>(u"explanationCommands"_s);
    QVERIFY(commands->text().contains(u"export HCCL_CONNECT_TIMEOUT=1800\n"_s));
    QVERIFY(commands->textInteractionFlags() & Qt::TextSelectableByKeyboard);
    for (const QLabel *label : box->findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    QVERIFY(!dialog.findChild<QLabel *>(u"explanationProblem"_s)->isVisible());
    QVERIFY(dialog.report().contains(u"Known error hccl-EI0006"_s));
    // The log's end is a tab away.
    dialog.findChild<QTabWidget *>(u"verdictTabs"_s)
        ->setCurrentWidget(dialog.findChild<QPlainTextEdit *>(u"failureTail"_s));
    const auto *bar = dialog.findChild<QPlainTextEdit *>(u"failureTail"_s)->verticalScrollBar();
    QVERIFY(bar->maximum() > 0);
    QTRY_COMPARE(bar->value(), bar->maximum());
}

void TestFailureDialog::anUnknownErrorLeavesNoBox()
{
    QWidget window;
    ExplanationBox box(&window);
    window.show();
    box.setExplanation({});
    QVERIFY(!box.isVisible());
    FailureExplanation problem;
    problem.catalogueProblem = u"errors.json: this is not an error catalogue."_s;
    box.setExplanation(problem);
    QVERIFY(box.isVisible());
    QCOMPARE(text(box, "explanationProblem"), problem.catalogueProblem);
    QVERIFY(!box.findChild<QLabel *>(u"explanationTitle"_s)->isVisible());
}

void TestFailureDialog::aRankWithoutADeviceIsNamedWithItsNode()
{
    RunState state = failedRun();
    state.failure->device = ProcessPlan::noDevice;
    const FailureDialog dialog(state);
    QCOMPARE(text(dialog, "failurePlace"), u"on 10.0.0.1, pid 1005"_s);
}

void TestFailureDialog::aRunThatFailedWithoutARankSaysWhy()
{
    RunState state = failedRun();
    state.failure = Failure();
    state.failure->rank = Failure::noRank;
    state.failure->reason = Sentence(u"the agent could not be started"_s);
    const FailureDialog dialog(state);
    QCOMPARE(text(dialog, "failureCause"), state.failure->reason);
    QVERIFY(text(dialog, "failurePlace").isEmpty());
    QVERIFY(dialog.findChild<QTabWidget *>(u"verdictTabs"_s)->isHidden());
    QVERIFY(!button(dialog, "openLogButton")->isEnabled());
    QVERIFY(text(dialog, "failureLogFile").contains(state.directory));
}

void TestFailureDialog::aRunThatFailedWithoutARankSaysWhatBecameOfItsProcesses()
{
    RunState state = failedRun();
    state.ranks[0] = {};
    state.ranks[1].phase = RankPhase::Running;
    state.ranks[1].status.reset();
    state.ranks[5].phase = RankPhase::Ended;
    state.failure = Failure();
    state.failure->node = u"10.0.0.1"_s;
    state.failure->reason = Sentence(u"Lost the agent of 10.0.0.1: it was killed."_s);
    FailureDialog dialog(state);
    QCOMPARE(text(dialog, "failurePlace"), u"on 10.0.0.1"_s);
    QString ending = text(dialog, "failureEnding");
    QVERIFY2(ending.endsWith(u"Processes: 1 failed, 5 stopped, 1 still running, 1 never started."_s),
             qPrintable(ending));
    QVERIFY(ending.contains(state.ended.toLocalTime().toString(u"HH:mm:ss"_s)));

    // The dialog follows the run.
    state.ranks[1].phase = RankPhase::Exited;
    state.ranks[1].pid = 1001;
    state.ranks[1].status = ExitStatus{};
    dialog.setState(state);
    ending = text(dialog, "failureEnding");
    QVERIFY2(ending.contains(u"1 failed, 5 stopped, 1 succeeded, 1 never started."_s), qPrintable(ending));
    QVERIFY(dialog.report().contains(u"rank 1     exit code 0"_s));
}

void TestFailureDialog::whatNobodySawEndMayBeAlive()
{
    RunState state = running(handMadeRun());
    state.conclude(RunPhase::Lost, QDateTime::currentDateTimeUtc(), 1);
    state.failure = Failure();
    const QString ending = runEnding(state);
    QVERIFY2(ending.startsWith(u"Processes: 8 with unknown exit status."_s), qPrintable(ending));
    QVERIFY2(ending.contains(u"rankdeckctl stop %1"_s.arg(state.name)), qPrintable(ending));
}

void TestFailureDialog::copyPutsTheReportOnTheClipboard()
{
    FailureDialog dialog(failedRun());
    QTest::mouseClick(button(dialog, "copyReportButton"), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), dialog.report());
    QVERIFY(dialog.report().contains(u"Rank 5"_s));
}

void TestFailureDialog::theErrorIsSavedAsAPicture()
{
    const QTemporaryDir directory;
    FailureDialog dialog(failedRun());
    dialog.show();
    auto *action = dialog.findChild<QAction *>(u"pictureAction"_s);
    QVERIFY(action);
    action->trigger();
    auto *chooser = dialog.findChild<QFileDialog *>(u"pictureFileDialog"_s);
    QVERIFY(chooser);
    const QString path = directory.filePath(u"error.svg"_s);
    Q_EMIT chooser->fileSelected(path);
    chooser->close();
    QTRY_VERIFY(QFile::exists(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("Rank 5"));
}

void TestFailureDialog::aWebPageHasTheWholeRun()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(u"report.html"_s);
    FailureDialog dialog(failedRun());
    dialog.show();
    button(dialog, "saveReportButton")->click();
    auto *chooser = dialog.findChild<QFileDialog *>();
    Q_EMIT chooser->fileSelected(path);
    chooser->close();
    QTRY_VERIFY(text(dialog, "failureMessage").contains(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray page = file.readAll();
    QVERIFY(page.startsWith("<!DOCTYPE html>"));
    QVERIFY(page.contains("rank 7"));
}

void TestFailureDialog::saveWritesTheReport()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(u"report.txt"_s);
    FailureDialog dialog(failedRun());
    dialog.show();
    QTRY_VERIFY(dialog.report().contains(u"Known error"_s));
    button(dialog, "saveReportButton")->click();
    auto *chooser = dialog.findChild<QFileDialog *>();
    QVERIFY(chooser);
    Q_EMIT chooser->fileSelected(path);
    chooser->close();
    QTRY_VERIFY(text(dialog, "failureMessage").contains(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(file.readAll()), dialog.report());
}

void TestFailureDialog::aPlaceThatCannotBeWrittenIsToldInTheDialog()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(u"missing/report.txt"_s);
    FailureDialog dialog(failedRun());
    dialog.show();
    button(dialog, "saveReportButton")->click();
    auto *chooser = dialog.findChild<QFileDialog *>();
    Q_EMIT chooser->fileSelected(path);
    chooser->close();
    QTRY_VERIFY(text(dialog, "failureMessage").contains(u"cannot be written"_s));
    QVERIFY(saveText(u"x"_s, path).has_value());
}

void TestFailureDialog::theBundleIsAskedForWhereTheDialogStands()
{
    QWidget page;
    auto *dialog = new FailureDialog(failedRun(), &page);
    dialog->show();
    button(*dialog, "saveBundleButton")->click();
    const auto *chooser = page.findChild<QFileDialog *>(u"bundleFileDialog"_s);
    QVERIFY(chooser && chooser->isVisible());
    QVERIFY2(chooser->selectedFiles().constFirst().endsWith("-report.tar.gz"_L1),
             qPrintable(chooser->selectedFiles().constFirst()));
    delete dialog;
    QVERIFY(page.findChild<QFileDialog *>(u"bundleFileDialog"_s)); // It goes on.
    const RunState opened = failedRun();
    VerdictWatch watch;
    watch.setState(opened, Verdict());
    const FailureDialog bundled(opened, nullptr, &watch);
    QVERIFY(!button(bundled, "saveBundleButton"));
}

void TestFailureDialog::tabGoesThroughTheButtonsAsTheyStand()
{
    FailureDialog dialog(failedRun());
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog, 30000));
    QList<QPushButton *> inOrder;
    for (QWidget *next = dialog.nextInFocusChain(); next != &dialog; next = next->nextInFocusChain()) {
        if (auto *each = qobject_cast<QPushButton *>(next); each && each->isVisible())
            inOrder << each;
    }
    QCOMPARE(inOrder.size(), 6);
    for (qsizetype at = 1; at < inOrder.size(); ++at)
        QVERIFY2(inOrder[at - 1]->x() < inOrder[at]->x(), qPrintable(inOrder[at]->text()));
}

void TestFailureDialog::everyButtonHasALetterOfItsOwn()
{
    const FailureDialog dialog(failedRun());
    QSet<QChar> letters;
    for (const QPushButton *each : dialog.findChildren<QPushButton *>()) {
        const QString text = each->text().toLower();
        const qsizetype at = text.indexOf('&'_L1);
        QVERIFY2(at >= 0 || each->shortcut().isEmpty(), qPrintable(text));
        if (at < 0)
            continue;
        QVERIFY2(!letters.contains(text.at(at + 1)), qPrintable(text));
        letters.insert(text.at(at + 1));
    }
    QVERIFY(letters.contains('b'_L1));
}

void TestFailureDialog::itFitsOnASmallScreen()
{
    RunState state = failedRun({ExitStatus::Kind::Signalled, SIGKILL});
    const QString words = u"many words "_s.repeated(40);
    state.failure->status.outOfMemory = words;
    state.failure->reason = Sentence(words);
    state.failure->logFile = u"/a-long-folder"_s.repeated(20) + u"/log.txt"_s;
    state.failure->logTail = {words};
    const FailureDialog dialog(state);
    const QSize least = dialog.minimumSizeHint();
    QVERIFY2(least.width() <= 1280 && dialog.width() <= 1280, qPrintable(QString::number(least.width())));
    QVERIFY2(least.height() <= 752, qPrintable(QString::number(least.height()))); // Its frame is 48.
}

void TestFailureDialog::itIsAsHighAsItsEvidenceNeeds()
{
    FailureDialog dialog(failedRun());
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    const auto *const tabs = dialog.findChild<VerdictTabs *>();
    constexpr int wanted = 220;
    QVERIFY2(tabs->height() < std::max(wanted, tabs->minimumSizeHint().height()) + 40,
             qPrintable(QString::number(tabs->height())));
}

void TestFailureDialog::openLogNamesTheProcess()
{
    FailureDialog dialog(failedRun());
    QSignalSpy opened(&dialog, &FailureDialog::openLog);
    button(dialog, "openLogButton")->click();
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.at(0).at(0).toInt(), 5);
}

namespace
{

/// Rank 5 exited first, of waiting for rank 2, whose log has an error of its own.
const QByteArray timeout = "EI0006: [PID: 7] 2025-04-08-18:07:20.444.436 Getting socket times out. Reason: "
                           "Remote rank [2] did not send the data in time.\n";

RunState runWithLogs(const QTemporaryDir &directory, const QByteArray &ofRank2 = {})
{
    RunState state = failedRun();
    const QByteArray error =
        "epoch: 1 step: 7, loss is 2.5\nTraceback (most recent call last):\n"
        "  File \"/home/me/train.py\", line 42, in main\n    step()\nValueError: <b>bad</b> batch\n";
    auto plan = std::make_shared<LaunchPlan>(*state.plan);
    for (ProcessPlan &process : plan->processes) {
        process.logFile = directory.filePath(u"worker_%1.log"_s.arg(process.rank.value));
        QFile log(process.logFile);
        const QByteArray text = process.rank != Rank(2) ? timeout : ofRank2.isEmpty() ? error : ofRank2;
        if (!log.open(QIODevice::WriteOnly) || log.write(text) != text.size())
            qFatal("a log cannot be written");
    }
    state.plan = plan;
    state.failure->logFile = plan->processes[5].logFile;
    return state;
}

} // namespace

void TestFailureDialog::noLineIsCutOnceTheVerdictIsThere_data()
{
    QTest::addColumn<double>("size");
    QTest::newRow("usual text") << 1.0;
    QTest::newRow("large text") << 2.0;
    QTest::newRow("text that no screen has room for") << 5.0;
}

void TestFailureDialog::noLineIsCutOnceTheVerdictIsThere()
{
    QFETCH(const double, size);
    QLocale::setDefault(QLocale::c());
    const QFont usual = QApplication::font();
    const auto restore = qScopeGuard([usual] { QApplication::setFont(usual); });
    QFont font = usual;
    font.setPointSizeF(QFontInfo(usual).pointSizeF() * size);
    QApplication::setFont(font);
    const QTemporaryDir directory;
    FailureDialog dialog(runWithLogs(directory, timeout));
    const auto *box = dialog.findChild<QFrame *>(u"explanationBox"_s);
    QVERIFY(box->isHidden());
    dialog.show();
    const int room = dialog.screen()->availableSize().height() - 40;
    // As it grows by itself for a state with more to say.
    dialog.resize(dialog.width(), std::min(dialog.height() + 35, room));
    QTRY_VERIFY_WITH_TIMEOUT(dialog.isDiagnosed(), 30000);
    QTRY_VERIFY(box->isVisible());
    const auto *buttons = dialog.findChild<QDialogButtonBox *>();
    const int wanted =
        dialog.findChild<FailureView *>()->heightFor(dialog.width()) + buttons->sizeHint().height();
    QTRY_COMPARE(dialog.height(), std::min(wanted, room));
    for (const QLabel *label : dialog.findChildren<QLabel *>()) {
        if (label->isVisible())
            QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()),
                         qPrintable(label->objectName()));
    }
    QVERIFY(dialog.rect().contains(buttons->geometry()));
}

void TestFailureDialog::theLogsOfAllRanksAreJudged()
{
    QLocale::setDefault(QLocale::c());
    const QTemporaryDir directory;
    FailureDialog dialog(runWithLogs(directory));
    dialog.show();
    QTRY_VERIFY_WITH_TIMEOUT(dialog.isDiagnosed(), 30000);
    QCOMPARE(text(dialog, "failureHeadline"), u"Rank 2 failed first"_s);
    QVERIFY(text(dialog, "failureCause").startsWith(u"ValueError: <b>bad</b> batch"_s));
    QVERIFY(text(dialog, "failurePlace").contains(u"/home/me/train.py, line 42, in main"_s));
    QVERIFY(text(dialog, "failureReason").contains(u"certain"_s));
    QVERIFY(dialog.windowTitle().startsWith(u"Rank 2 failed first"_s));
    const auto *groups = dialog.findChild<QTreeWidget *>(u"verdictGroups"_s);
    QCOMPARE(groups->topLevelItemCount(), 2);
    QCOMPARE(groups->topLevelItem(1)->text(0), u"0,1,3-7"_s);
    QCOMPARE(groups->topLevelItem(1)->text(2), u"EI0006 waiting for rank 2"_s);
    QCOMPARE(dialog.findChild<QTreeWidget *>(u"verdictExits"_s)->topLevelItemCount(), 8);
    QSignalSpy opened(&dialog, &FailureDialog::openLog);
    button(dialog, "openLogButton")->click();
    QCOMPARE(opened.at(0).at(0).toInt(), 2);
}

void TestFailureDialog::enterOnALineOfEvidenceGoesToItAndDoesNothingElse()
{
    const QTemporaryDir directory;
    FailureDialog dialog(runWithLogs(directory));
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog, 30000));
    QTRY_VERIFY_WITH_TIMEOUT(dialog.isDiagnosed(), 30000);
    auto *evidence = dialog.findChild<QTreeWidget *>(u"verdictEvidence"_s);
    QSignalSpy opened(&dialog, &FailureDialog::openLog);
    QSignalSpy again(&dialog, &FailureDialog::runAgainRequested);
    evidence->setCurrentItem(evidence->topLevelItem(0));
    QTest::keyClick(evidence, Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.at(0).at(0).toInt(), 2);
    QCOMPARE(opened.at(0).at(1).toString(), directory.filePath(u"worker_2.log"_s));
    QCOMPARE(opened.at(0).at(2).toLongLong(), 4);
    QVERIFY(dialog.isVisible());
    QVERIFY(again.isEmpty());
}

void TestFailureDialog::aClickOnThePlaceOfALineGoesToItToo()
{
    const QTemporaryDir directory;
    FailureDialog dialog(runWithLogs(directory));
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog, 30000));
    QTRY_VERIFY_WITH_TIMEOUT(dialog.isDiagnosed(), 30000);
    auto *evidence = dialog.findChild<QTreeWidget *>(u"verdictEvidence"_s);
    QSignalSpy opened(&dialog, &FailureDialog::openLog);
    const QRect row = evidence->visualItemRect(evidence->topLevelItem(0));
    const auto clickIn = [&](int column) {
        QTest::mouseClick(evidence->viewport(), Qt::LeftButton, {},
                          {evidence->columnViewportPosition(column) + 5, row.center().y()});
    };
    clickIn(0);
    QVERIFY(opened.isEmpty());
    clickIn(1);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.at(0).at(1).toString(), directory.filePath(u"worker_2.log"_s));
    QCOMPARE(opened.at(0).at(2).toLongLong(), 4);
}

void TestFailureDialog::aHungRankHasItsStacksAndItsOwnLastLines()
{
    const RunState state = failedRun();
    Verdict verdict;
    verdict.hasFailure = true;
    verdict.isHang = true;
    verdict.process = 2;
    verdict.rank = Rank(2);
    verdict.stacks = {u"#0  all_reduce"_s};
    verdict.lastLines = {u"step 20"_s};
    VerdictWatch watch;
    watch.setState(state, verdict);
    const FailureDialog dialog(state, nullptr, &watch);
    QVERIFY(tabOf(dialog, "failureStacks"));
    QCOMPARE(dialog.findChild<QPlainTextEdit *>(u"failureStacks"_s)->toPlainText(), u"#0  all_reduce"_s);
    QCOMPARE(dialog.findChild<QPlainTextEdit *>(u"failureTail"_s)->toPlainText(), u"step 20"_s);
    QVERIFY(text(dialog, "failureLogFile").endsWith(state.plan->processes[2].logFile));
    const FailureDialog other(failedRun());
    QVERIFY(!tabOf(other, "failureStacks"));
}

void TestFailureDialog::whatIsKnownAtOnceIsShownAtOnce()
{
    const FailureDialog dialog(failedRun());
    QVERIFY(!dialog.isDiagnosed());
    QCOMPARE(text(dialog, "failureHeadline"), u"Rank 5 failed"_s);
    QVERIFY(text(dialog, "failureCause").contains(u"exit code 3"_s));
    QVERIFY(text(dialog, "failureReason").contains(u"Analysing the logs"_s));
    QVERIFY(dialog.report().contains(u"loss is not a number"_s));
}

void TestFailureDialog::isNotModalAndClosesOnEscape()
{
    FailureDialog dialog(failedRun());
    QVERIFY(!dialog.isModal());
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog, 30000));
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QVERIFY(!dialog.isVisible());
}

void TestFailureDialog::aRankThatIsStartedAgainClosesItsError()
{
    QWidget page;
    FailureNotice notice(&page);
    RunState run = failedRun();
    run.phase = RunPhase::Running;
    notice.setState(run, {});
    notice.show();
    const QPointer<FailureDialog> dialog = page.findChild<FailureDialog *>();
    const QPointer<FailureView> view = notice.view();
    QVERIFY(dialog && dialog->isVisible() && view);
    QSignalSpy told(&notice, &FailureNotice::verdictChanged);
    run.failure.reset();
    run.ranks[5] = run.ranks[4];
    notice.setState(run, {});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(!dialog && !view && !notice.view());
    QCOMPARE(told.count(), 1);
    QVERIFY(!told.constFirst().constFirst().value<Verdict>().hasFailure);
    // It may fail again.
    notice.setState(failedRun(), {});
    QVERIFY(std::unique_ptr<FailureView>(notice.view()));
}

} // namespace tst_failuredialog

RANKDECK_WINDOW_TEST(tst_failuredialog, TestFailureDialog)
#include "launch/plan/launchplan.h"
#include "tst_failuredialog.moc"
