#pragma once

#include "support/testmain.h"

#include <QApplication>

/// RANKDECK_TEST() for tests with a window.
#define RANKDECK_WINDOW_TEST(name, Class)                                                                    \
    static const rankdeck::test::TestClass name##Registered(                                                 \
        #name, rankdeck::test::runTests<name::Class, QApplication>);
