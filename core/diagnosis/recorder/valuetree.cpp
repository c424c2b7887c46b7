#include "diagnosis/recorder/valuetree.h"

#include "base/json.h"

#include <QtEndian>

#include <cstring>

namespace rankdeck
{

/// Upper limit, 500 MB of values; a dump of 20,000 collectives with deep stacks has a tenth of it.
constexpr std::size_t mostValues = std::size_t(32) * 1024 * 1024;
constexpr std::size_t mostMemos = std::size_t(16) * 1024 * 1024;

static Error broken(const QString &what)
{
    return {what, {}, {}};
}

static Error tooMuch()
{
    return broken(tr("it has more values than a recorder writes"));
}

ValueTree::Items ValueTree::itemsOf(const Value &value) const
{
    if (value.kind != Kind::List && value.kind != Kind::Dict)
        return {};
    const Container &its = m_containers[std::size_t(value.number)];
    return {m_items.data() + its.begin, its.size};
}

const ValueTree::Value *ValueTree::find(const Value &dict, std::string_view key) const
{
    if (dict.kind != Kind::Dict)
        return nullptr;
    const Items items = itemsOf(dict);
    for (std::size_t at = items.size; at >= 2; at -= 2) {
        if (items.first[at - 2].view() == key)
            return &items.first[at - 1];
    }
    return nullptr;
}

ValueTree::Value ValueTree::newContainer(Kind kind)
{
    m_containers.push_back({});
    return Value::of(kind, qint64(m_containers.size()) - 1);
}

/// One that grows moves to the end, where it has room; most are filled at once.
void ValueTree::append(const Value &container, const Value *values, std::size_t count)
{
    Container &its = m_containers[std::size_t(container.number)];
    const std::size_t size = its.size + count;
    if (size > its.room) {
        const std::size_t begin = m_items.size();
        const std::size_t room = its.size == 0 ? size : 2 * size;
        m_items.resize(begin + room);
        std::copy_n(m_items.data() + its.begin, its.size, m_items.data() + begin);
        its.begin = quint32(begin);
        its.room = quint32(room);
    }
    std::copy_n(values, count, m_items.data() + its.begin + its.size);
    its.size = quint32(size);
}

/// Whether a container lies in itself, or in one that lies in it.
bool ValueTree::containsItself() const
{
    enum class Seen : quint8 { No, Open, Done };
    struct Step {
        std::size_t container;
        quint32 next;
    };
    std::vector<Seen> seen(m_containers.size(), Seen::No);
    std::vector<Step> open;
    for (std::size_t first = 0; first < m_containers.size(); ++first) {
        if (seen[first] == Seen::Done)
            continue;
        seen[first] = Seen::Open;
        open.push_back({first, 0});
        while (!open.empty()) {
            Step &step = open.back();
            const Container &its = m_containers[step.container];
            if (step.next == its.size) {
                seen[step.container] = Seen::Done;
                open.pop_back();
                continue;
            }
            const Value &item = m_items[its.begin + step.next++];
            if (item.kind != Kind::List && item.kind != Kind::Dict)
                continue;
            const auto inner = std::size_t(item.number);
            if (seen[inner] == Seen::Open)
                return true;
            if (seen[inner] == Seen::No) {
                seen[inner] = Seen::Open;
                open.push_back({inner, 0});
            }
        }
    }
    return false;
}

/// A pickle is a program for a machine with a stack; Python's Lib/pickletools.py explains each opcode.
class PickleReader
{
public:
    explicit PickleReader(QByteArrayView bytes)
        : m_bytes(bytes)
    {
    }

    Result<ValueTree> read()
    {
        while (m_error.isEmpty() && !m_isAtEnd) {
            const qsizetype at = m_at;
            take(quint8(number<1>()));
            if (m_tree.m_items.size() + m_stack.size() + m_tree.m_containers.size() > mostValues)
                return tooMuch();
            if (!m_error.isEmpty())
                return broken(tr("%1, at byte %2").arg(m_error).arg(at));
        }
        if (!m_error.isEmpty() || m_stack.size() != 1 || !m_marks.empty())
            return broken(m_error.isEmpty() ? tr("it ends within a value") : m_error);
        if (m_tree.containsItself())
            return broken(tr("a list or dictionary contains itself"));
        m_tree.m_root = m_stack.back();
        return std::move(m_tree);
    }

private:
    using Kind = ValueTree::Kind;
    using Value = ValueTree::Value;

