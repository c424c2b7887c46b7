#include "ranktable/rules/filecheck.h"
#include "ranktable/rules/rulewords.h"

#include <QFileInfo>

namespace rankdeck
{

namespace
{

} // namespace

void checkFile(const QString &path, FindingCollector &findings)
{
    if (!path.endsWith(QLatin1String(".json")))
        findings.add(rules::fileName, ruleWords("The file's name does not end in \".json\"."),
                     ruleWords("Rename it; HCCL takes no other name."));
    if (QFileInfo(path).isSymLink())
        findings.add(rules::symbolicLink, ruleWords("The file is a symbolic link, which torch_npu refuses."),
                     ruleWords("Name the file that it points to."));
}

} // namespace rankdeck
