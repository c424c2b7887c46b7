#include "ranktable/views/tabletext.h"

#include "logview/view/logview.h"

namespace rankdeck
{

TableText::TableText()
    : m_thread(u"rank table text"_s)
    , m_view(named(new LogView, "tableText"))
{
    m_view->showAsFile();
    m_view->setEmptyText(tr("The file is empty."));
    auto *layout = withoutMargins(new QVBoxLayout(this));
    layout->addWidget(m_view);
    setFocusProxy(m_view);
}

TableText::~TableText()
{
    m_view->setSource(nullptr);
}

void TableText::setFile(const QString &path)
{
    m_path = path;
    m_view->clearMark();
    openFile();
}

void TableText::reload()
{
    const qint64 top = m_view->topLine();
    openFile();
    if (!m_view->markedLine())
        m_view->setTopLine(top);
}

/// Uses a new follower each time: one expects that its file only grows.
void TableText::openFile()
{
    m_view->setSource(nullptr);
    m_follower.reset();
    if (m_path.isEmpty())
        return;
    m_follower.reset(new LogFollower(m_path));
    m_thread.adopt(m_follower.get());
    m_view->setSource(m_follower.get());
    QMetaObject::invokeMethod(m_follower.get(), &LogFollower::start);
    // The page watches the file for changes.
    QMetaObject::invokeMethod(m_follower.get(), &LogFollower::finish);
}

void TableText::markLine(int line, int column)
{
    if (line > 0)
        m_view->markLine(line - 1, std::max(0, column - 1));
    else
        m_view->clearMark();
}

} // namespace rankdeck
