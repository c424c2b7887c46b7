#include "progressplot/progressplot.h"
#include "support/recordedrun.h"
#include "support/windowhome.h"
#include "support/windowtest.h"

#include <QLabel>
#include <QTableWidget>
#include <QTest>

namespace tst_comparisondialog
{

using namespace rankdeck;

constexpr int deadlineMs = 30'000;

class ComparisonDialogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<WindowHome>(); }
    void curvesOfRunsLieOverEachOther();
    void aRunThatIsGoneIsTold();

private:
    static void writeSteps(const RecordedRun &run, int steps)
    {
        QFile log(run.plan().processes.front().logFile);
        QVERIFY(log.open(QIODevice::WriteOnly));
        for (int step = 1; step <= steps; ++step)
            log.write(QByteArray("epoch: 1 step: ") + QByteArray::number(step) + ", loss is 0.5\n");
    }

    std::unique_ptr<WindowHome> m_home;
};

void ComparisonDialogTest::curvesOfRunsLieOverEachOther()
{
    const RecordedRun one;
    const RecordedRun other;
    writeSteps(one, 20);
    writeSteps(other, 50);
    auto *dialog = new ComparisonDialog({one.directory(), other.directory()});
    const std::unique_ptr<ComparisonDialog> owner(dialog);
    dialog->show();
    QTRY_COMPARE_WITH_TIMEOUT(dialog->plot()->curves().size(), 2, deadlineMs);
    QCOMPARE(dialog->plot()->names().at(1).label, u"2"_s);
    QVERIFY(dialog->plot()->axisAlong().most >= 50);
    const auto *table = dialog->findChild<QTableWidget *>(u"comparison"_s);
    QCOMPARE(table->columnCount(), 3);
    const auto rows = table->findItems(u"Last step"_s, Qt::MatchExactly);
    QCOMPARE(rows.size(), 1);
    QCOMPARE(table->item(rows.first()->row(), 1)->text(), u"20"_s);
    QCOMPARE(table->item(rows.first()->row(), 2)->text(), u"50"_s);
}

void ComparisonDialogTest::aRunThatIsGoneIsTold()
{
    ComparisonDialog dialog({u"/nowhere/one"_s, u"/nowhere/two"_s});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    QTRY_VERIFY_WITH_TIMEOUT(dialog.findChild<QLabel *>()->text().contains(u"/nowhere/one"_s), deadlineMs);
}

} // namespace tst_comparisondialog

RANKDECK_WINDOW_TEST(tst_comparisondialog, ComparisonDialogTest)
#include "tst_comparisondialog.moc"
