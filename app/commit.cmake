# Writes HEADER, which defines the commit of the clone in SOURCE, when that is another one than at the last build.
cmake_minimum_required(VERSION 3.22)
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty=+ --exclude * --abbrev=8
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\n#define RANKDECK_COMMIT \"@commit@\"\n" @ONLY)
