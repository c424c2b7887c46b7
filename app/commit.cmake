# Writes HEADER, which defines the commit of the clone in SOURCE and the day, when they are others than at the last
# build. SOURCE_DATE_EPOCH, where it is set, is the day; RANKDECK_COMMIT the commit of a tree that is no clone.
cmake_minimum_required(VERSION 3.22)
set(commit "$ENV{RANKDECK_COMMIT}")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty=+ --exclude * --abbrev=8
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
string(TIMESTAMP date "%Y-%m-%d" UTC)
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\n#define RANKDECK_COMMIT \"@commit@\"\n#define RANKDECK_BUILD_DATE \"@date@\"\n" @ONLY)
