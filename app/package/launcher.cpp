/// bin/NAME of a package: starts libexec/NAME by the package's own loader and with its own libraries, so that
/// it needs none of the system's. A static program. The program undoes the launcher's changes: see
/// base/program.h.
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <unistd.h>

namespace
{

/// The folders that libdcmi.so needs, the only library of the system that is ever loaded.
constexpr char driverFolders[] =
    ":/usr/local/dcmi:/usr/local/Ascend/driver/lib64/driver:/usr/local/Ascend/driver/lib64/common"
    ":/usr/local/Ascend/driver/lib64";

char *join(const char *first, const char *second, const char *third = "")
{
    char *text = nullptr;
    return asprintf(&text, "%s%s%s", first, second, third) < 0 ? nullptr : text;
}

} // namespace

int main(int argc, char **argv)
{
    char self[PATH_MAX] = "";
    char root[PATH_MAX] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) {
        std::fprintf(stderr, "rankdeck: /proc/self/exe: %s\n", std::strerror(errno));
        return 127;
    }
    std::memcpy(root, self, sizeof root);
    *std::strrchr(root, '/') = '\0';
    const char *name = self + std::strlen(root) + 1;
    *std::strrchr(root, '/') = '\0';

    // The user's LD_LIBRARY_PATH and LD_PRELOAD are for the ranks.
    for (char **variable = environ; *variable; ++variable) {
        if (std::strncmp(*variable, "LD_", 3) == 0)
            *variable = join("RANKDECK_HELD_", *variable);
    }

    const std::unique_ptr<char *, decltype(&std::free)> words(
        static_cast<char **>(std::calloc(std::size_t(argc) + 8, sizeof(char *))), &std::free);
    char **word = words.get();
    *word++ = join(root, "/lib/ld.so");
    *word++ = join("--inhibit-cache", "");
    *word++ = join("--library-path", "");
    *word++ = join(root, "/lib", driverFolders);
    *word++ = join("--argv0", "");
    *word++ = self;
    *word++ = join(root, "/libexec/", name);
    for (int index = 1; index < argc; ++index)
        *word++ = argv[index];
    execve(*words, words.get(), environ);
    std::fprintf(stderr, "%s: %s: %s\n", name, *words, std::strerror(errno));
    return 127;
}
