#include "diagnosis/verdict/verdict.h"

namespace rankdeck
{

QString confidenceWord(Verdict::Confidence confidence)
{
    switch (confidence) {
    case Verdict::Confidence::Certain:
        return QStringLiteral("certain");
    case Verdict::Confidence::Likely:
        return QStringLiteral("likely");
    case Verdict::Confidence::Undecided:
        break;
    }
    return QStringLiteral("undecided");
}

} // namespace rankdeck
