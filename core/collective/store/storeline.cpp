#include "collective/store/storeline.h"

namespace rankdeck
{

void visitFields(Fields &fields, StoreLine &line)
{
    fields.optional("join", line.join);
    fields.optional("of", line.of);
    fields.optional("set", line.set);
    fields.optional("get", line.get);
    fields.optional("wait", line.wait);
    fields.optional("missing", line.missing);
    fields.lenient("n", line.number);
    fields.optional("value", line.value);
    fields.optional("ready", line.isReady);
    fields.optional("over", line.over);
}

} // namespace rankdeck
