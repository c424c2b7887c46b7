set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})

function(run)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK_DIR} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${ARGN}: ${result}")
    endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/installed)
# Whoever unpacks the package elsewhere can build with it too.
file(RENAME ${WORK_DIR}/installed ${prefix})
run(${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/build -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_BUILD_TYPE=${BUILD_TYPE}
    -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
# In an environment of its own: its rank table, and no run among the user's.
run(${CMAKE_COMMAND} -E env --unset=RANK_TABLE_FILE_V_1_0 --unset=BATCH_TASK_CURRENT_INSTANCE
    --unset=MA_CURRENT_INSTANCE_NAME RANK_TABLE_FILE=${prefix}/share/rankdeck/demo/rank_table.json
    MA_HOME=${WORK_DIR}/home XDG_STATE_HOME=${WORK_DIR}/state RANKDECK_CTL=${prefix}/bin/rankdeckctl
    ${WORK_DIR}/build/consumer ${prefix}/share/rankdeck/demo/train.py ${WORK_DIR}/log)

# What is installed must not lead back to the tree that it was built in.
file(GLOB_RECURSE package_files ${prefix}/lib*/cmake/Rankdeck/*.cmake)
foreach(file IN LISTS package_files)
    file(READ ${file} text)
    string(FIND "${text}" ${BUILD_DIR} place)
    if(NOT place EQUAL -1)
        message(FATAL_ERROR "${file} names the build directory")
    endif()
endforeach()

# A library that the package needs and this machine lacks is named.
file(GLOB config ${prefix}/lib*/cmake/Rankdeck/RankdeckConfig.cmake ${prefix}/lib/*/cmake/Rankdeck/RankdeckConfig.cmake)
file(READ ${config} text)
string(REPLACE "foreach(library " "foreach(library nosuchlibrary " text "${text}")
file(WRITE ${config} "${text}")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/lacking -G ${GENERATOR}
                        -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${prefix}
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE said)
string(FIND "${said}" "libnosuchlibrary is missing" place)
if(result EQUAL 0 OR place EQUAL -1)
    message(FATAL_ERROR "A missing library is not named: ${said}")
endif()

# A node gets the command line alone, a program that is built on the SDK what it needs.
function(component name expected)
    run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/${name} --component ${name})
    file(GLOB_RECURSE files RELATIVE ${WORK_DIR}/${name} ${WORK_DIR}/${name}/*)
    foreach(file IN LISTS files)
        if(NOT file MATCHES "${expected}")
            message(FATAL_ERROR "Component ${name} installs ${file}")
        endif()
    endforeach()
    if(NOT files)
        message(FATAL_ERROR "Component ${name} installs nothing")
    endif()
endfunction()
component(Runtime "^(bin/rankdeckctl|share/rankdeck/|share/(bash-completion|zsh|fish)/)")
component(Development "^(include/rankdeck/|lib)")
component(Documentation "^share/(doc|man)/")
if(EXISTS ${prefix}/bin/rankdeck)
    component(Gui "^(bin/rankdeck$|share/(applications|metainfo|icons|bash-completion|fish)/)")
endif()
