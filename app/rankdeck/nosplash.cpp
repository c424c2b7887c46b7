#include "splash.h"

namespace rankdeck
{

// Built without libxcb.
std::unique_ptr<Splash> Splash::show()
{
    return nullptr;
}

Splash::~Splash() = default;

} // namespace rankdeck
