#include "ranktable/dialogs/makerdialogs.h"
#include "ranktable/dialogs/tabledialog.h"
#include "ranktable/reading/ranktablereader.h"
#include "ranktable/views/valuesview.h"
#include "ranktablepage/tablefiles.h"
#include "support/windowtest.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTableView>

namespace tst_tabledialogs
{

using namespace rankdeck;

namespace
{

SharedTable checked(const QString &path)
{
    auto report = checkRankTableFile(path);
    if (!report)
        qFatal("%s", qPrintable(report.error().sentence()));
    const auto shared = std::make_shared<const CheckReport>(std::move(*report));
    return std::make_shared<const CheckedTable>(CheckedTable{shared, FindingPlaces(*shared)});
}

QString preview(const TableDialog *dialog)
{
    return dialog->findChild<DiffView *>(QStringLiteral("tableDiff"))->toPlainText();
}

QString note(const TableDialog *dialog)
{
    return dialog->findChild<QLabel *>(QStringLiteral("tableDialogNote"))->text();
}

QPushButton *saveButton(const TableDialog *dialog)
{
    return dialog->findChild<QPushButton *>(QStringLiteral("saveTableButton"));
}

/// A version 1.0 table of one server with two devices.
QByteArray oneServer(int server)
{
    return QByteArray("{'version':'1.0','status':'completed','server_count':'1','server_list':["
                      "{'server_id':'10.0.0.N','device':["
                      "{'device_id':'0','device_ip':'192.168.N.10','rank_id':'0'},"
                      "{'device_id':'1','device_ip':'192.168.N.11','rank_id':'1'}]}]}")
        .replace('\'', '"')
        .replace('N', QByteArray::number(server));
}

} // namespace

/// The dialogs that make a rank table: a live preview or the reason why there is none, and Save as.
class TestTableDialogs : public QObject
{
    Q_OBJECT

private:
    TableFiles m_files;

private Q_SLOTS:
    void aCloudTableIsConvertedAndSaved()
    {
        const QString path = m_files.copy("template2_2servers.json");
        QPointer dialog(new ConvertDialog(path, checked(path), nullptr));
        dialog->open();
        QTRY_VERIFY2(saveButton(dialog)->isEnabled(), qPrintable(note(dialog)));
        QVERIFY2(preview(dialog).contains(QStringLiteral("\n+  \"version\": \"1.0\"")),
                 qPrintable(preview(dialog)));
        QVERIFY(preview(dialog).contains(QStringLiteral("\n-")));

        QSignalSpy saved(dialog, &TableDialog::saved);
        saveButton(dialog)->click();
        auto *where = dialog->findChild<QFileDialog *>(QStringLiteral("saveTableDialog"));
        QVERIFY(where);
        const QString target = m_files.path("converted.json");
        Q_EMIT where->fileSelected(target);
        QTRY_COMPARE(saved.count(), 1);
        QCOMPARE(saved.constFirst().constFirst().toString(), target);
        const auto table = readRankTable(target);
        QVERIFY(table);
        QCOMPARE(table->form, RankTableForm::ServerList);
        QTRY_VERIFY(!dialog);
    }

    void aPlaceThatCannotBeWrittenIsToldInTheDialog()
    {
        const QString path = m_files.copy("template2_2servers.json");
        QPointer dialog(new ConvertDialog(path, checked(path), nullptr));
        dialog->open();
        QTRY_VERIFY(saveButton(dialog)->isEnabled());
        saveButton(dialog)->click();
        Q_EMIT dialog->findChild<QFileDialog *>(QStringLiteral("saveTableDialog"))
            ->fileSelected(path + QStringLiteral("/no directory/x.json"));
        QTRY_VERIFY2(note(dialog).contains(QStringLiteral("cannot be written")), qPrintable(note(dialog)));
        QVERIFY(!note(dialog).contains(QStringLiteral("--")));
        QVERIFY(dialog->isVisible());
        dialog->close();
    }

    void superPodsNeedTheirIdsAndTakeAPastedColumn()
    {
        const QString path = m_files.write("1.0.json", TableFiles::twoServers());
        QPointer dialog(new ConvertDialog(path, checked(path), nullptr));
        dialog->open();
        QCOMPARE(dialog->findChild<QComboBox *>(QStringLiteral("convertTarget"))->currentIndex(), 1);
        QTRY_VERIFY2(note(dialog).contains(QStringLiteral("super_device_id")), qPrintable(note(dialog)));
        QVERIFY(!saveButton(dialog)->isEnabled());

        auto *devices = dialog->findChild<QTableView *>(QStringLiteral("superDevicesView"));
        devices->setCurrentIndex(devices->model()->index(0, 2));
        QApplication::clipboard()->setText(QStringLiteral("0\n1\n2\n3\n"));
        QTest::keySequence(devices, QKeySequence::Paste);
        QCOMPARE(devices->model()->index(3, 2).data().toString(), QStringLiteral("3"));
        QTRY_VERIFY2(saveButton(dialog)->isEnabled(), qPrintable(note(dialog)));
        QVERIFY(preview(dialog).contains(QStringLiteral("+  \"super_pod_list\"")));
        QVERIFY(preview(dialog).contains(QStringLiteral("\"super_device_id\": \"3\"")));

        auto *pods = dialog->findChild<QTableView *>(QStringLiteral("superPodsView"));
        pods->model()->setData(pods->model()->index(1, 1), QStringLiteral("7"), Qt::EditRole);
        QTRY_VERIFY(preview(dialog).contains(QStringLiteral("\"super_pod_id\": \"7\"")));
        dialog->close();
    }

