# CPack runs this when all files of the deb are in their place.
file(GLOB pages ${CPACK_TEMPORARY_DIRECTORY}/usr/share/man/man1/*.1 ${CPACK_TEMPORARY_DIRECTORY}/usr/share/man/*/man1/*.1)
if(pages)
    execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
