#include "launch/spec/launcheroptions.h"

namespace rankdeck
{

Streams ProcessesOptions::redirectOf(int localRank) const
{
    return redirects.value(localRank, defaultRedirect) | teeOf(localRank);
}

} // namespace rankdeck
