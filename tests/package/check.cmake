set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${ARGN}: ${result}")
    endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix} --component Development)
run(${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/build -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_BUILD_TYPE=${BUILD_TYPE}
    -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer ${DATA_DIR}/ranktables/template2_2servers.json)

# What is installed must not lead back to the tree that it was built in.
file(GLOB_RECURSE package_files ${prefix}/lib*/cmake/Rankdeck/*.cmake)
foreach(file IN LISTS package_files)
    file(READ ${file} text)
    string(FIND "${text}" ${BUILD_DIR} place)
    if(NOT place EQUAL -1)
        message(FATAL_ERROR "${file} names the build directory")
    endif()
endforeach()
