#include "logview/view/logview.h"
#include "ranktable/findings/findingslist.h"
#include "ranktable/page/ranktableheader.h"
#include "ranktable/page/ranktablepage.h"
#include "ranktable/views/tableviews.h"
#include "ranktablepage/tablefiles.h"
#include "support/windowtest.h"
#include "widgets/chipchoice.h"
#include "widgets/labels.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QToolButton>

namespace tst_ranktablepage
{

using namespace rankdeck;

namespace
{

/// A page on the screen and its parts by name.
struct Shown {
    RankTablePage page;

    explicit Shown(const QString &path = {})
    {
        page.resize(1100, 700);
        page.show();
        if (!path.isEmpty())
            page.openTable(path);
    }
    template <typename Widget>
    Widget *part(const char *name) const
    {
        Widget *found = page.findChild<Widget *>(QLatin1String(name));
        if (!found)
            qFatal("the page has no %s", name);
        return found;
    }
    QString badge() const { return part<FindingBadge>("tableBadge")->text(); }
    QString details() const { return part<ElidedLabel>("tableDetails")->text(); }
    QString note() const { return part<QLabel>("tableNote")->text(); }
    QString message() const
    {
        return part<QLabel>("tableMessageTitle")->text() + ' '_L1 + part<QLabel>("tableMessageText")->text();
    }
    QTreeView *tree() const { return part<QTreeView>("tableTree"); }
    QTableView *grid() const { return part<QTableView>("tableGrid"); }
    QTreeView *findings() const { return part<QTreeView>("findingsList"); }
    LogView *text() const { return part<LogView>("tableText"); }
    QPushButton *button(const char *name) const { return part<QPushButton>(name); }
    bool isChecked() const { return page.table() != nullptr; }
    /// The row of the finding on this line; -1 for none.
    int findingOnLine(int line) const
    {
        for (int row = 0; row < findings()->model()->rowCount(); ++row) {
            if (findings()
                    ->model()
                    ->index(row, FindingsModel::PlaceColumn)
                    .data()
                    .toString()
                    .section(':'_L1, 0, 0) == QString::number(line))
                return row;
        }
        return -1;
    }
};

} // namespace

class TestRankTablePage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutAFileItOffersToOpenOne()
    {
        const TableFiles files;
        const Shown shown;
        QVERIFY2(shown.message().contains(u"No rank table is open"_s), qPrintable(shown.message()));
        QVERIFY(shown.button("openTableButton")->isVisible());
        QVERIFY(!shown.button("launchTableButton")->isEnabled());
        QVERIFY(!shown.button("convertButton")->isEnabled());
        QVERIFY(shown.button("generateButton")->isEnabled());
    }

    void aGoodTableIsShownAsTreeAndGrid()
    {
        const TableFiles files;
        const Shown shown(files.write("good.json", TableFiles::twoServers()));
        QTRY_VERIFY(shown.isChecked());
        QCOMPARE(shown.badge(), u"no findings"_s);
        QVERIFY2(shown.details().contains(u"completed"_s), qPrintable(shown.details()));
        QVERIFY2(shown.details().contains(u"2 servers, 4 devices"_s), qPrintable(shown.details()));
        const auto *tree = shown.tree()->model();
        QCOMPARE(tree->rowCount(), 2);
        const QModelIndex second = tree->index(1, 0);
        QCOMPARE(second.data().toString(), u"10.0.0.2"_s);
        QCOMPARE(tree->rowCount(second), 2);
        QCOMPARE(tree->index(1, 0, second).data().toString(), u"rank 3"_s);
        QCOMPARE(tree->parent(tree->index(1, 0, second)), second);
        const auto *grid = shown.grid()->model();
        QCOMPARE(grid->rowCount(), 2);
        QCOMPARE(grid->columnCount(), 2);
        QCOMPARE(grid->index(1, 1).data().toString(), u"rank 3\ndevice 1"_s);
        QTRY_VERIFY(shown.text()->visibleText().contains(u"\"server_id\": \"10.0.0.2\""_s));
        QVERIFY(shown.button("launchTableButton")->isEnabled());
    }

    void theBadgeLeadsToItsFindings()
    {
        const TableFiles files;
        QByteArray twice = TableFiles::twoServers();
        twice.replace("\"10.0.0.2\"", "\"10.0.0.1\"");
        const Shown shown(files.write("twice.json", twice));
        QTRY_VERIFY(shown.isChecked());
        auto *const badge = shown.page.findChild<QToolButton *>(u"errorBadge"_s);
        QVERIFY(badge);
        QVERIFY(!shown.findings()->currentIndex().isValid());
        badge->click();
        const QModelIndex first = shown.findings()->currentIndex();
        QVERIFY(first.isValid());
        QCOMPARE(first.siblingAtColumn(FindingsModel::SeverityColumn).data().toString(), u"Error"_s);
        // The rows of one severity take turns.
        badge->click();
        QCOMPARE(shown.findings()->currentIndex().siblingAtColumn(0).data().toString(), u"Error"_s);
    }