    void fail(const QString &why) { m_error = why; }

    QByteArrayView bytes(quint64 count)
    {
        if (count > quint64(m_bytes.size() - m_at)) {
            fail(tr("it is cut off"));
            m_at = m_bytes.size();
            return {};
        }
        const QByteArrayView taken = m_bytes.sliced(m_at, qsizetype(count));
        m_at += qsizetype(count);
        return taken;
    }

    /// Little-endian, as most numbers are.
    template <int Size>
    quint64 number()
    {
        const QByteArrayView taken = bytes(Size);
        quint64 value = 0;
        for (qsizetype at = taken.size(); at > 0; --at)
            value = value << 8 | quint8(taken[at - 1]);
        return value;
    }

    QByteArrayView line()
    {
        const qsizetype end = m_bytes.indexOf('\n', m_at);
        const QByteArrayView taken = bytes(end < 0 ? quint64(m_bytes.size()) : quint64(end - m_at));
        if (m_error.isEmpty())
            ++m_at;
        return taken;
    }

    void push(const Value &value) { m_stack.push_back(value); }
    void pushInt(qint64 value) { push(Value::of(Kind::Int, value)); }
    void pushText(QByteArrayView text) { push(Value::of(text.data(), std::size_t(text.size()))); }

    /// Python's integers have any length.
    void pushLong(quint64 length)
    {
        const QByteArrayView taken = bytes(length);
        if (length > 8) {
            fail(tr("a number is too large"));
            return;
        }
        quint64 value = length > 0 && (quint8(taken.isEmpty() ? 0 : taken.back()) & 0x80) ? ~quint64(0) : 0;
        for (qsizetype at = taken.size(); at > 0; --at)
            value = value << 8 | quint8(taken[at - 1]);
        pushInt(qint64(value));
    }

    bool has(std::size_t count)
    {
        const std::size_t least = m_marks.empty() ? 0 : m_marks.back();
        if (m_stack.size() < least + count)
            fail(tr("a value is missing"));
        return m_error.isEmpty();
    }

    /// Takes what lies above the last mark; returns where that begins.
    auto aboveMark()
    {
        if (m_marks.empty()) {
            fail(tr("a mark is missing"));
            return m_stack.size();
        }
        const std::size_t begin = m_marks.back();
        m_marks.pop_back();
        return begin;
    }

    void makeContainer(Kind kind, std::size_t begin)
    {
        if (kind == Kind::Dict && (m_stack.size() - begin) % 2 != 0) {
            fail(tr("a key has no value"));
            return;
        }
        const Value made = m_tree.newContainer(kind);
        m_tree.append(made, m_stack.data() + begin, m_stack.size() - begin);
        m_stack.resize(begin);
        m_stack.push_back(made);
    }

    /// Adds what lies from `begin` on to the container below it.
    void addTo(Kind kind, std::size_t begin)
    {
        const std::size_t least = m_marks.empty() ? 0 : m_marks.back();
        const std::size_t count = m_stack.size() - begin;
        if (begin <= least || m_stack[begin - 1].kind != kind || (kind == Kind::Dict && count % 2 != 0)) {
            fail(tr("values are added to what is no list or dictionary"));
            return;
        }
        m_tree.append(m_stack[begin - 1], m_stack.data() + begin, count);
        m_stack.resize(begin);
    }

    void remember(quint64 which)
    {
        if (!has(1))
            return;
        if (which >= mostMemos) {
            fail(tr("a reference is out of range"));
            return;
        }
        if (which >= m_memos.size())
            m_memos.resize(std::size_t(which) + 1, missing());
        m_memos[std::size_t(which)] = m_stack.back();
    }

    void recall(quint64 which)
    {
        if (which >= m_memos.size() || isMissing(m_memos[std::size_t(which)]))
            fail(tr("it refers to a value that is not there"));
        else
            m_stack.push_back(m_memos[std::size_t(which)]);
    }

