# cmake -D LOWDOWN=… -D SOURCE=… -D MADE=… -D PROGRAMS=… -D VERSION=… -D DOCS=… -P make.cmake
# Makes MADE/html of the pages in SOURCE/en, and MADE/man1 of the templates in SOURCE/man; of other languages
# MADE/html/LANGUAGE and MADE/LANGUAGE/man1. Pages of a command are made in English only.
cmake_minimum_required(VERSION 3.22)

# convert(TEXT FILE OPTION…): Markdown to a file. Smarty would make a dash of "--tail", intraemph italics of
# the middle of MS_NODE_ID.
function(convert text file)
    file(WRITE ${MADE}/page.md "${text}")
    cmake_path(GET file PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    execute_process(COMMAND ${LOWDOWN} -s --out-no-smarty --parse-no-intraemph ${ARGN} -o ${file} ${MADE}/page.md
                    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# help(VARIABLE PROGRAM LANGUAGE [COMMAND]): what --help prints, without the home of whoever builds this. Leaks, which a
# sanitizer may find meanwhile, are for the tests to tell.
function(help variable program language)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=XDG_CONFIG_HOME HOME=/home/you LC_ALL=C.UTF-8
                            ASAN_OPTIONS=detect_leaks=0 QT_QPA_PLATFORM=offscreen ${PROGRAMS}/${program} --lang ${language} ${ARGN} --help
                    OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "/home/you/" "~/" text "${text}")
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# page(VARIABLE NAME LANGUAGE): the text of a page; English, where the language has no such page.
function(page variable name language)
    set(file ${SOURCE}/${language}/${name})
    if(NOT EXISTS ${file})
        set(file ${SOURCE}/en/${name})
    endif()
    file(READ ${file} text)
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# section(VARIABLE PAGE HEADING LANGUAGE): what stands below a heading of a page, links as their text. The heading is the
# English one; in another language it is the one at the same place.
function(section variable name heading language)
    page(text ${name} en)
    string(FIND "${text}" "\n## ${heading}\n" begin)
    if(begin EQUAL -1)
        message(FATAL_ERROR "${name} has no heading \"${heading}\".")
    endif()
    string(SUBSTRING "${text}" 0 ${begin} before)
    string(REGEX MATCHALL "\n## " before "${before}")
    list(LENGTH before place)
    page(text ${name} ${language})
    foreach(skipped RANGE ${place})
        string(FIND "${text}" "\n## " begin)
        math(EXPR begin "${begin} + 4")
        string(SUBSTRING "${text}" ${begin} -1 text)
    endforeach()
    string(FIND "${text}" "\n" begin)
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(FIND "${text}" "\n## " end)
    string(SUBSTRING "${text}" 0 ${end} text)
    string(REGEX REPLACE "\\[([^]]*)\\]\\([^)]*\\)" "\\1" text "${text}")
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# words_of(VARIABLE TEXT): the commands or actions that a help lists.
function(words_of variable text)
    string(REGEX MATCHALL "\n  [a-z]+ " words "${text}")
    list(TRANSFORM words STRIP)
    list(REMOVE_DUPLICATES words)
    set(${variable} "${words}" PARENT_SCOPE)
endfunction()

# command_page(VARIABLE WORD…): the page of a command, such as rankdeckctl-list(1), made of its help, which it returns.
# The first sentence of that says what the command is.
function(command_page variable)
    help(text rankdeckctl en ${ARGN})
    list(JOIN ARGN " " call)
    list(JOIN ARGN "-" name)
    set(what "the actions of rankdeckctl ${call}")
    if(NOT text MATCHES "^Usage: rankdeckctl ${call} ACTION"
       AND text MATCHES "\n\n *([A-Za-z][^\n]*(\n[^ \n][^\n]*)*)")
        string(REGEX REPLACE "\\.? *\n" " " what "${CMAKE_MATCH_1}")
        string(REGEX REPLACE "([.:] .*|[.:])$" "" what "${what}")
    endif()
    string(TOUPPER "rankdeckctl-${name}" title)
    convert("title: ${title}\nsection: 1\nsource: Rankdeck ${VERSION}\n
# NAME\n\nrankdeckctl-${name} - ${what}\n
# DESCRIPTION\n\n```\n${text}\n```\n
# SEE ALSO\n\nrankdeckctl(1). The manual is in ${DOCS}.\n" ${MADE}/man1/rankdeckctl-${name}.1 -Tman)
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# make(LANGUAGE HTML MAN TEMPLATES): the HTML and the man pages of the programs in a language.
function(make language html man templates)
    file(GLOB_RECURSE names RELATIVE ${SOURCE}/en ${SOURCE}/en/*.md)
    foreach(name IN LISTS names)
        page(text ${name} ${language})
        string(REGEX MATCH "^# ([^\n]+)" title "${text}")
        set(title "${CMAKE_MATCH_1}")
        string(REGEX REPLACE "(\\]\\([^)#:]+)\\.md([)#])" "\\1.html\\2" text "${text}")
        string(REGEX REPLACE "[^/]+/" "../" css "${name}")
        string(REGEX REPLACE "[^/]+$" "manual.css" css "${css}")
        string(REGEX REPLACE "\\.md$" ".html" file "${name}")
        convert("${text}" ${html}/${file} -Thtml -M "title=${title}" -M css=${css})
    endforeach()
    file(COPY ${SOURCE}/manual.css DESTINATION ${html})
    foreach(program rankdeckctl rankdeck)
        if(NOT EXISTS ${PROGRAMS}/${program})
            continue() # A build without the window.
        endif()
        file(READ ${templates}/${program}.1.md text)
        help(general ${program} ${language})
        string(REPLACE "@HELP@" "${general}" text "${text}")
        string(REPLACE "@VERSION@" "${VERSION}" text "${text}")
        string(REPLACE "@DOCS@" "${DOCS}" text "${text}")
        while(text MATCHES "@([a-z]+\\.md): ([^@\n]+)@")
            set(named "${CMAKE_MATCH_0}")
            section(words ${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" ${language})
            string(REPLACE "${named}" "${words}" text "${text}")
        endwhile()
        convert("${text}" ${man}/${program}.1 -Tman)
    endforeach()
endfunction()

file(REMOVE_RECURSE ${MADE})
make(en ${MADE}/html ${MADE}/man1 ${SOURCE}/man)
file(GLOB languages RELATIVE ${SOURCE}/man LIST_DIRECTORIES true ${SOURCE}/man/*)
list(FILTER languages EXCLUDE REGEX "\\.md$")
foreach(language IN LISTS languages)
    make(${language} ${MADE}/html/${language} ${MADE}/${language}/man1 ${SOURCE}/man/${language})
endforeach()
help(general rankdeckctl en)
words_of(commands "${general}")
foreach(command IN LISTS commands)
    command_page(text ${command})
    if(text MATCHES "^Usage: rankdeckctl ${command} ACTION")
        words_of(actions "${text}")
        foreach(action IN LISTS actions)
            command_page(text ${command} ${action})
        endforeach()
    endif()
endforeach()
file(REMOVE ${MADE}/page.md)
file(TOUCH ${MADE}/stamp)