    void everyFormIsShown_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("devices");
        QTest::newRow("template 2") << u"template2_2servers.json"_s << 4;
        QTest::newRow("lab") << u"deploy_mode_lab.json"_s << 2;
        QTest::newRow("1.0") << u"server_list_1.0.json"_s << 2;
        QTest::newRow("1.2") << u"super_pod_1.2.json"_s << 2;
        QTest::newRow("2.0") << u"rank_list_2.0.json"_s << 2;
    }
    void everyFormIsShown()
    {
        const TableFiles files;
        QFETCH(QString, name);
        const Shown shown(files.copy(qPrintable(name)));
        QTRY_VERIFY(shown.isChecked());
        int devices = 0;
        const auto *tree = shown.tree()->model();
        for (int server = 0; server < tree->rowCount(); ++server)
            devices += tree->rowCount(tree->index(server, 0));
        QVERIFY(devices > 0);
        QCOMPARE(devices, shown.page.table()->table().deviceCount());
    }

    void theWorstFindingsStandFirstAndEqualOnesShareARow()
    {
        const TableFiles files;
        QByteArray text = TableFiles::twoServers("192.168.*.*");
        text.replace("192.168.2.11", "192.168.*.*").replace("192.168.1.11", "192.168.*.*");
        const Shown shown(files.write("bad.json", text));
        QTRY_VERIFY(shown.isChecked());
        const auto &findings = shown.page.table()->report->findings;
        const auto *model = shown.findings()->model();
        QVERIFY2(model->rowCount() < int(findings.size()), qPrintable(QString::number(findings.size())));
        const QString error = u"Error"_s;
        QCOMPARE(model->index(0, FindingsModel::SeverityColumn).data().toString(), error);
        bool hasLeftErrors = false;
        for (int row = 0; row < model->rowCount(); ++row) {
            const bool isError = model->index(row, FindingsModel::SeverityColumn).data().toString() == error;
            QVERIFY(!(isError && hasLeftErrors));
            hasLeftErrors = hasLeftErrors || !isError;
        }
    }

    void aFindingMarksItsLineAndItsDevice()
    {
        const TableFiles files;
        const Shown shown(files.write("bad.json", TableFiles::twoServers("192.168.*.*")));
        QTRY_VERIFY(shown.isChecked());
        QVERIFY2(shown.badge().contains(u"error"_s), qPrintable(shown.badge()));
        const int row = shown.findingOnLine(9);
        QVERIFY(row >= 0);
        const auto *model = shown.findings()->model();
        QCOMPARE(model->index(row, FindingsModel::SeverityColumn).data().toString(), u"Error"_s);
        shown.findings()->setCurrentIndex(model->index(row, 0));
        QCOMPARE(shown.text()->markedLine(), std::optional<qint64>(8));
        const QModelIndex chosen = shown.tree()->currentIndex();
        QCOMPARE(chosen.parent().row(), 1);
        QCOMPARE(chosen.row(), 0);
        QCOMPARE(shown.grid()->currentIndex(), shown.grid()->model()->index(1, 0));
        const QString detail = shown.part<QPlainTextEdit>("findingDetail")->toPlainText();
        const Finding &finding = shown.page.table()->finding(row);
        QVERIFY2(detail.contains(finding.what), qPrintable(detail));
        QVERIFY2(detail.contains(finding.mend), qPrintable(detail));
        QVERIFY2(detail.contains(finding.source), qPrintable(detail));
        QVERIFY2(detail.contains(finding.code), qPrintable(detail));
    }

    void theDeviceOfAFindingIsMarkedWithWordsInTheTreeAndASignInTheGrid()
    {
        const TableFiles files;
        const Shown shown(files.write("bad.json", TableFiles::twoServers("192.168.*.*")));
        QTRY_VERIFY(shown.isChecked());
        const auto *tree = shown.tree()->model();
        const QModelIndex server = tree->index(1, 0);
        const auto words = [tree](const QModelIndex &parent, int row) {
            QStringList texts;
            for (int column = 0; column < tree->columnCount(); ++column)
                texts += tree->index(row, column, parent).data().toString();
            return texts.join('|'_L1);
        };
        QVERIFY2(words(server, 0).contains(u"|Error|"_s), qPrintable(words(server, 0)));
        QVERIFY2(!words(server, 1).contains(u"Error"_s), qPrintable(words(server, 1)));
        const auto *grid = shown.grid()->model();
        QVERIFY(!grid->index(1, 0).data(Qt::DecorationRole).value<QIcon>().isNull());
        QVERIFY(grid->index(1, 1).data(Qt::DecorationRole).value<QIcon>().isNull());
    }

    void aDeviceMarksItsLineInTheOtherViews()
    {
        const TableFiles files;
        const Shown shown(files.write("good.json", TableFiles::twoServers()));
        QTRY_VERIFY(shown.isChecked());
        auto *tree = shown.tree();
        tree->setCurrentIndex(tree->model()->index(1, 0, tree->model()->index(0, 0)));
        QCOMPARE(shown.text()->markedLine(), std::optional<qint64>(5));
        QCOMPARE(shown.grid()->currentIndex(), shown.grid()->model()->index(0, 1));
        shown.grid()->setCurrentIndex(shown.grid()->model()->index(1, 1));
        QCOMPARE(shown.text()->markedLine(), std::optional<qint64>(9));
        QCOMPARE(tree->currentIndex().parent().row(), 1);
        QCOMPARE(tree->currentIndex().row(), 1);
    }

    void aTableThatIsNoJsonCannotBeLaunchedAndSaysWhy()
    {
        const TableFiles files;
        const Shown shown(files.copy("malformed.json"));
        QTRY_VERIFY(shown.isChecked());
        QVERIFY(!shown.button("launchTableButton")->isEnabled());
        QVERIFY(!shown.button("launchTableButton")->toolTip().isEmpty());
        QVERIFY2(shown.note().contains(u"cannot be launched"_s), qPrintable(shown.note()));
        QVERIFY(shown.part<QLabel>("tableNote")->isVisible());
        QVERIFY(shown.findings()->model()->rowCount() > 0);
        QTRY_VERIFY(!shown.text()->visibleText().isEmpty());
    }

    void aTableStillBeingWrittenIsSaidToBeAndLookedAtAgain()
    {
        const TableFiles files;
        const QString path =
            files.write("table.json", TableFiles::twoServers("192.168.2.10", "initializing"));
        const Shown shown(path);
        QTRY_VERIFY(shown.isChecked());
        QCOMPARE(shown.badge(), u"Still being written"_s);
        QVERIFY2(shown.note().contains(u"initializing"_s), qPrintable(shown.note()));
        QVERIFY(shown.button("launchTableButton")->isEnabled());
        QVERIFY(!shown.button("convertButton")->isEnabled());
        files.write("table.json", TableFiles::twoServers());
        QTRY_COMPARE(shown.badge(), u"no findings"_s);
        QVERIFY(shown.button("convertButton")->isEnabled());
    }

    void aMissingFileIsShownOnceItIsThere()
    {
        const TableFiles files;
        const Shown shown(files.path("later.json"));
        QTRY_VERIFY2(shown.message().contains(u"later.json"_s) &&
                         shown.message().contains(u"cannot be read"_s),
                     qPrintable(shown.message()));
        QVERIFY(!shown.button("launchTableButton")->isEnabled());
        files.write("later.json", TableFiles::twoServers());
        QTRY_VERIFY(shown.isChecked());
        QCOMPARE(shown.badge(), u"no findings"_s);
    }

    void halfAFileIsNotComplainedAboutWhileItMayBeWritten()
    {
        const TableFiles files;
        const QByteArray whole = TableFiles::twoServers();
        // Younger than what is written by the fixture.
        QFile file(files.path("half.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(whole.first(whole.size() / 2));
        file.flush();
        const Shown shown(file.fileName());
        QTRY_VERIFY2(shown.message().contains(u"Reading"_s), qPrintable(shown.message()));
        file.write(whole.mid(whole.size() / 2));
        file.close();
        QTRY_VERIFY(shown.isChecked());
        QCOMPARE(shown.badge(), u"no findings"_s);
    }

    void aChangeOfTheFileIsNoticed()
    {
        const TableFiles files;
        const Shown shown(files.write("table.json", TableFiles::twoServers()));
        QTRY_VERIFY(shown.isChecked());
        files.write("table.json", TableFiles::twoServers("nonsense"));
        QTRY_VERIFY2(shown.badge().contains(u"error"_s), qPrintable(shown.badge()));
        QTRY_VERIFY(shown.text()->visibleText().contains(u"nonsense"_s));
    }

    void whatIsSelectedStaysSoWhenTheFileChanges()
    {
        const TableFiles files;
        const Shown shown(files.write("table.json", TableFiles::twoServers()));
        QTRY_VERIFY(shown.isChecked());
        shown.grid()->setCurrentIndex(shown.grid()->model()->index(1, 0));
        files.write("table.json", "\n\n" + TableFiles::twoServers("nonsense"));
        QTRY_VERIFY2(shown.badge().contains(u"error"_s), qPrintable(shown.badge()));
        QCOMPARE(shown.grid()->currentIndex(), shown.grid()->model()->index(1, 0));
        QCOMPARE(shown.tree()->currentIndex().parent().row(), 1);
        QCOMPARE(shown.text()->markedLine(), std::optional<qint64>(10));
        QVERIFY(shown.findings()->currentIndex().isValid());
    }

    void theChipIsRememberedAndChecksAnew()
    {
        const TableFiles files;
        const QString path = files.write("table.json", TableFiles::twoServers());
        {
            const Shown shown(path);
            QTRY_VERIFY(shown.isChecked());
            const SharedTable before = shown.page.table();
            auto *chip = shown.part<ChipChoice>("chipChoice");
            QCOMPARE(chip->chip(), Chip::Unknown);
            chip->setFocus();
            QTest::keyClick(chip, Qt::Key_Down);
            QCOMPARE(chip->chip(), Chip::A1);
            QTRY_VERIFY(shown.page.table() != before);
        }
        QCOMPARE(ChipChoice::remembered(), Chip::A1);
        const Shown again(path);
        QCOMPARE(again.part<ChipChoice>("chipChoice")->chip(), Chip::A1);
    }

    void closingForgetsTheFile()
    {
        const TableFiles files;
        Shown shown(files.write("table.json", TableFiles::twoServers()));
        QTRY_VERIFY(shown.isChecked());
        QSignalSpy wanted(&shown.page, &RankTablePage::closeRequested);
        shown.button("closeTableButton")->click();
        QCOMPARE(wanted.count(), 1);
        shown.page.closeTable();
        QVERIFY(!shown.isChecked());
        QVERIFY(shown.page.path().isEmpty());
        QCOMPARE(shown.tree()->model()->rowCount(), 0);
    }

    void launchingTellsThePath()
    {
        const TableFiles files;
        const QString path = files.write("table.json", TableFiles::twoServers());
        const Shown shown(path);
        QTRY_VERIFY(shown.isChecked());
        QSignalSpy wanted(&shown.page, &RankTablePage::launchRequested);
        shown.button("launchTableButton")->click();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.constFirst().constFirst().toString(), path);
    }

    void textOfAFileIsNeverMarkup()
    {
        const TableFiles files;
        QByteArray table = TableFiles::twoServers("<b>bold</b>");
        table.replace("10.0.0.2", "<img src=x>");
        const Shown shown(files.write("table.json", table));
        QTRY_VERIFY(shown.isChecked());
        const auto *grid = shown.grid()->model();
        const QString tip = grid->index(1, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(u"&lt;b&gt;"_s) && !tip.contains(u"<b>"_s), qPrintable(tip));
        for (const QLabel *label : shown.page.findChildren<QLabel *>())
            QVERIFY2(label->textFormat() == Qt::PlainText || !label->text().contains('<'_L1),
                     qPrintable(label->objectName()));
    }

    void everythingIsReachedByTheKeyboard()
    {
        const TableFiles files;
        Shown shown(files.write("bad.json", TableFiles::twoServers("192.168.*.*")));
        QTRY_VERIFY(shown.isChecked());
        shown.page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&shown.page, 30000));
        auto *first = shown.button("launchTableButton");
        first->setFocus();
        QStringList visited;
        for (QWidget *now = first; now && visited.size() < 30; now = QApplication::focusWidget()) {
            if (!now->objectName().isEmpty() && visited.contains(now->objectName()))
                break;
            visited += now->objectName();
            QTest::keyClick(now, Qt::Key_Tab);
        }
        for (const char *name :
             {"convertButton", "mergeButton", "subsetButton", "generateButton", "closeTableButton",
              "chipChoice", "tableTree", "findingsList", "findingDetail"})
            QVERIFY2(visited.contains(QLatin1String(name)),
                     qPrintable(QLatin1String(name) + u" not in "_s + visited.join(' '_L1)));
    }

    void aHundredThousandDevicesAreShown()
    {
        const TableFiles files;
        constexpr int servers = 12500;
        const Shown shown(files.write("large.json", TableFiles::large(servers)));
        QTRY_VERIFY_WITH_TIMEOUT(shown.isChecked(), 60000);
        QCOMPARE(shown.page.table()->table().deviceCount(), 100000);
        shown.part<QTabWidget>("tableTabs")->setCurrentIndex(1);
        QCOMPARE(shown.grid()->model()->rowCount(), servers);
        shown.grid()->setCurrentIndex(shown.grid()->model()->index(servers - 1, 7));
        QTRY_VERIFY(shown.text()->visibleText().contains(u"\"rank_id\":\"99999\""_s));
    }
};

} // namespace tst_ranktablepage

RANKDECK_WINDOW_TEST(tst_ranktablepage, TestRankTablePage)
#include "tst_ranktablepage.moc"