    /// Returns None with a size: stands for a missing memo, or for a function of torch, which no reader has.
    static Value missing()
    {
        Value value;
        value.size = 1;
        return value;
    }
    static bool isMissing(const Value &value) { return value.kind == Kind::None && value.size == 1; }
    static bool isFunction(const Value &value) { return value.kind == Kind::None && value.size == 2; }

    void pushFunction(QByteArrayView module, QByteArrayView name)
    {
        const bool isKnown =
            module == QByteArrayView("torch.jit._pickle") &&
            (name == QByteArrayView("build_intlist") || name == QByteArrayView("build_doublelist") ||
             name == QByteArrayView("build_boollist"));
        if (!isKnown) {
            fail(tr("it wants to make an object of %1.%2, which is never done")
                     .arg(QString::fromUtf8(module.first(std::min<qsizetype>(module.size(), 80))),
                          QString::fromUtf8(name.first(std::min<qsizetype>(name.size(), 80)))));
            return;
        }
        Value function;
        function.size = 2;
        m_stack.push_back(function);
    }

    /// build_intlist([1, 2]) is [1, 2].
    void reduce()
    {
        if (!has(2))
            return;
        const Value arguments = m_stack.back();
        const auto items = m_tree.itemsOf(arguments);
        if (!isFunction(m_stack[m_stack.size() - 2]) || items.size != 1) {
            fail(tr("it wants to call a function, which is never done"));
            return;
        }
        const Value list = *items.first;
        m_stack.pop_back();
        m_stack.back() = list;
    }

    void take(quint8 opcode);
    void takeRarely(quint8 opcode);

