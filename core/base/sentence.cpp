#include "base/sentence.h"

#include "base/widespaces.h"

namespace rankdeck
{

Sentence Sentence::tr(const char *text, const char *disambiguation, int n)
{
    Sentence sentence;
    sentence.m_source = QByteArray::fromRawData(text, static_cast<qsizetype>(qstrlen(text)));
    sentence.m_comment =
        QByteArray::fromRawData(disambiguation, static_cast<qsizetype>(qstrlen(disambiguation)));
    sentence.m_number = n;
    return sentence;
}

Sentence Sentence::joined(const QList<Sentence> &parts, const Sentence &separator)
{
    if (parts.size() < 2)
        return parts.value(0);
    Sentence list;
    list.m_arguments = parts;
    list.m_arguments.prepend(separator);
    return list;
}

bool Sentence::operator==(const Sentence &other) const
{
    return m_plain == other.m_plain && m_source == other.m_source && m_comment == other.m_comment &&
           m_number == other.m_number && m_arguments == other.m_arguments;
}

QString Sentence::made(bool isEnglish) const
{
    if (isPlain())
        return m_plain;
    QStringList arguments = listOf(m_arguments, [&](const Sentence &each) { return each.made(isEnglish); });
    if (m_source.isNull()) {
        const QString separator = arguments.takeFirst();
        return separator == " "_L1 && !isEnglish ? joinedBySpaces(arguments) : arguments.join(separator);
    }
    QString text;
    if (isEnglish) {
        text = QString::fromUtf8(m_number == 1 && !m_comment.isEmpty() ? m_comment : m_source);
        if (m_number >= 0)
            text.replace("%n"_L1, QString::number(m_number));
    } else {
        text = rankdeck::tr(m_source.constData(), m_comment.isNull() ? nullptr : m_comment.constData(),
                            m_number);
    }
    QString made;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const int place = text.at(at) == u'%' && at + 1 < text.size() ? text.at(at + 1).digitValue() : -1;
        if (place < 1 || place > arguments.size()) {
            made += text.at(at);
        } else {
            made += arguments.at(place - 1);
            ++at;
        }
    }
    return made;
}

QString Sentence::id() const
{
    QByteArray id = m_source;
    if (!m_comment.isNull() || m_number >= 0)
        id += '\t' + m_comment;
    if (m_number >= 0)
        id += '\t' + QByteArray::number(m_number);
    return QString::fromUtf8(id);
}

void Sentence::setId(const QString &id)
{
    const QByteArrayList parts = id.toUtf8().split('\t');
    if (id.isEmpty())
        return;
    m_source = parts.first();
    m_comment = parts.value(1);
    bool isNumber = false;
    m_number = parts.value(2).toInt(&isNumber);
    if (!isNumber)
        m_number = -1;
}

Sentence joinedBySpaces(const QList<Sentence> &sentences)
{
    return Sentence::joined(sentences, Sentence(u" "_s));
}

QStringList textsOf(const QList<Sentence> &sentences)
{
    return QStringList(sentences.cbegin(), sentences.cend());
}

} // namespace rankdeck
