#!/usr/bin/env bash
# Makes Rankdeck's packages: see usage().
set -euo pipefail

usage()
{
    cat <<'END'
usage: app/package.sh [--build DIR] [--to DIR] [x86_64 | aarch64]... [tgz | wheel | deb | rpm]... [RELEASE]...

  (nothing)     tgz and wheel for this machine's architecture
  --build DIR   packs what was built in DIR instead of building; for this machine's architecture alone
  --to DIR      where the packages are to lie; build/packages otherwise

tgz, wheel and rpm hold a tree that needs nothing of the system but a
kernel: it is made of the libraries of this system, which should be Debian 12. What else they take, and from where:

  aarch64       cross-built on Debian x86_64 against its libraries for aarch64, which are put below build/packages; the
                man pages are made by the x86_64 programs, which are built first
  deb           for this release of Debian or Ubuntu, whose Qt it uses; for aarch64 cross-built like the others
  RELEASE       bookworm, trixie or noble: that deb is made in this release of Debian or Ubuntu instead, which
                debootstrap installs below build/distributions (about 2 GB), once; needs root, and noble the keys of
                Ubuntu's archive, which its package ubuntu-keyring has
END
}

architectures=() kinds=() releases=() built= made=
while (($#)); do
    case $1 in
        x86_64 | aarch64) architectures+=("$1") ;;
        tgz | wheel | deb | rpm) kinds+=("$1") ;;
        bookworm | trixie | noble) releases+=("$1") ;;
        --build) built=$(realpath "${2:?}"); shift ;;
        --to) made=$(realpath -m "${2:?}"); shift ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
