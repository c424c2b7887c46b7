"""The Chinese translation is whole, keeps what must stay, and says each term of the glossary in one way."""
import os
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ET

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "resources", "translations")
TS = os.path.join(FOLDER, "rankdeck_zh_CN.ts")


def messages(path):
    """Yields (context, source, comment, translation or None if it is not finished)."""
    for context in ET.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            form = translation.find("numerusform")
            text = form.text if form is not None else translation.text
            yield (context.findtext("name"), message.findtext("source"), message.findtext("comment") or "",
                   None if translation.get("type") else text)


def placeholders(text):
    return sorted(re.findall(r"%L?\d+|%n", text))


def glossary():
    """Returns [(English, [Chinese], [words not to use])]."""
    terms = []
    with open(os.path.join(FOLDER, "glossary.md"), encoding="utf-8") as page:
        for line in page:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if line.startswith("|") and len(cells) == 4 and cells[0] not in ("English", "---"):
                terms.append((cells[0], cells[1].split("、"), [word for word in cells[2].split("、") if word]))
    return terms


class ChineseTest(unittest.TestCase):
    def test_nothing_is_missing_or_unfinished(self):
        with tempfile.TemporaryDirectory() as folder:
            fresh = os.path.join(folder, "fresh.ts")
            subprocess.run([os.environ["LUPDATE"], "-silent", "-locations", "none", "-source-language", "en",
                            "-target-language", "zh_CN", "app", "core", "ui", "-ts", fresh], cwd=ROOT, check=True)
            wanted = {message[:3] for message in messages(fresh)}
        found = {message[:3] for message in messages(TS)}
        advice = "; build the target update_translations, and translate"
        self.assertFalse(sorted(wanted - found)[:20], "not in the .ts" + advice)
        self.assertFalse(sorted(found - wanted)[:20], "no longer in the sources" + advice)
        self.assertFalse([m[1] for m in messages(TS) if not m[3]][:20], "not translated")

    def test_placeholders_stay(self):
        for _, source, _, text in messages(TS):
            if text:
                self.assertEqual(placeholders(source), placeholders(text), (source, text))
                self.assertEqual(source.count("\n"), text.count("\n"), (source, text))

    def test_options_and_variables_stay(self):
        for _, source, _, text in messages(TS):
            for kind in (r"(?<![\w-])--[a-z][\w-]*", r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"):
                self.assertEqual(set(re.findall(kind, source)), set(re.findall(kind, text or source)), source)

    def test_mnemonics_stay(self):
        for _, source, _, text in messages(TS):
            if text:
                count = len(re.findall(r"&\w", source.replace("&&", "")))
                self.assertEqual(len(re.findall(r"\(&[A-Z0-9]\)", text)), count, (source, text))
                self.assertEqual(text.replace("&&", "").count("&"), count, (source, text))

    def test_punctuation_is_chinese(self):
        wrong = re.compile(r"[\u4e00-\u9fff][,;!?]|[,;!?][\u4e00-\u9fff]|[\u4e00-\u9fff][.](\s|$)|[\u4e00-\u9fff]:")
        for _, source, _, text in messages(TS):
            self.assertIsNone(wrong.search(text or ""), (source, text))

    def test_the_glossary_is_long_and_names_each_term_once(self):
        terms = [term for term, _, _ in glossary()]
        self.assertGreaterEqual(len(terms), 80)
        self.assertEqual(sorted(terms), sorted(set(terms)))

    def test_a_term_is_translated_in_one_way(self):
        wrong = []
        for term, chinese, forbidden in glossary():
            word = re.compile(r"\b%ss?\b" % re.escape(term), re.IGNORECASE)
            for _, source, _, text in messages(TS):
                if not text or not word.search(source):
                    continue
                for bad in forbidden:
                    if bad in text and not any(bad in good for good in chinese):
                        wrong.append("%s: %s in %r -> %r" % (term, bad, source, text))
        self.assertFalse(wrong, "\n".join(wrong[:40]))

    def test_a_term_alone_is_the_word_of_the_glossary(self):
        words = {term.lower(): chinese for term, chinese, _ in glossary()}
        wrong = []
        for _, source, _, text in messages(TS):
            alone = re.sub(r"[&:…]", "", source).strip().lower()
            chinese = words.get(alone) or words.get(re.sub(r"s$", "", alone))
            shown = re.sub(r"\(&.\)|[：…]", "", text or "").strip().lower()
            if chinese and text and text != source and shown not in [word.lower() for word in chinese]:
                wrong.append("%r -> %r, not %s" % (source, text, "、".join(chinese)))
        self.assertFalse(wrong, "\n".join(wrong))

    def test_qt_words_are_finished(self):
        for _, source, _, text in messages(os.path.join(FOLDER, "qtbase_zh_CN.ts")):
            self.assertTrue(text, source)
            self.assertEqual(placeholders(source), placeholders(text), source)


class LanguageTest(unittest.TestCase):
    """Which language the programs speak."""

    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.addCleanup(self.home.cleanup)
        self.ctl = os.environ["RANKDECKCTL"]
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.home.name, "XDG_RUNTIME_DIR": self.home.name,
                            "XDG_CONFIG_HOME": self.home.name, "XDG_STATE_HOME": self.home.name,
                            "ASAN_OPTIONS": "detect_leaks=0", "QT_QPA_PLATFORM": "offscreen"}
        os.chmod(self.home.name, 0o700)

    def said(self, *words, **variables):
        ended = subprocess.run([self.ctl, *words], env=dict(self.environment, **variables), text=True,
                               encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return ended.stdout

    def test_the_locale_chooses(self):
        self.assertIn("Usage:", self.said("--help", LC_ALL="C.UTF-8"))
        self.assertIn("用法：", self.said("--help", LANG="zh_CN.UTF-8"))
        self.assertIn("未知的命令“nonsense”。", self.said("nonsense", LC_MESSAGES="zh_CN"))

    def test_the_option_chooses(self):
        self.assertIn("用法：", self.said("--lang", "zh", "--help", LC_ALL="C.UTF-8"))
        self.assertIn("用法：", self.said("--lang=zh_CN", "--help", LC_ALL="C.UTF-8"))
        self.assertIn("Usage:", self.said("--lang", "en", "--help", LANG="zh_CN.UTF-8"))
        self.assertIn("用法：", self.said("--lang", "auto", "--help", LANG="zh_CN.UTF-8"))
        self.assertIn("--lang", self.said("--lang", "xx", "--help"))

    def test_json_is_english(self):
        self.assertNotRegex(self.said("report", "--json", "nothing-of-this-name", LANG="zh_CN.UTF-8"), "[\u4e00-\u9fff]")

    def test_lines_of_help_fit_a_terminal(self):
        for line in self.said("logs", "--help", LANG="zh_CN.UTF-8", LC_CTYPE="C.UTF-8").splitlines():
            self.assertLessEqual(sum(2 if ord(letter) >= 0x2e80 else 1 for letter in line), 80, line)

    def test_without_a_chinese_font_the_window_says_so(self):
        fonts = os.path.join(self.home.name, "fonts.conf")
        with open(fonts, "w", encoding="utf-8") as config:
            config.write("<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir>"
                         "<cachedir>%s</cachedir></fontconfig>" % self.home.name)
        window = subprocess.Popen([os.path.join(os.path.dirname(self.ctl), "rankdeck"), "--lang", "zh"],
                                  env=dict(self.environment, FONTCONFIG_FILE=fonts, LC_ALL="C.UTF-8"),
                                  stderr=subprocess.PIPE, text=True, encoding="utf-8")
        try:
            self.assertIn("no font with Chinese characters", next(iter(window.stderr)))
        finally:
            window.kill()
            window.wait()
            window.stderr.close()


if __name__ == "__main__":
    unittest.main()