    void aMergeSaysWhichOrderWasUsedAndWhetherItMatters()
    {
        const QString second = m_files.write("b.json", oneServer(2));
        const QString first = m_files.write("a.json", oneServer(1));
        QPointer dialog(new MergeDialog(second, checked(second), nullptr));
        dialog->open();
        QTRY_VERIFY2(note(dialog).contains(QStringLiteral("two rank tables")), qPrintable(note(dialog)));
        dialog->addFiles({first});
        QTRY_VERIFY2(saveButton(dialog)->isEnabled(), qPrintable(note(dialog)));
        QVERIFY2(note(dialog).contains(QStringLiteral("numbered by server_id")), qPrintable(note(dialog)));
        QVERIFY2(note(dialog).contains(QStringLiteral("depend on this order")), qPrintable(note(dialog)));

        dialog->findChild<QRadioButton *>(QStringLiteral("mergeAsGiven"))->click();
        QTRY_VERIFY2(note(dialog).contains(QStringLiteral("order of the list")), qPrintable(note(dialog)));
        dialog->findChild<QListWidget *>(QStringLiteral("mergeList"))->setCurrentRow(1);
        dialog->findChild<QPushButton *>(QStringLiteral("mergeUpButton"))->click();
        QCOMPARE(dialog->files(), (QStringList{first, second}));
        QTRY_VERIFY2(note(dialog).contains(QStringLiteral("same numbers")), qPrintable(note(dialog)));
        dialog->close();
    }

    void aMergeOfTheSameServerTwiceSaysSo()
    {
        const QString path = m_files.write("a.json", oneServer(1));
        QPointer dialog(new MergeDialog(path, checked(path), nullptr));
        dialog->open();
        dialog->addFiles({m_files.write("b.json", oneServer(1))});
        QTRY_VERIFY2(note(dialog).contains(QStringLiteral("10.0.0.1")), qPrintable(note(dialog)));
        QVERIFY(!saveButton(dialog)->isEnabled());
        dialog->close();
    }

    void aSubsetFollowsWhatIsTypedAndTicked()
    {
        const QString path = m_files.write("1.0.json", TableFiles::twoServers());
        QPointer dialog(new SubsetDialog(path, checked(path), nullptr));
        dialog->open();
        QTRY_VERIFY(saveButton(dialog)->isEnabled());
        QVERIFY(preview(dialog).isEmpty());
        auto *devices = dialog->findChild<QLineEdit *>(QStringLiteral("subsetDevices"));
        devices->setText(QStringLiteral("1"));
        QTRY_VERIFY2(note(dialog).startsWith(QStringLiteral("2 devices")), qPrintable(note(dialog)));
        dialog->findChild<QListWidget *>(QStringLiteral("subsetServers"))
            ->item(0)
            ->setCheckState(Qt::Unchecked);
        QTRY_VERIFY2(note(dialog).startsWith(QStringLiteral("1 device")), qPrintable(note(dialog)));
        QVERIFY(preview(dialog).contains(QStringLiteral("\n-")));
        dialog->findChild<QPushButton *>(QStringLiteral("subsetNoneButton"))->click();
        QTRY_VERIFY2(note(dialog).contains(QStringLiteral("No server")), qPrintable(note(dialog)));
        devices->setText(QStringLiteral("9-x"));
        QTRY_VERIFY(!saveButton(dialog)->isEnabled());
        dialog->close();
    }

    void aTableIsGeneratedFromGivenAddresses()
    {
        QPointer dialog(new GenerateDialog({}, nullptr));
        dialog->open();
        dialog->findChild<QLineEdit *>(QStringLiteral("generateDevices"))->setText(QStringLiteral("0-1"));
        dialog->findChild<QLineEdit *>(QStringLiteral("generateServer"))->setText(QStringLiteral("10.0.0.9"));
        auto *ips = dialog->findChild<QLineEdit *>(QStringLiteral("generateIps"));
        ips->setText(QStringLiteral("192.168.1.10"));
        QTRY_VERIFY2(!note(dialog).isEmpty() && !saveButton(dialog)->isEnabled(), qPrintable(note(dialog)));
        ips->setText(QStringLiteral("192.168.1.10, 192.168.1.11"));
        QTRY_VERIFY2(saveButton(dialog)->isEnabled(), qPrintable(note(dialog)));
        QVERIFY2(preview(dialog).contains(QStringLiteral("192.168.1.11")), qPrintable(preview(dialog)));
        saveButton(dialog)->click();
        auto *where = dialog->findChild<QFileDialog *>(QStringLiteral("saveTableDialog"));
        QVERIFY2(where->selectedFiles().constFirst().contains(QStringLiteral("hccl_2p_")),
                 qPrintable(where->selectedFiles().constFirst()));
        where->reject();
        dialog->close();
    }

    void theFirstInputHasTheFocus()
    {
        const QString path = m_files.write("1.0.json", TableFiles::twoServers());
        QPointer dialog(new SubsetDialog(path, checked(path), nullptr));
        dialog->open();
        QCOMPARE(dialog->focusWidget()->objectName(), QStringLiteral("subsetDevices"));
        dialog->close();
    }
};

} // namespace tst_tabledialogs

RANKDECK_WINDOW_TEST(tst_tabledialogs, TestTableDialogs)
#include "tst_tabledialogs.moc"
