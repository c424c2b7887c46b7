#include "support/testmain.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

#include <sys/syscall.h>
#include <unistd.h>

/// In place of the C library's: a test that failed may not know a pid any more, and 0 and -1 would end ctest,
/// or whatever runs, with it.
extern "C" int kill(pid_t pid, int number) noexcept
{
    if (pid != 0 && pid != -1)
        return int(syscall(SYS_kill, pid, number));
    errno = ESRCH;
    return -1;
}

namespace rankdeck::test
{

namespace
{

struct Registered {
    const char *name;
    TestClass::Run run;
    void (*prepare)(char **argv);
};

std::vector<Registered> &registered()
{
    static std::vector<Registered> classes;
    return classes;
}

} // namespace

TestClass::TestClass(const char *name, Run run, void (*prepare)(char **argv))
{
    registered().push_back({name, run, prepare});
}

} // namespace rankdeck::test

int main(int argc, char **argv)
{
    const auto &classes = rankdeck::test::registered();
    const auto wanted = std::find_if(classes.begin(), classes.end(), [&](const auto &known) {
        return argc > 1 && std::strcmp(known.name, argv[1]) == 0;
    });
    if (wanted == classes.end()) {
        std::fprintf(stderr, "usage: %s TEST_CLASS [options of Qt Test]\n", argv[0]);
        for (const auto &known : classes)
            std::fprintf(stderr, "  %s\n", known.name);
        return 2;
    }
    // The display that ctest has given to this class alone; "own" is the one that is already in the
    // environment.
    const QByteArrayList resource = qgetenv("CTEST_RESOURCE_GROUP_0_DISPLAYS").split(','); // "id:99,slots:1"
    if (resource.first().startsWith("id:") && resource.first() != "id:own")
        qputenv("DISPLAY", resource.first().mid(2));
    // Qt ends a test function after 5 minutes, without its words: not before a wait has failed.
    int limitMs = 4 * rankdeck::programLimitMs;
    // These are asked to take longer, and may need half as much again.
    for (const char *minutes : {"RANKDECK_FAULT_MINUTES", "RANKDECK_SOAK_MINUTES"})
        limitMs = std::max(limitMs, (qEnvironmentVariableIntValue(minutes) + 5) * 90000);
    qputenv("QTEST_FUNCTION_TIMEOUT", QByteArray::number(limitMs));
    if (wanted->prepare)
        wanted->prepare(argv);
    argv[1] = argv[0];
    return wanted->run(argc - 1, argv + 1);
}