((${#architectures[@]})) || architectures=("$(uname -m)")
((${#kinds[@]})) || kinds=(tgz wheel)

cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
source app/packages.sh
parts=$PWD/app/package
version=$(sed -n 's/^project(Rankdeck VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
made=${made:-$PWD/build/packages}
# Two packages of one commit are equal, byte by byte.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export LC_ALL=C.UTF-8 TZ=UTC

wants()
{
    [[ " ${kinds[*]} " == *" $1 "* ]]
}

# use_architecture ARCH: where its libraries lie, and its tools.
use_architecture()
{
    arch=$1 triple=$1-linux-gnu work=$made/work/$1 sysroot= tools=
    mkdir -p "$work"
    if [[ $arch != "$(uname -m)" ]]; then
        install_missing "g++-${triple//_/-}" mmdebstrap
        sysroot=$work/sysroot tools=$triple-
        make_sysroot
    fi
    library_folders=("$sysroot/usr/lib/$triple" "$sysroot/lib/$triple" "$sysroot/usr/lib" "$sysroot/lib")
    plugins=$sysroot/usr/lib/$triple/qt6/plugins
}

# make_sysroot: the libraries of this release of Debian for $arch, extracted and not installed, so that nothing here
# changes. Links lead to where they will, wherever the folder lies. $sysroot/origins says which package each file is of.
make_sysroot()
{
    [[ ! -e $sysroot/origins ]] || return 0
    rm -rf "$sysroot"
    local package link wanted=()
    for package in "${build_packages[@]}" "${optional_build_packages[@]}"; do
        [[ $package != *-dev ]] || wanted+=("$package")
    done
    mmdebstrap --quiet --variant=extract --architectures=arm64 --skip=cleanup/apt \
        --include="$(IFS=,; echo "${wanted[*]},libstdc++-$(g++ -dumpversion)-dev,libc6-dev")" \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$sysroot"
    find "$sysroot"/{usr,lib} -type l -lname '/*' | while read -r link; do
        ln -sfrn "$sysroot$(readlink "$link")" "$link"
    done
    # Gloo's alone names its library by the place that it is installed to.
    sed -i 's,"/usr/lib/,"${CMAKE_SYSROOT}/usr/lib/,' "$sysroot"/usr/share/cmake/Gloo/*.cmake
    for package in "$sysroot"/var/cache/apt/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -t | sed "s,^\.,$(dpkg-deb -f "$package" Package) ,"
        dpkg-deb --show --showformat "$version_format" "$package" >>"$sysroot/versions"
    done >"$sysroot/origins.part"
    mv "$sysroot/origins.part" "$sysroot/origins"
}

# build_programs: in $build, with all that is installed.
build_programs()
{
    local options=()
    if [[ -n $sysroot ]]; then
        export RANKDECK_SYSROOT=$sysroot
        options=(--toolchain "$parts/$arch.cmake")
    fi
    if [[ -n $built ]]; then
        build=$built
    else
        build=$work/build
        ! command -v ccache >/dev/null || options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
        cmake --preset release -B "$build" -DCMAKE_INSTALL_PREFIX=/usr \
            -DCMAKE_INSTALL_DOCDIR=share/doc/rankdeck "${options[@]}" >/dev/null
        cmake --build "$build"
    fi
    cmake --build "$build" --target rankdeck_launcher >/dev/null
}

needed_by()
{
    "${tools}readelf" -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

find_library()
{
    local folder
    for folder in "${library_folders[@]}"; do
        [[ ! -e $folder/$1 ]] || { echo "$folder/$1"; return; }
    done
    echo "$1, which the programs need, is not in ${library_folders[*]}" >&2
    exit 1
}

# add_libraries TREE FILE...: every library that the files need, and those that these need. The loader is there.
add_libraries()
{
    local tree=$1 queue=("${@:2}") name file
    while ((${#queue[@]})); do
        for name in $(needed_by "${queue[0]}"); do
            [[ $name != ld-linux* && ! -e $tree/lib/$name ]] || continue
            file=$(find_library "$name")
            origins+=("$(readlink -f "$file")")
            case $name in
                libicudata.so.*) make_icu_data "$file" "$tree/lib/$name" ;;
                *) cp -L "$file" "$tree/lib/$name" ;;
            esac
            queue+=("$file")
        done
        queue=("${queue[@]:1}")
    done
}

# make_icu_data LIBRARY OUT: of its 31 MB Qt uses 2.
make_icu_data()
{
    local folder=$work/icu number=${1##*.so.}
    local data=icudt${number}l.dat
    rm -rf "$folder"
    mkdir -p "$folder"/{whole,items,small}
    "${tools}objcopy" -O binary --only-section=.rodata "$1" "$folder/whole/$data"
    # Not every version has all of them.
    icupkg -l "$folder/whole/$data" | grep -Fx -f "$parts/icu-items.txt" >"$folder/items.txt"
    icupkg -x "$folder/items.txt" -d "$folder/items" "$folder/whole/$data"
    icupkg -a "$folder/items.txt" -s "$folder/items" new "$folder/small/$data"
    "${tools}gcc" -shared -nostdlib -Wl,-soname,"${2##*/}" -DSYMBOL="icudt${number}_dat" \
        -DDATA="\"$folder/small/$data\"" -o "$2" "$parts/icudata.S"
}

# add_programs TREE NAME...: each with the loader and all libraries.
add_programs()
{
    local tree=$1 name loader
    shift
    mkdir -p "$tree"/{bin,lib,libexec}
    for name; do
        cp "$build/bin/$name" "$tree/libexec/$name"
        cp "$build/bin/rankdeck_launcher" "$tree/bin/$name"
        "${tools}strip" "$tree/libexec/$name" "$tree/bin/$name"
    done
    loader=$("${tools}readelf" -l "$tree/libexec/$1" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
    origins+=("$(readlink -f "$sysroot$loader")")
    cp -L "$sysroot$loader" "$tree/lib/ld.so"
    add_libraries "$tree" "${@/#/$tree/libexec/}"
}

# What Qt loads by itself: the display, and ways to type Chinese.
window_plugins=(platforms/libqxcb platforms/libqoffscreen platforminputcontexts/libcomposeplatforminputcontextplugin
                platforminputcontexts/libibusplatforminputcontextplugin)

add_window()
{
    local tree=$1 plugin
    for plugin in "${window_plugins[@]}"; do
        install -D "$plugins/$plugin.so" "$tree/plugins/$plugin.so"
        origins+=("$plugins/$plugin.so")
        add_libraries "$tree" "$tree/plugins/$plugin.so"
    done
    # Qt reads it where it believes that the program is.
    printf '[Paths]\nPrefix=..\nPlugins=plugins\n' >"$tree/lib/qt.conf"
    mkdir -p "$tree/share/fonts"
    cp "$parts/fonts.conf" "$tree/share/fonts.conf"
    get_fonts
    [[ ! -d $fonts/usr ]] ||
        cp "$fonts"/usr/share/fonts/truetype/{dejavu/DejaVuSans{,-Bold,Mono,Mono-Bold}.ttf,wqy/wqy-microhei.ttc} \
            "$tree/share/fonts"
}

# get_fonts: into $fonts, not onto this system, whose own fonts are its owner's choice.
get_fonts()
{
    fonts=$PWD/build/fonts
    [[ ! -e $fonts/usr ]] || return 0
    mkdir -p "$fonts"
    if ! (cd "$fonts" && apt-get -qq -o APT::Sandbox::User=root download "${font_packages[@]}"); then
        [[ -n $built ]] || exit 1
        echo "${font_packages[*]}: apt-get could not get them. The packages have no fonts: only good for tests." >&2
        return 0
    fi
    local package
    for package in "$fonts"/*.deb; do
        dpkg-deb -x "$package" "$fonts"
    done
}

# add_licences TREE: of each package that a file came from, and the versions, by which Debian gives the sources.
add_licences()
{
    local licences=$1/share/licenses package common
    mkdir -p "$licences/common-licenses"
    cp LICENSE "$licences/rankdeck"
    for package in $(packages_of_origins); do
        cp -L "$sysroot/usr/share/doc/$package/copyright" "$licences/$package"
        version_of "$package"
    done >"$licences/VERSIONS"
    if [[ -d $1/share/fonts && -d $fonts/usr ]]; then
        for package in "${font_packages[@]}"; do
            cp -L "$fonts/usr/share/doc/$package/copyright" "$licences/$package"
            basename "$fonts/${package}"_*.deb _all.deb | tr _ ' '
        done >>"$licences/VERSIONS"
    fi
    for common in $(grep -rhoE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$licences" | sort -u); do
        [[ ! -f $common ]] || cp -L "$common" "$licences/common-licenses"
    done
}

packages_of_origins()
{
    local origin listed
    if [[ -n $sysroot ]]; then
        for origin in "${origins[@]#"$sysroot"}"; do
            awk -v a="$origin" -v b="${origin#/usr}" '$2 == a || $2 == b { print $1 }' "$sysroot/origins"
        done | sort -u
        return
    fi
    # A file of a merged /usr may be listed under its name in /lib. dpkg reads all its lists, so it is asked once.
    listed=$(dpkg -S "${origins[@]}" "${origins[@]#/usr}" "${origins[@]/#//usr}" 2>/dev/null || true)$'\n'
    for origin in "${origins[@]#/usr}"; do
        [[ $listed == *": $origin"$'\n'* || $listed == *": /usr$origin"$'\n'* ]] || echo "$origin: of no package" >&2
    done
    sed 's/:.*//' <<<"${listed%$'\n'}" | sort -u
}

version_format='${Package} ${Version} (source: ${source:Package} ${source:Version})\n'
version_of()
{
    if [[ -n $sysroot ]]; then
        grep "^$1 " "$sysroot/versions"
    else
        dpkg-query -W -f "$version_format" "$1" | head -n 1
    fi
}

# make_tree TREE COMPONENT... -- PROGRAM...
make_tree()
{
    local tree=$1 component
    shift
    rm -rf "$tree"
    origins=()
    while [[ $1 != -- ]]; do
        DESTDIR= cmake --install "$build" --prefix "$tree" --component "$1" >/dev/null
        shift
    done
    shift
    rm -rf "$tree/bin"
    add_programs "$tree" "$@"
}

# add_pages TREE PATTERN: man pages, which the programs of this machine have made.
add_pages()
{
    local pages=${native_build:-$build}/resources/manual/made folder
    for folder in man1 zh_CN/man1; do
        [[ -d $pages/$folder ]] || continue
        mkdir -p "$1/share/man/$folder"
        find "$pages/$folder" -type f -name "$2" -exec cp -t "$1/share/man/$folder" {} +
    done
}

# add_terminals TREE: what rankdeckctl top asks of a system, for those that lack it.
add_terminals()
{
    local name
    mkdir -p "$1/share/locale/C.utf8"
    cp /usr/lib/locale/C.utf8/LC_CTYPE "$1/share/locale/C.utf8" # Alike on x86_64 and aarch64.
    for name in linux screen screen-256color tmux tmux-256color vt100 xterm xterm-256color; do
        mkdir -p "$1/share/terminfo/${name:0:1}"
        cp -L "/lib/terminfo/${name:0:1}/$name" "$1/share/terminfo/${name:0:1}"
    done
}

# make_node_tree: rankdeckctl alone, packed.
make_node_tree()
{
    local node_tree=$work/rankdeckctl-$version-linux-$arch
    make_tree "$node_tree" Runtime -- rankdeckctl
    add_pages "$node_tree" 'rankdeckctl*'
    add_terminals "$node_tree"
    add_licences "$node_tree"
    # What is copied to a node that has no rankdeckctl.
    (cd "$node_tree" && find bin lib libexec -type f | sort >share/rankdeck/node-files)
    finish_tree "$node_tree"
    pack_tgz "$node_tree"
}

make_whole_tree()
{
    local node_tree=$work/rankdeckctl-$version-linux-$arch other
    whole_tree=$work/rankdeck-$version-linux-$arch
    make_tree "$whole_tree" Runtime Gui Documentation -- rankdeckctl rankdeck
    add_window "$whole_tree"
    add_pages "$whole_tree" '*'
    cp "$node_tree/share/rankdeck/node-files" "$whole_tree/share/rankdeck"
    mkdir -p "$whole_tree/share/rankdeck/python"
    cp -r app/python/rankdeck "$whole_tree/share/rankdeck/python"
    find "$whole_tree" -name __pycache__ -prune -exec rm -rf {} +
    # What is copied to a node of another architecture.
    for other in "${architectures[@]}"; do
        [[ $other == "$arch" ]] ||
            install -D -t "$whole_tree/share/rankdeck/nodes" "$made/rankdeckctl-$version-linux-$other.tar.gz"
    done
    add_terminals "$whole_tree"
    add_licences "$whole_tree"
    finish_tree "$whole_tree"
}

finish_tree()
{
    find "$1" -type l -exec false {} + # A wheel has none.
    find "$1" -type f ! -path '*/bin/*' ! -path '*/libexec/*' ! -name '*.py' ! -name ld.so -exec chmod 644 {} +
}

# pack_tgz TREE
pack_tgz()
{
    local name=${1##*/}
    tar -c --sort=name --owner=0 --group=0 --numeric-owner --mtime=@"$SOURCE_DATE_EPOCH" -C "${1%/*}" "$name" |
        gzip -9n >"$made/$name.tar.gz"
    echo "$made/$name.tar.gz"
}

pack_rpm()
{
    local top=$work/rpm
    rm -rf "$top"
    mkdir -p "$top"
    rpmbuild -bb --quiet --target "$arch-linux" --define "_topdir $top" --define "tree $whole_tree" \
        --define "version $version" "$parts/rankdeck.spec"
    cp "$top/RPMS/$arch"/rankdeck-*.rpm "$made"
    echo "$made/$(basename "$top/RPMS/$arch"/rankdeck-*.rpm)"
}

# pack_deb: what was built, with this release's libraries. The packages of a release are the same for each architecture,
# so what a cross-built one depends on is read in that of this machine.
pack_deb()
{
    local depends= file
    if [[ -n $sysroot ]]; then
        make_deb "$work/native-deb" "$native_build" "$(dpkg --print-architecture)"
        depends=$(dpkg-deb -f "$work"/native-deb/*.deb Depends)
    fi
    make_deb "$work/deb" "$build" "${debian_architecture[$arch]}" "$depends"
    file=("$work"/deb/*.deb)
    cp "${file[0]}" "$made"
    echo "$made/${file[0]##*/}"
}

declare -A debian_architecture=([x86_64]=amd64 [aarch64]=arm64)

# make_deb FOLDER BUILD ARCHITECTURE [DEPENDS]: in FOLDER, with the two files that every package of Debian has. Its version
# names the release: 0.2.0~debian12.
make_deb()
{
    local folder=$1 extra=$1/extra doc=usr/share/doc/rankdeck deb_version
    deb_version=$version~$(. /etc/os-release && echo "$ID$VERSION_ID")
    rm -rf "$folder"
    mkdir -p "$extra/$doc"
    [[ -z ${4:-} ]] || add_pages "$extra/usr" '*'
    cat >"$extra/$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Rankdeck

Files: *
Copyright: 2026 The Rankdeck authors
License: Apache-2.0
 On Debian systems, the full text is in /usr/share/common-licenses/Apache-2.0.
END
    printf 'rankdeck (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$deb_version" \
        'The Rankdeck authors <maintainers@rankdeck.invalid>' "$(date -Rd @"$SOURCE_DATE_EPOCH")" |
        gzip -9n >"$extra/$doc/changelog.gz"
    VERSION=$deb_version BUILD=$2 ARCHITECTURE=$3 DEPENDS=${4:-} EXTRA=$extra \
        cpack --config "$parts/deb.cmake" -B "$folder" >"$folder/log" || {
        cat "$folder/log" >&2
        exit 1
    }
}

# make_deb_in RELEASE: the same script does it there.
make_deb_in()
{
    local root=$PWD/build/distributions/$1
    install_release "$1" "$root"
    copy_tree "$root"
    run_in_release "$root" env SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
        RANKDECK_COMMIT="$(git describe --always --dirty=+ --exclude '*' --abbrev=8)" \
        bash app/package.sh --to build/deb "${architectures[@]}" deb
    cp -v "$root"/rankdeck/build/deb/*.deb "$made"
}

mkdir -p "$made"
if ((${#releases[@]})); then
    wants deb || { usage >&2; exit 2; }
    install_missing debootstrap debian-archive-keyring
    for release in "${releases[@]}"; do
        make_deb_in "$release"
    done
    [[ ${kinds[*]} != deb ]] || exit 0
fi
[[ -n $built ]] || install_missing "${build_packages[@]}" "${optional_build_packages[@]}" lowdown
install_missing icu-devtools binutils
! wants deb || install_missing dpkg-dev file
! wants rpm || install_missing rpm
wants_tree()
{
    wants tgz || wants wheel || wants rpm
}

# use_build ARCH: what is packed of it next.
native_build=
use_build()
{
    if [[ $1 != "$(uname -m)" ]]; then
        use_architecture "$(uname -m)"
        build_programs
        native_build=$build
    fi
    use_architecture "$1"
    build_programs
}

# The packages of one architecture hold what nodes of the others need.
for architecture in "${architectures[@]}"; do
    wants_tree || break
    use_build "$architecture"
    make_node_tree
done
for architecture in "${architectures[@]}"; do
    use_build "$architecture"
    ! wants_tree || make_whole_tree
    ! wants tgz || pack_tgz "$whole_tree"
    ! wants rpm || pack_rpm
    ! wants deb || ((${#releases[@]})) || pack_deb
    ! wants wheel || python3 "$parts/wheel.py" "$whole_tree" "$arch" "$version" "$made"
done
