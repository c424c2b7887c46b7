# rankdeck_translations: an object library with the translations as resources, ":/translations/rankdeck_zh_CN.qm" and so
# on, for both programs. update_translations: a target that refreshes the .ts files after strings have changed.
set(rankdeck_qt_tools /usr/lib/qt6/bin /usr/lib64/qt6/bin /usr/lib/x86_64-linux-gnu/qt6/bin)
find_program(LRELEASE NAMES lrelease lrelease-qt6 PATHS ${rankdeck_qt_tools} NO_DEFAULT_PATH)
find_program(LUPDATE NAMES lupdate lupdate-qt6 PATHS ${rankdeck_qt_tools} NO_DEFAULT_PATH)
if(NOT LRELEASE)
    message(FATAL_ERROR "lrelease of Qt 6 is missing, which compiles the translations. Install qt6-l10n-tools (Debian, "
                        "Ubuntu) or qt6-qttools-devel (openEuler), or set LRELEASE.")
endif()

set(sources ${CMAKE_CURRENT_LIST_DIR})
set(made ${CMAKE_BINARY_DIR}/resources/translations)
set(compiled)
set(entries)
# "qtbase" has the words on Qt's own buttons, for systems without Qt's translation.
foreach(name rankdeck_zh_CN qtbase_zh_CN)
    add_custom_command(OUTPUT ${made}/${name}.qm
        COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
        COMMAND ${LRELEASE} -silent ${sources}/${name}.ts -qm ${made}/${name}.qm
        DEPENDS ${sources}/${name}.ts VERBATIM)
    list(APPEND compiled ${made}/${name}.qm)
    string(APPEND entries "<file>${name}.qm</file>")
endforeach()
file(CONFIGURE OUTPUT ${made}/translations.qrc CONTENT
     "<RCC><qresource prefix=\"/translations\">${entries}</qresource></RCC>\n")
add_custom_command(OUTPUT ${made}/qrc_translations.cpp
    COMMAND Qt6::rcc --name translations --output ${made}/qrc_translations.cpp ${made}/translations.qrc
    DEPENDS ${compiled} ${made}/translations.qrc VERBATIM)
add_library(rankdeck_translations OBJECT ${made}/qrc_translations.cpp)

if(LUPDATE)
    add_custom_target(update_translations
        COMMAND ${LUPDATE} -silent -locations none -no-obsolete -source-language en -target-language zh_CN app core ui
                -ts ${sources}/rankdeck_zh_CN.ts
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
endif()
