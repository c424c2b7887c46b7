#include "base/fields.h"
#include "preflight/page/preflightlist.h"
#include "preflight/page/preflightpage.h"
#include "preflight/pairs/pairmatrix.h"
#include "preflight/pairs/selftestview.h"
#include "support/windowtest.h"

#include <nlohmann/json.hpp>

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

namespace tst_preflightpage
{

using namespace rankdeck;

namespace
{

constexpr int deadlineMs = 30'000;
using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

PreflightCheck check(Part part, const QString &name, Status status)
{
    PreflightCheck made{part, name, {}, status, u"What was found of %1."_s.arg(name), {}};
    if (status == Status::Fail)
        made.mend = u"Mend %1."_s.arg(name);
    return made;
}

std::vector<PreflightCheck> someChecks()
{
    return {check(Part::Plan, u"variables"_s, Status::Pass),
            check(Part::Pairs, u"latency"_s, Status::Warn),
            check(Part::Plan, u"rank-table"_s, Status::Pass),
            check(Part::Host, u"disk"_s, Status::Pass),
            check(Part::Host, u"python-imports"_s, Status::Fail),
            check(Part::NpuNetwork, u"hccn"_s, Status::Skipped)};
}

PreflightReport reportOf(const std::vector<PreflightCheck> &checks)
{
    PreflightReport report;
    for (const PreflightCheck &each : checks)
        report.add(each);
    report.seconds = 2;
    return report;
}

/// What the list shows, each part's checks below it.
QStringList shown(const PreflightPage &page)
{
    QStringList rows;
    const QAbstractItemModel *model = page.list()->list()->model();
    for (int part = 0; part < model->rowCount(); ++part) {
        const QModelIndex its = model->index(part, 0);
        rows << its.data().toString();
        for (int row = 0; row < model->rowCount(its); ++row)
            rows << model->index(row, 0, its).data().toString() + ' '_L1 +
                        model->index(row, 1, its).data().toString();
    }
    return rows;
}

template <typename Widget>
Widget *child(const PreflightPage &page, const char *name)
{
    return page.findChild<Widget *>(QLatin1String(name));
}

bool isOffered(const PreflightPage &page, const char *name)
{
    const auto *button = child<QPushButton>(page, name);
    return !button->isHidden() && button->isEnabled();
}

} // namespace

class TestPreflightPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFixIsOfferedForTheSelectedCheck()
    {
        PreflightPage page;
        page.begin(u"train.py"_s);
        PreflightCheck fixed = check(Part::Plan, u"environment"_s, Status::Fail);
        fixed.fix = u"HCCL_CONNECT_TIMEOUT=120"_s;
        page.add(fixed);
        auto *button = page.findChild<QPushButton *>(u"fixPreflightButton"_s);
        QVERIFY(!button->isEnabled());
        page.finish(reportOf({fixed}));
        QVERIFY(button->isEnabled());
        QCOMPARE(button->toolTip(), fixed.fix);
        QSignalSpy wanted(&page, &PreflightPage::fixRequested);
        button->click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().first().toString(), fixed.fix);
        page.begin(u"train.py"_s);
        page.finish(reportOf({check(Part::Plan, u"disk"_s, Status::Fail)}));
        QVERIFY(!button->isEnabled());
    }

    void initTestCase()
    {
        QCoreApplication::setOrganizationName(u"rankdeck"_s);
        QCoreApplication::setApplicationName(u"tst_preflightpage"_s);
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
    }

    void init() { QSettings().clear(); }

    void anEmptyPageOffersNothing()
    {
        PreflightPage page;
        QCOMPARE(page.state(), PreflightPage::State::Empty);
        for (const char *name : {"cancelPreflightButton", "preflightAgainButton", "launchCheckedButton",
                                 "copyPreflightButton", "savePreflightButton"})
            QVERIFY2(!isOffered(page, name), name);
        QVERIFY(isOffered(page, "closePreflightButton"));
    }

    void checksComeByPartProblemsFirst()
    {
        PreflightPage page;
        page.begin(u"python train.py"_s);
        QCOMPARE(page.state(), PreflightPage::State::Running);
        for (const PreflightCheck &each : someChecks())
            page.add(each);
        QCOMPARE(shown(page),
                 (QStringList{u"Plan"_s, u"✓ pass variables"_s, u"✓ pass rank table"_s, u"Hosts"_s,
                              u"× FAIL python-imports"_s, u"✓ pass disk"_s, u"NPU network"_s,
                              u"– skipped hccn"_s, u"Pairs of ranks"_s, u"! warning latency"_s}));
        const QTreeView *list = page.list()->list();
        const QAbstractItemModel *model = list->model();
        QVERIFY(!list->isExpanded(model->index(0, 0)));
        QVERIFY(list->isExpanded(model->index(1, 0)));
        QVERIFY(list->isExpanded(model->index(3, 0)));
        QCOMPARE(model->index(1, 2).data().toString(), u"× FAIL: 1   ✓ pass: 1"_s);
        QVERIFY(child<QLabel>(page, "preflightSummary")->text().contains("1 failed"_L1));
    }

    void problemsAlone()
    {
        PreflightPage page;
        page.begin(u"x"_s);
        for (const PreflightCheck &each : someChecks())
            page.add(each);
        page.finish(reportOf(someChecks()));
        QVERIFY(page.list()->detail()->toPlainText().startsWith(u"× FAIL: python-imports"_s));
        child<QCheckBox>(page, "onlyProblemsBox")->setChecked(true);
        const QStringList problems{u"Hosts"_s, u"× FAIL python-imports"_s, u"Pairs of ranks"_s,
                                   u"! warning latency"_s};
        QCOMPARE(shown(page), problems);
        page.add(check(Part::Plan, u"devices"_s, Status::Pass));
        QCOMPARE(shown(page), problems);
        page.add(check(Part::Plan, u"ports"_s, Status::Fail));
        QCOMPARE(shown(page).mid(0, 2), (QStringList{u"Plan"_s, u"× FAIL ports"_s}));
        child<QCheckBox>(page, "onlyProblemsBox")->setChecked(false);
        QCOMPARE(shown(page).size(), 12);
    }

    void aCheckIsReadInFullAsPlainText()
    {
        PreflightPage page;
        page.begin(u"x"_s);
        PreflightCheck hostile = check(Part::Host, u"python-imports"_s, Status::Fail);
        hostile.subject = u"node<b>2</b>"_s;
        page.add(hostile);
        QTreeView *list = page.list()->list();
        const QModelIndex part = list->model()->index(0, 0);
        list->setCurrentIndex(list->model()->index(0, 0, part));
        QCOMPARE(page.list()->detail()->toPlainText(),
                 u"× FAIL: python-imports, node<b>2</b>\nWhat was found of python-imports.\n"
                 "Mend python-imports."_s);
        QVERIFY(!list->model()->index(0, 2, part).data(Qt::ToolTipRole).toString().contains("<b>"_L1));
        list->setCurrentIndex(part);
        QVERIFY(page.list()->detail()->toPlainText().startsWith("Hosts: "_L1));
    }

    void aReportWithoutFailuresOffersTheLaunch()
    {
        PreflightPage page;
        page.begin(u"x"_s);
        QVERIFY(isOffered(page, "cancelPreflightButton"));
        QVERIFY(!isOffered(page, "preflightAgainButton"));
        QCOMPARE(child<QPushButton>(page, "launchCheckedButton")->text(), u"&Launch anyway"_s);
        page.finish(reportOf({check(Part::Plan, u"variables"_s, Status::Pass)}));
        QCOMPARE(page.state(), PreflightPage::State::Passed);
        QCOMPARE(child<QPushButton>(page, "launchCheckedButton")->text(), u"&Launch"_s);
        QVERIFY(!isOffered(page, "cancelPreflightButton"));
        QVERIFY(isOffered(page, "preflightAgainButton"));
        QVERIFY(child<QLabel>(page, "preflightSummary")->text().startsWith(u"✓ "_s));
        const QSignalSpy launch(&page, &PreflightPage::launchRequested);
        child<QPushButton>(page, "launchCheckedButton")->click();
        QCOMPARE(launch.size(), 1);
    }

    void aReportWithAFailureSaysSo()
    {
        PreflightPage page;
        page.begin(u"x"_s);
        const PreflightReport report = reportOf(someChecks());
        page.finish(report);
        QCOMPARE(page.state(), PreflightPage::State::Failed);
        QCOMPARE(child<QPushButton>(page, "launchCheckedButton")->text(), u"&Launch anyway"_s);
        QCOMPARE(child<QLabel>(page, "preflightSummary")->text(), u"× "_s + report.summary());
    }

    void whatIsCancelledIsNotPassed()
    {
        PreflightPage page;
        const QSignalSpy cancel(&page, &PreflightPage::cancelRequested);
        page.begin(u"x"_s);
        child<QPushButton>(page, "cancelPreflightButton")->click();
        QCOMPARE(cancel.size(), 1);
        QVERIFY(!isOffered(page, "cancelPreflightButton"));
        page.finish(reportOf({check(Part::Plan, u"variables"_s, Status::Pass)}));
        QCOMPARE(page.state(), PreflightPage::State::Cancelled);
        QVERIFY(child<QLabel>(page, "preflightSummary")->text().contains("Cancelled"_L1));
        page.begin(u"x"_s);
        QVERIFY(isOffered(page, "cancelPreflightButton"));
        QVERIFY(shown(page).isEmpty());
        page.finish(reportOf({check(Part::Plan, u"variables"_s, Status::Pass)}));
        QCOMPARE(page.state(), PreflightPage::State::Passed);
    }

    void whatCannotBePlannedIsSaid()
    {
        PreflightPage page;
        page.begin(u"x"_s);
        page.fail(u"train.py: file not found."_s);
        QCOMPARE(page.state(), PreflightPage::State::Failed);
        QCOMPARE(child<QLabel>(page, "preflightNote")->text(), u"train.py: file not found."_s);
        QVERIFY(isOffered(page, "preflightAgainButton"));
        QVERIFY(!isOffered(page, "copyPreflightButton"));
    }

    void theFieldsAreRemembered()
    {
        {
            PreflightPage page;
            QCOMPARE(page.options().limitSeconds, 30);
            QVERIFY(page.options().imports.isEmpty());
            child<QLineEdit>(page, "importsEdit")->setText(u" mindspore, torch_npu;mindspore "_s);
            child<QSpinBox>(page, "limitBox")->setValue(90);
            page.begin(u"x"_s);
        }
        const PreflightPage page;
        QCOMPARE(page.options().limitSeconds, 90);
        QCOMPARE(page.options().imports, (QStringList{u"mindspore"_s, u"torch_npu"_s}));
    }

    void theReportIsCopiedAndSaved()
    {
        const QTemporaryDir directory;
        PreflightPage page;
        page.begin(u"x"_s);
        const PreflightReport report = reportOf(someChecks());
        page.finish(report);
        child<QPushButton>(page, "copyPreflightButton")->click();
        const QString text = QApplication::clipboard()->text();
        QVERIFY(text.startsWith(report.summary()));
        QVERIFY(text.indexOf(u"× FAIL: python-imports"_s) < text.indexOf(u"✓ pass: disk"_s));
        QVERIFY(text.contains(u"    Mend python-imports.\n"_s));
        const QString path = directory.filePath(u"p.json"_s);
        page.saveJson(path);
        auto *note = child<QLabel>(page, "preflightNote");
        QTRY_VERIFY_WITH_TIMEOUT(note->text().contains(path), deadlineMs);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(nlohmann::json::parse(file.readAll().toStdString()) == toJson(report));
        page.saveJson(directory.filePath(u"none/p.json"_s));
        QTRY_VERIFY_WITH_TIMEOUT(note->text().contains("none/p.json"_L1), deadlineMs);
    }

    void thePicturesAreOfTheSelfTest()
    {
        PreflightPage page;
        page.begin(u"x"_s);
        auto *tabs = child<QTabWidget>(page, "preflightTabs");
        QVERIFY(!tabs->isTabEnabled(1));
        SelfTestResults results(2);
        results.pairs.push_back({0, 1, 20, 100, 100, {}});
        page.setSelfTest(results, {{}, {0, 8}});
        QTRY_VERIFY_WITH_TIMEOUT(tabs->isTabEnabled(1), deadlineMs);
        QVERIFY(page.pictures()->matrix()->table().words(0, 1).contains("rank 8"_L1));
        page.begin(u"y"_s);
        QVERIFY(!tabs->isTabEnabled(1));
        QVERIFY(!page.pictures()->matrix()->table().isMeasured());
    }

    void mnemonicsAreUnique()
    {
        const PreflightPage page;
        QStringList texts;
        for (const QAbstractButton *each : page.findChildren<QAbstractButton *>())
            texts << each->text();
        for (const QLabel *label : page.findChildren<QLabel *>())
            texts << (label->buddy() ? label->text() : QString());
        const auto *tabs = child<QTabWidget>(page, "preflightTabs");
        texts << tabs->tabText(0) << tabs->tabText(1);
        QMap<QString, QString> seen;
        for (const QString &text : texts) {
            const QString key = QKeySequence::mnemonic(text).toString();
            if (key.isEmpty())
                continue;
            QVERIFY2(!seen.contains(key), qPrintable(text + " and "_L1 + seen.value(key)));
            seen.insert(key, text);
        }
        QVERIFY(seen.size() > 10);
    }

    void theKeyboardReachesEverything()
    {
        PreflightPage page;
        page.resize(900, 600);
        page.begin(u"x"_s);
        SelfTestResults results(2);
        PreflightReport report = reportOf(someChecks());
        report.selfTest = results;
        page.finish(report);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page, deadlineMs));
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page, deadlineMs));
        QSet<QString> reached;
        page.list()->list()->setFocus();
        for (int step = 0; step < 40; ++step) {
            reached.insert(QApplication::focusWidget()->objectName());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        for (const char *name : {"preflightList", "checkDetail", "importsEdit", "limitBox", "onlyProblemsBox",
                                 "copyPreflightButton", "savePreflightButton", "preflightAgainButton",
                                 "launchCheckedButton", "changeLaunchButton", "closePreflightButton"})
            QVERIFY2(reached.contains(QLatin1String(name)), name);
    }

private:
    QTemporaryDir m_settings;
};

} // namespace tst_preflightpage

RANKDECK_WINDOW_TEST(tst_preflightpage, TestPreflightPage)
#include "tst_preflightpage.moc"
