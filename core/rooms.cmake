# How the house is built: every folder of core, ui and app/rankdeckctl that holds sources is a room, and a room is a target.

# What most sources read, compiled once for the rooms without a window and once for those with one. Every source
# compiles without this too, as clang-tidy reads it.
set(rankdeck_common_headers <QCoreApplication> <QDateTime> <QDir> <QFile> <QFileInfo> <QHash> <QProcess> <QRegularExpression>
                            <QSet> <QTimer> <algorithm> <functional> <memory> <optional> <vector>)
set(rankdeck_window_headers <QApplication> <QBoxLayout> <QComboBox> <QDialog> <QLabel> <QLineEdit> <QMessageBox>
                            <QPainter> <QPushButton> <QScrollArea>)

# rankdeck_headers(NAME HEADERS… LIBRARIES…): the target whose precompiled headers others take.
function(rankdeck_headers name)
    cmake_parse_arguments(arg "" "" "HEADERS;LIBRARIES;OPTIONS" ${ARGN})
    file(CONFIGURE OUTPUT ${name}.cpp CONTENT "// See rooms.cmake.\n")
    add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} rankdeck_warnings)
    target_compile_options(${name} PRIVATE ${arg_OPTIONS})
    target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

set(rankdeck_core_libraries Qt6::Core Qt6::Network nlohmann_json::nlohmann_json)
rankdeck_headers(rankdeck_core_headers HEADERS ${rankdeck_common_headers} LIBRARIES ${rankdeck_core_libraries})
if(RANKDECK_GUI)
    set(rankdeck_ui_libraries ${rankdeck_core_libraries} Qt6::Gui Qt6::Widgets)
    rankdeck_headers(rankdeck_ui_headers HEADERS ${rankdeck_common_headers} ${rankdeck_window_headers}
                     LIBRARIES ${rankdeck_ui_libraries})
endif()

# rankdeck_moc(TARGET TOP FILE…): what moc makes of the headers and sources below TOP that have something for it, in one
# step for all of them: see moc.cmake. It looks into a file when that has changed, so that no edit asks for another run of
# CMake. What it makes of headers joins a unity build.
function(rankdeck_moc target top)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/moc/${target})
    set(headers ${ARGN})
    list(FILTER headers INCLUDE REGEX "\\.h$")
    set(made ${ARGN})
    list(FILTER made INCLUDE REGEX "\\.cpp$")
    list(TRANSFORM made REPLACE "^.*/(.*)\\.cpp$" "${folder}/\\1.moc") # The source includes it.
    if(headers)
        set(made ${folder}/moc_${target}.cpp)
    endif()
    list(JOIN ARGN "," files)
    add_custom_command(OUTPUT ${made} VERBATIM DEPENDS ${ARGN} ${rankdeck_moc_script}
                       COMMAND ${CMAKE_COMMAND} -D MOC=$<TARGET_FILE:Qt6::moc> -D TOP=${top} -D FOLDER=${folder}
                               -D NAME=${target} -D FILES=${files} -P ${rankdeck_moc_script})
    target_sources(${target} PRIVATE ${made})
    target_include_directories(${target} PRIVATE ${folder})
endfunction()
set(rankdeck_moc_script ${CMAKE_CURRENT_LIST_DIR}/moc.cmake)

# Rooms whose speed benchmarks measure: what reads logs and tables, reduces, samples and draws. Elsewhere an optimised
# build stops at -O1, which takes a quarter off its time (and gcc's guesses at uninitialised values with it).
set(rankdeck_fast_rooms "^core_(base|collective_.*|device_.*|diagnosis_(catalogue|evidence|progress|recorder)|log_.*|ranktable_reading)$"
                        "^core_run_(mirror|process|record|samples)$" "^ui_(canvas_.*|devicegrid_cells|logview_.*|plot|terminal_.*)$")
list(JOIN rankdeck_fast_rooms "|" rankdeck_fast_rooms)

# rankdeck_room(FOLDER [ROOM…]): a room of core, ui or app (the folder that calls), and the rooms right below it. Its
# include path has its own headers, those of these rooms and of the rooms below them, nothing else: a header of any other
# room is not found. The path of a room is a folder of links, so that "run/record/journal.h" leads there and nowhere else.
function(rankdeck_room folder)
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME top)
    string(REPLACE "/" "_" room ${top}_${folder})
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    file(GLOB headers CONFIGURE_DEPENDS ${folder}/*.h)
    add_library(${room} OBJECT ${sources} ${headers})

    set(tree ${PROJECT_BINARY_DIR}/rooms/${room})
    cmake_path(GET folder PARENT_PATH parent)
    file(MAKE_DIRECTORY ${tree}/${parent})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${folder} ${tree}/${folder} SYMBOLIC)
    target_include_directories(${room} PUBLIC ${tree})
    list(TRANSFORM ARGN REPLACE "/" "_" OUTPUT_VARIABLE below)
    list(TRANSFORM below PREPEND ${top}_)
    target_link_libraries(${room} PUBLIC ${below} PRIVATE rankdeck_warnings)
    # In a unity build gcc takes each source for a header, in which it warns of this.
    target_compile_options(${room} PRIVATE $<$<BOOL:${CMAKE_UNITY_BUILD}>:-Wno-subobject-linkage>)

    if(NOT room MATCHES "${rankdeck_fast_rooms}")
        target_compile_options(${room} PRIVATE $<$<CONFIG:Release>:-O1 -Wno-maybe-uninitialized>)
    endif()

    if(NOT top STREQUAL "core")
        target_include_directories(${room} PUBLIC ${PROJECT_SOURCE_DIR}/core)
    endif()
    if(top STREQUAL "ui")
        target_link_libraries(${room} PUBLIC ${rankdeck_ui_libraries})
        target_precompile_headers(${room} REUSE_FROM rankdeck_ui_headers)
    else()
        target_link_libraries(${room} PUBLIC ${rankdeck_core_libraries})
        target_precompile_headers(${room} REUSE_FROM rankdeck_core_headers)
    endif()
    if(headers)
        rankdeck_moc(${room} ${CMAKE_CURRENT_SOURCE_DIR} ${headers})
    endif()
    set_property(GLOBAL APPEND PROPERTY rankdeck_rooms_${top} ${room})
endfunction()

# rankdeck_all_rooms(TARGET TOP): the target is made of all rooms of core, ui or app.
function(rankdeck_all_rooms target top)
    get_property(rooms GLOBAL PROPERTY rankdeck_rooms_${top})
    foreach(room IN LISTS rooms)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${room}>)
    endforeach()
endfunction()
