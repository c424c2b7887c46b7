#pragma once

#include "support/watchdog.h"

#include <QCoreApplication>
#include <QTest>

namespace rankdeck::test
{

/// One class of tests: the tests of a room are one program, and its first argument says which class it runs.
/// Each file of tests has a namespace of its own name, so that all files of a room can be compiled as one.
class TestClass
{
public:
    using Run = int (*)(int argc, char **argv);

    /// @param name that of the file without its ending, as ctest lists it.
    /// @param prepare called first with all arguments; may be null.
    TestClass(const char *name, Run run, void (*prepare)(char **argv) = nullptr);
};

template <typename Test, typename Application>
int runTests(int argc, char **argv)
{
    Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace rankdeck::test

#define RANKDECK_TEST(name, Class)                                                                           \
    static const rankdeck::test::TestClass name##Registered(                                                 \
        #name, rankdeck::test::runTests<name::Class, QCoreApplication>);
/// For tests in namespaces of their own; see support/ownmachine.h.
#define RANKDECK_TEST_ON_OWN_MACHINE(name, Class)                                                            \
    static const rankdeck::test::TestClass name##Registered(                                                 \
        #name, rankdeck::test::runTests<name::Class, QCoreApplication>, rankdeck::moveToOwnMachine);
