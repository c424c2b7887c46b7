"""The manual has the same pages in both languages, and the same commands in them."""
import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MANUAL = os.path.join(ROOT, "resources", "manual")


def pages(language):
    folder = os.path.join(MANUAL, language)
    return sorted(os.path.relpath(os.path.join(place, name), folder)
                  for place, _, names in os.walk(folder) for name in names if name.endswith(".md"))


def commands(path):
    """Returns the blocks marked sh with what tst_manual is told of them, without their comments."""
    with open(path, encoding="utf-8") as page:
        text = page.read()
    blocks = re.findall(r"(<!-- test: [^>]*-->)?\n+```sh\n(.*?)```", text, re.DOTALL)
    return [(told, re.sub(r"(^|\s+)#.*", "", block, flags=re.MULTILINE).strip()) for told, block in blocks]


def shape(path):
    """Returns how many headings, list entries, table rows and pieces of code a page has, and where its links lead."""
    with open(path, encoding="utf-8") as page:
        text = re.sub(r"```.*?```", "", page.read(), flags=re.DOTALL)
    parts = {name: len(re.findall(pattern, text, re.MULTILINE)) for name, pattern in
             (("headings", "^#+ "), ("entries", r"^\s*(-|\d+\.) "), ("rows", r"^\|"))}
    parts["links"] = sorted(link.split("#")[0] for link in re.findall(r"\]\(([^)]+\.md[^)]*)\)", text))
    return parts


class ChineseManualTest(unittest.TestCase):
    def test_each_page_is_there_in_both_languages(self):
        self.assertEqual(pages("en"), pages("zh_CN"))

    def test_commands_are_the_same(self):
        for page in pages("zh_CN"):
            with self.subTest(page=page):
                self.assertEqual(commands(os.path.join(MANUAL, "en", page)),
                                 commands(os.path.join(MANUAL, "zh_CN", page)))

    def test_pages_have_the_same_parts(self):
        for page in pages("zh_CN"):
            with self.subTest(page=page):
                self.assertEqual(shape(os.path.join(MANUAL, "en", page)), shape(os.path.join(MANUAL, "zh_CN", page)))

    def test_emphasis_ends_and_no_word_is_torn(self):
        """Markdown does not end **…** between punctuation and a letter, and shows the end of a line as a space."""
        for page in pages("zh_CN") + [os.path.join("..", "..", "..", "README.zh_CN.md")]:
            with open(os.path.join(MANUAL, "zh_CN", page), encoding="utf-8") as file:
                text = re.sub(r"```.*?```", "", file.read(), flags=re.DOTALL)
            with self.subTest(page=page):
                for emphasis in re.finditer(r"\*\*[^*\n]+\*\*", text):
                    after = text[emphasis.end():emphasis.end() + 1]
                    if re.match(r"[…）”]", emphasis.group()[-3]):
                        self.assertFalse(re.match(r"\w", after), emphasis.group() + after)
                self.assertIsNone(re.search(r"[\u4e00-\u9fff]\n[ ]*[\u4e00-\u9fff]", text))

    def test_the_readme_has_the_same_commands(self):
        self.assertEqual(commands(os.path.join(ROOT, "README.md")), commands(os.path.join(ROOT, "README.zh_CN.md")))


if __name__ == "__main__":
    unittest.main()
