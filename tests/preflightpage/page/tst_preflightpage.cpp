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
    PreflightCheck made{part, name, {}, status, QStringLiteral("What was found of %1.").arg(name), {}};
    if (status == Status::Fail)
        made.mend = QStringLiteral("Mend %1.").arg(name);
    return made;
}

std::vector<PreflightCheck> someChecks()
{
    return {check(Part::Plan, QStringLiteral("variables"), Status::Pass),
            check(Part::Pairs, QStringLiteral("latency"), Status::Warn),
            check(Part::Plan, QStringLiteral("rank-table"), Status::Pass),
            check(Part::Host, QStringLiteral("disk"), Status::Pass),
            check(Part::Host, QStringLiteral("python-imports"), Status::Fail),
            check(Part::NpuNetwork, QStringLiteral("hccn"), Status::Skipped)};
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
            rows << model->index(row, 0, its).data().toString() + QLatin1Char(' ') +
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
        page.begin(QStringLiteral("train.py"));
        PreflightCheck fixed = check(Part::Plan, QStringLiteral("environment"), Status::Fail);
        fixed.fix = QStringLiteral("HCCL_CONNECT_TIMEOUT=120");
        page.add(fixed);
        auto *button = page.findChild<QPushButton *>(QStringLiteral("fixPreflightButton"));
        QVERIFY(!button->isEnabled());
        page.finish(reportOf({fixed}));
        QVERIFY(button->isEnabled());
        QCOMPARE(button->toolTip(), fixed.fix);
        QSignalSpy wanted(&page, &PreflightPage::fixWanted);
        button->click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().first().toString(), fixed.fix);
        page.begin(QStringLiteral("train.py"));
        page.finish(reportOf({check(Part::Plan, QStringLiteral("disk"), Status::Fail)}));
        QVERIFY(!button->isEnabled());
    }

    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("rankdeck"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_preflightpage"));
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
        page.begin(QStringLiteral("python train.py"));
        QCOMPARE(page.state(), PreflightPage::State::Running);
        for (const PreflightCheck &each : someChecks())
            page.add(each);
        QCOMPARE(shown(page),
                 (QStringList{QStringLiteral("Plan"), QStringLiteral("✓ pass variables"),
                              QStringLiteral("✓ pass rank table"), QStringLiteral("Hosts"),
                              QStringLiteral("× FAIL python-imports"), QStringLiteral("✓ pass disk"),
                              QStringLiteral("NPU network"), QStringLiteral("– skipped hccn"),
                              QStringLiteral("Pairs of ranks"), QStringLiteral("! warning latency")}));
        const QTreeView *list = page.list()->list();
        const QAbstractItemModel *model = list->model();
        QVERIFY(!list->isExpanded(model->index(0, 0)));
        QVERIFY(list->isExpanded(model->index(1, 0)));
        QVERIFY(list->isExpanded(model->index(3, 0)));
        QCOMPARE(model->index(1, 2).data().toString(), QStringLiteral("× FAIL: 1   ✓ pass: 1"));
        QVERIFY(child<QLabel>(page, "preflightSummary")->text().contains(QLatin1String("1 failed")));
    }

    void problemsAlone()
    {
        PreflightPage page;
        page.begin(QStringLiteral("x"));
        for (const PreflightCheck &each : someChecks())
            page.add(each);
        page.finish(reportOf(someChecks()));
        QVERIFY(page.list()->detail()->toPlainText().startsWith(QStringLiteral("× FAIL: python-imports")));
        child<QCheckBox>(page, "onlyProblemsBox")->setChecked(true);
        const QStringList problems{QStringLiteral("Hosts"), QStringLiteral("× FAIL python-imports"),
                                   QStringLiteral("Pairs of ranks"), QStringLiteral("! warning latency")};
        QCOMPARE(shown(page), problems);
        page.add(check(Part::Plan, QStringLiteral("devices"), Status::Pass));
        QCOMPARE(shown(page), problems);
        page.add(check(Part::Plan, QStringLiteral("ports"), Status::Fail));
        QCOMPARE(shown(page).mid(0, 2),
                 (QStringList{QStringLiteral("Plan"), QStringLiteral("× FAIL ports")}));
        child<QCheckBox>(page, "onlyProblemsBox")->setChecked(false);
        QCOMPARE(shown(page).size(), 12);
    }

    void aCheckIsReadInFullAsPlainText()
    {
        PreflightPage page;
        page.begin(QStringLiteral("x"));
        PreflightCheck hostile = check(Part::Host, QStringLiteral("python-imports"), Status::Fail);
        hostile.subject = QStringLiteral("node<b>2</b>");
        page.add(hostile);
        QTreeView *list = page.list()->list();
        const QModelIndex part = list->model()->index(0, 0);
        list->setCurrentIndex(list->model()->index(0, 0, part));
        QCOMPARE(page.list()->detail()->toPlainText(),
                 QStringLiteral("× FAIL: python-imports, node<b>2</b>\nWhat was found of python-imports.\n"
                                "Mend python-imports."));
        QVERIFY(!list->model()
                     ->index(0, 2, part)
                     .data(Qt::ToolTipRole)
                     .toString()
                     .contains(QLatin1String("<b>")));
        list->setCurrentIndex(part);
        QVERIFY(page.list()->detail()->toPlainText().startsWith(QLatin1String("Hosts: ")));
    }

    void aReportWithoutFailuresOffersTheLaunch()
    {
        PreflightPage page;
        page.begin(QStringLiteral("x"));
        QVERIFY(isOffered(page, "cancelPreflightButton"));
        QVERIFY(!isOffered(page, "preflightAgainButton"));
        QCOMPARE(child<QPushButton>(page, "launchCheckedButton")->text(), QStringLiteral("&Launch anyway"));
        page.finish(reportOf({check(Part::Plan, QStringLiteral("variables"), Status::Pass)}));
        QCOMPARE(page.state(), PreflightPage::State::Passed);
        QCOMPARE(child<QPushButton>(page, "launchCheckedButton")->text(), QStringLiteral("&Launch"));
        QVERIFY(!isOffered(page, "cancelPreflightButton"));
        QVERIFY(isOffered(page, "preflightAgainButton"));
        QVERIFY(child<QLabel>(page, "preflightSummary")->text().startsWith(QStringLiteral("✓ ")));
        const QSignalSpy launch(&page, &PreflightPage::launchWanted);
        child<QPushButton>(page, "launchCheckedButton")->click();
        QCOMPARE(launch.size(), 1);
    }

    void aReportWithAFailureSaysSo()
    {
        PreflightPage page;
        page.begin(QStringLiteral("x"));
        const PreflightReport report = reportOf(someChecks());
        page.finish(report);
        QCOMPARE(page.state(), PreflightPage::State::Failed);
        QCOMPARE(child<QPushButton>(page, "launchCheckedButton")->text(), QStringLiteral("&Launch anyway"));
        QCOMPARE(child<QLabel>(page, "preflightSummary")->text(), QStringLiteral("× ") + report.summary());
    }

    void whatIsCancelledIsNotPassed()
    {
        PreflightPage page;
        const QSignalSpy cancel(&page, &PreflightPage::cancelWanted);
        page.begin(QStringLiteral("x"));
        child<QPushButton>(page, "cancelPreflightButton")->click();
        QCOMPARE(cancel.size(), 1);
        QVERIFY(!isOffered(page, "cancelPreflightButton"));
        page.finish(reportOf({check(Part::Plan, QStringLiteral("variables"), Status::Pass)}));
        QCOMPARE(page.state(), PreflightPage::State::Cancelled);
        QVERIFY(child<QLabel>(page, "preflightSummary")->text().contains(QLatin1String("Cancelled")));
        page.begin(QStringLiteral("x"));
        QVERIFY(isOffered(page, "cancelPreflightButton"));
        QVERIFY(shown(page).isEmpty());
        page.finish(reportOf({check(Part::Plan, QStringLiteral("variables"), Status::Pass)}));
        QCOMPARE(page.state(), PreflightPage::State::Passed);
    }

    void whatCannotBePlannedIsSaid()
    {
        PreflightPage page;
        page.begin(QStringLiteral("x"));
        page.fail(QStringLiteral("train.py: file not found."));
        QCOMPARE(page.state(), PreflightPage::State::Failed);
        QCOMPARE(child<QLabel>(page, "preflightNote")->text(), QStringLiteral("train.py: file not found."));
        QVERIFY(isOffered(page, "preflightAgainButton"));
        QVERIFY(!isOffered(page, "copyPreflightButton"));
    }

    void theFieldsAreRemembered()
    {
        {
            PreflightPage page;
            QCOMPARE(page.options().limitSeconds, 30);
            QVERIFY(page.options().imports.isEmpty());
            child<QLineEdit>(page, "importsEdit")
                ->setText(QStringLiteral(" mindspore, torch_npu;mindspore "));
            child<QSpinBox>(page, "limitBox")->setValue(90);
            page.begin(QStringLiteral("x"));
        }
        const PreflightPage page;
        QCOMPARE(page.options().limitSeconds, 90);
        QCOMPARE(page.options().imports,
                 (QStringList{QStringLiteral("mindspore"), QStringLiteral("torch_npu")}));
    }

    void theReportIsCopiedAndSaved()
    {
        const QTemporaryDir directory;
        PreflightPage page;
        page.begin(QStringLiteral("x"));
        const PreflightReport report = reportOf(someChecks());
        page.finish(report);
        child<QPushButton>(page, "copyPreflightButton")->click();
        const QString text = QApplication::clipboard()->text();
        QVERIFY(text.startsWith(report.summary()));
        QVERIFY(text.indexOf(QStringLiteral("× FAIL: python-imports")) <
                text.indexOf(QStringLiteral("✓ pass: disk")));
        QVERIFY(text.contains(QStringLiteral("    Mend python-imports.\n")));
        const QString path = directory.filePath(QStringLiteral("p.json"));
        page.saveJson(path);
        auto *note = child<QLabel>(page, "preflightNote");
        QTRY_VERIFY_WITH_TIMEOUT(note->text().contains(path), deadlineMs);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(nlohmann::json::parse(file.readAll().toStdString()) == toJson(report));
        page.saveJson(directory.filePath(QStringLiteral("none/p.json")));
        QTRY_VERIFY_WITH_TIMEOUT(note->text().contains(QLatin1String("none/p.json")), deadlineMs);
    }

    void thePicturesAreOfTheSelfTest()
    {
        PreflightPage page;
        page.begin(QStringLiteral("x"));
        auto *tabs = child<QTabWidget>(page, "preflightTabs");
        QVERIFY(!tabs->isTabEnabled(1));
        SelfTestResults results(2);
        results.pairs.push_back({0, 1, 20, 100, 100, {}});
        page.setSelfTest(results, {{}, {0, 8}});
        QTRY_VERIFY_WITH_TIMEOUT(tabs->isTabEnabled(1), deadlineMs);
        QVERIFY(page.pictures()->matrix()->table().words(0, 1).contains(QLatin1String("rank 8")));
        page.begin(QStringLiteral("y"));
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
            QVERIFY2(!seen.contains(key), qPrintable(text + QLatin1String(" and ") + seen.value(key)));
            seen.insert(key, text);
        }
        QVERIFY(seen.size() > 10);
    }

    void theKeyboardReachesEverything()
    {
        PreflightPage page;
        page.resize(900, 600);
        page.begin(QStringLiteral("x"));
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