    QByteArrayView m_bytes;
    qsizetype m_at = 0;
    bool m_isAtEnd = false;
    QString m_error;
    ValueTree m_tree;
    std::vector<Value> m_stack;
    std::vector<std::size_t> m_marks;
    std::vector<Value> m_memos;
};

void PickleReader::take(quint8 opcode)
{
    switch (opcode) {
    case '.':
        m_isAtEnd = true;
        break;
    case 'N':
        m_stack.push_back({});
        break;
    case 0x88:
    case 0x89:
        return push(Value::of(Kind::Bool, opcode == 0x88 ? 1 : 0));
    case 'J':
        return pushInt(qint32(number<4>()));
    case 'K':
        return pushInt(qint64(number<1>()));
    case 'M':
        return pushInt(qint64(number<2>()));
    case 0x8a:
        return pushLong(number<1>());
    case 'G': {
        double real = 0;
        const quint64 bits = qbswap(number<8>());
        std::memcpy(&real, &bits, sizeof bits);
        push(Value::of(real));
        break;
    }
    case 'X':
    case 'T':
    case 'B':
        return pushText(bytes(number<4>()));
    case 0x8c:
    case 'U':
    case 'C':
        return pushText(bytes(number<1>()));
    case '(':
        m_marks.push_back(m_stack.size());
        break;
    case ']':
    case ')':
        m_stack.push_back(m_tree.newContainer(Kind::List));
        break;
    case '}':
        m_stack.push_back(m_tree.newContainer(Kind::Dict));
        break;
    case 'e':
        return addTo(Kind::List, aboveMark());
    case 'u':
        return addTo(Kind::Dict, aboveMark());
    case 'a':
        if (has(2))
            addTo(Kind::List, m_stack.size() - 1);
        break;
    case 's':
        if (has(3))
            addTo(Kind::Dict, m_stack.size() - 2);
        break;
    case 't':
        return makeContainer(Kind::List, aboveMark());
    case 0x85:
    case 0x86:
    case 0x87:
        if (const std::size_t count = opcode - 0x84U; has(count))
            makeContainer(Kind::List, m_stack.size() - count);
        break;
    case 'q':
        return remember(number<1>());
    case 'h':
        return recall(number<1>());
    case 0x94:
        return remember(m_memos.size());
    default:
        takeRarely(opcode);
    }
}

void PickleReader::takeRarely(quint8 opcode)
{
    switch (opcode) {
    case 0x80:
        if (number<1>() > 5)
            fail(tr("its protocol is unknown"));
        break;
    case 0x95: // How long what follows is.
        (void)number<8>();
        break;
    case 0x8b:
        return pushLong(number<4>());
    case 0x8d:
    case 0x8e: {
        const quint64 length = number<8>();
        if (length > std::numeric_limits<quint32>::max())
            fail(tr("a text is too long"));
        else
            pushText(bytes(length));
        break;
    }
    case 'l':
        return makeContainer(Kind::List, aboveMark());
    case 'd':
        return makeContainer(Kind::Dict, aboveMark());
    case '0':
        if (has(1))
            m_stack.pop_back();
        break;
    case '1':
        m_stack.resize(aboveMark());
        break;
    case '2':
        if (has(1))
            m_stack.push_back(m_stack.back());
        break;
    case 'r':
        return remember(number<4>());
    case 'j':
        return recall(number<4>());
    case 'c': {
        const QByteArrayView module = line();
        const QByteArrayView name = line();
        if (m_error.isEmpty())
            pushFunction(module, name);
        break;
    }
    case 0x93:
        if (has(2)) {
            const std::string_view name = m_stack.back().view();
            const std::string_view module = m_stack[m_stack.size() - 2].view();
            m_stack.resize(m_stack.size() - 2);
            pushFunction(QByteArrayView(module.data(), qsizetype(module.size())),
                         QByteArrayView(name.data(), qsizetype(name.size())));
        }
        break;
    case 'R':
        return reduce();
    default:
        if (m_error.isEmpty())
            fail(tr("the opcode 0x%1 is none of those that make plain values").arg(opcode, 2, 16, '0'_L1));
    }
}

Result<ValueTree> readPickle(QByteArrayView bytes)
{
    return PickleReader(bytes).read();
}

/// Receives the values from a JSON parser.
class JsonValues : public nlohmann::json_sax<nlohmann::json>
{
    using Kind = ValueTree::Kind;
    using Value = ValueTree::Value;

public:
    bool null() override { return add({}); }
    bool boolean(bool value) override { return add(Value::of(Kind::Bool, value ? 1 : 0)); }
    bool number_integer(number_integer_t value) override { return add(Value::of(Kind::Int, value)); }
    bool number_unsigned(number_unsigned_t value) override { return number_integer(number_integer_t(value)); }
    bool number_float(number_float_t value, const string_t & /*text*/) override
    {
        return add(Value::of(value));
    }
    bool string(string_t &value) override
    {
        const std::string &text = tree.m_texts.emplace_back(std::move(value));
        return add(Value::of(text.data(), text.size()));
    }
    bool binary(binary_t & /*value*/) override { return false; }
    bool key(string_t &value) override { return string(value); }
    bool start_object(std::size_t /*size*/) override { return begin(); }
    bool end_object() override { return end(Kind::Dict); }
    bool start_array(std::size_t /*size*/) override { return begin(); }
    bool end_array() override { return end(Kind::List); }
    bool parse_error(std::size_t position, const std::string & /*token*/,
                     const nlohmann::json::exception & /*why*/) override
    {
        error = broken(tr("it is no JSON, at byte %1").arg(position));
        return false;
    }

    Result<ValueTree> result()
    {
        if (error)
            return *error;
        if (m_stack.size() != 1)
            return tooMuch();
        tree.m_root = m_stack.back();
        return std::move(tree);
    }

private:
    bool add(const Value &value)
    {
        m_stack.push_back(value);
        return m_stack.size() + tree.m_items.size() < mostValues;
    }
    bool begin()
    {
        m_begins.push_back(m_stack.size());
        return true;
    }
    bool end(Kind kind)
    {
        const std::size_t begin = m_begins.back();
        m_begins.pop_back();
        const Value made = tree.newContainer(kind);
        tree.append(made, m_stack.data() + begin, m_stack.size() - begin);
        m_stack.resize(begin);
        return add(made);
    }

    ValueTree tree;
    std::optional<Error> error;
    std::vector<Value> m_stack;
    std::vector<std::size_t> m_begins;
};

Result<ValueTree> readJsonValues(QByteArrayView bytes)
{
    JsonValues values;
    if (!nlohmann::json::sax_parse(bytes.begin(), bytes.end(), &values))
        return values.result() ? Result<ValueTree>(tooMuch()) : values.result();
    return values.result();
}

} // namespace rankdeck
