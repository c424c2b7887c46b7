#include "launch/plan/processplan.h"
#include "run/process/processsettings.h"
#include "support/testmain.h"

#include <QTest>

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tst_processsettings
{

using namespace rankdeck;

/// What a process that is about to become a rank sets for itself.
class ProcessSettingsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void memoryIsBoundToTheNumaNodesOfThePlan();
    void aNumaNodeThatIsNotThereIsSaid();

private:
    /// Returns the exit code of a child that applies the settings of `process` and then calls `check`.
    static int inChild(const ProcessPlan &process, bool (*check)(const char *problem))
    {
        const ProcessSettings settings(process);
        const pid_t child = fork();
        if (child == 0)
            _exit(check(settings.apply()) ? 0 : 1);
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    static bool mayBind()
    {
        const unsigned long first = 1;
        return syscall(SYS_set_mempolicy, MPOL_BIND, &first, 65) == 0 &&
               syscall(SYS_set_mempolicy, MPOL_DEFAULT, nullptr, 0) == 0;
    }
};

void ProcessSettingsTest::memoryIsBoundToTheNumaNodesOfThePlan()
{
    if (!mayBind())
        QSKIP("the kernel does not let this process bind its memory");
    ProcessPlan process;
    process.memoryNodes = {0};
    QCOMPARE(inChild(process,
                     [](const char *problem) {
                         int mode = -1;
                         unsigned long nodes[16] = {};
                         return !problem &&
                                syscall(SYS_get_mempolicy, &mode, nodes, 16 * 64, nullptr, 0) == 0 &&
                                mode == MPOL_BIND && nodes[0] == 1;
                     }),
             0);
    process.memoryNodes.clear();
    QCOMPARE(inChild(process,
                     [](const char *problem) {
                         int mode = -1;
                         return !problem && syscall(SYS_get_mempolicy, &mode, nullptr, 0, nullptr, 0) == 0 &&
                                mode == MPOL_DEFAULT;
                     }),
             0);
}

void ProcessSettingsTest::aNumaNodeThatIsNotThereIsSaid()
{
    ProcessPlan process;
    process.memoryNodes = {1000};
    QCOMPARE(
        inChild(process,
                [](const char *problem) { return problem && QByteArray(problem).contains("--bind_numa"); }),
        0);
}

} // namespace tst_processsettings

RANKDECK_TEST(tst_processsettings, ProcessSettingsTest)
#include "tst_processsettings.moc"
