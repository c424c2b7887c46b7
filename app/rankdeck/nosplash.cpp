#include "splash.h"

namespace rankdeck
{

// Built without libxcb.
Result<std::unique_ptr<Splash>> Splash::show()
{
    return std::unique_ptr<Splash>();
}

Splash::~Splash() = default;

} // namespace rankdeck
