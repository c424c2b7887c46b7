#include "device/sampling/driveraccess.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_driveraccess
{

using namespace rankdeck;

class DriverAccessTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatAContainerLacksIsNamedWithItsOptions();
    void nothingIsMissingWhereAllIsThere();
    void everyCodeHasASentence_data();
    void everyCodeHasASentence();
    void theWordsOfAProgramAreQuoted();

private:
    static void touch(const QTemporaryDir &root, const char *path)
    {
        const QString name = root.path() + QLatin1String(path);
        QDir().mkpath(QFileInfo(name).path());
        QFile file(name);
        if (!file.open(QIODevice::WriteOnly))
            qFatal("a file cannot be made");
    }
};

void DriverAccessTest::whatAContainerLacksIsNamedWithItsOptions()
{
    const QTemporaryDir root;
    touch(root, "/.dockerenv");
    touch(root, "/dev/davinci_manager");
    touch(root, "/dev/davinci3");
    QDir(root.path()).mkpath(QStringLiteral("usr/local/Ascend/driver/lib64"));
    const DriverAccess access = lookAtDriver(root.path());
    QVERIFY(access.isContainer);
    QCOMPARE(access.missingDevices,
             (QStringList{QStringLiteral("/dev/devmm_svm"), QStringLiteral("/dev/hisi_hdc")}));
    QCOMPARE(access.missingFolders, QStringList{QStringLiteral("/usr/local/dcmi")});
    const Error error = explainDcmi(-8005, access, QStringLiteral("/usr/local/bin/npu-smi"));
    QCOMPARE(error.sentence(),
             QStringLiteral(
                 "/usr/local/bin/npu-smi: cannot reach the NPUs (-8005, an error inside the driver): this "
                 "container lacks /dev/devmm_svm, /dev/hisi_hdc and /usr/local/dcmi. Start it with --device "
                 "/dev/devmm_svm --device /dev/hisi_hdc -v /usr/local/dcmi:/usr/local/dcmi."));
}

void DriverAccessTest::nothingIsMissingWhereAllIsThere()
{
    const QTemporaryDir root;
    for (const char *path : {"/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc", "/dev/davinci0"})
        touch(root, path);
    QDir(root.path()).mkpath(QStringLiteral("usr/local/Ascend/driver/lib64"));
    QDir(root.path()).mkpath(QStringLiteral("usr/local/dcmi"));
    QCOMPARE(lookAtDriver(root.path()), DriverAccess());
    QFile::remove(root.filePath(QStringLiteral("dev/davinci0")));
    QCOMPARE(lookAtDriver(root.path()).missingDevices, QStringList{QStringLiteral("/dev/davinciN")});
}

void DriverAccessTest::everyCodeHasASentence_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<DriverAccess>("access");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("mend");
    const DriverAccess fine;
    const DriverAccess container{
        .isContainer = true, .missingDevices = {}, .missingFolders = {}, .closedDevices = {}, .group = {}};
    const DriverAccess host{.isContainer = false,
                            .missingDevices = {QStringLiteral("/dev/davinci_manager")},
                            .missingFolders = {},
                            .closedDevices = {},
                            .group = {}};
    const DriverAccess closed{.isContainer = false,
                              .missingDevices = {},
                              .missingFolders = {},
                              .closedDevices = {QStringLiteral("/dev/hisi_hdc")},
                              .group = QStringLiteral("HwHiAiUser")};
    QTest::newRow("used") << -8020 << container << "another container"
                          << "/dev/davinciN";
    QTest::newRow("all is there, in a container") << -8005 << container << "although"
                                                  << "dmesg";
    QTest::newRow("all is there") << -8005 << fine << "inside the driver"
                                  << "dmesg";
    QTest::newRow("no driver") << -8005 << host << "this machine lacks /dev/davinci_manager"
                               << "root";
    QTest::newRow("not permitted") << -8002 << closed << "may not open /dev/hisi_hdc"
                                   << "HwHiAiUser";
    QTest::newRow("unknown") << -8099 << fine << "error -8099"
                             << "dmesg";
}

void DriverAccessTest::everyCodeHasASentence()
{
    QFETCH(int, code);
    QFETCH(DriverAccess, access);
    QFETCH(QString, what);
    QFETCH(QString, mend);
    const Error error = explainDcmi(code, access, QStringLiteral("npu-smi"));
    QVERIFY2(error.what.contains(what) && error.what.contains(QString::number(code)),
             qPrintable(error.sentence()));
    QVERIFY2(error.mend.contains(mend), qPrintable(error.sentence()));
    QVERIFY(!error.sentence().contains(QLatin1Char('\n')));
}

void DriverAccessTest::theWordsOfAProgramAreQuoted()
{
    DriverAccess access;
    access.isContainer = true;
    access.missingFolders = {QStringLiteral("/usr/local/dcmi")};
    const Error error =
        explainFailure(QStringLiteral("libdcmi.so: cannot open"), access, QStringLiteral("npu-smi"));
    QVERIFY2(error.what.contains(QStringLiteral("libdcmi.so: cannot open")) &&
                 error.mend.contains(QStringLiteral("-v /usr/local/dcmi")),
             qPrintable(error.sentence()));
}

} // namespace tst_driveraccess

RANKDECK_TEST(tst_driveraccess, DriverAccessTest)
#include "tst_driveraccess.moc"
