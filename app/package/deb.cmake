# CPack's settings for the deb. In the environment: VERSION; BUILD, a build directory; ARCHITECTURE, as Debian calls it;
# DEPENDS, the packages that it needs, or nothing to find them by its libraries; EXTRA, a folder for / with what Debian wants
# besides what is installed.
set(CPACK_PACKAGE_VERSION $ENV{VERSION})
set(CPACK_GENERATOR DEB)
set(CPACK_CMAKE_GENERATOR Ninja)
set(CPACK_PACKAGE_NAME rankdeck)
set(CPACK_PACKAGE_FILE_NAME rankdeck)
set(CPACK_PACKAGE_VENDOR "The Rankdeck authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
foreach(component Runtime Gui Documentation)
    list(APPEND CPACK_INSTALL_CMAKE_PROJECTS $ENV{BUILD} Rankdeck ${component} /)
endforeach()
set(CPACK_INSTALLED_DIRECTORIES $ENV{EXTRA} /)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Rankdeck authors <maintainers@rankdeck.invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE $ENV{ARCHITECTURE})
if("$ENV{DEPENDS}" STREQUAL "")
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
else()
    set(CPACK_DEBIAN_PACKAGE_DEPENDS "$ENV{DEPENDS}")
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-dejavu-core, openssh-client, python3")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "fonts-noto-cjk")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "launcher and monitor for distributed training on Ascend NPUs")
set(CPACK_PACKAGE_DESCRIPTION "Rankdeck launches the ranks of a distributed training, shows every rank live,
and tells which rank failed first, why, and how to fix it. It takes the options
of torchrun and msrun, and rank tables.

rankdeck is a window that stays quick over ssh -X, rankdeckctl does the same in
a terminal.")
# Between installing and packing: Debian's man pages are packed.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/packpages.cmake)
