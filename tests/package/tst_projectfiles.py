"""Licences, icons and versions: what a packager reads agrees with itself."""
import re
import shutil
import struct
import subprocess
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
DESKTOP = TOP / "resources" / "desktop"


def reuse_is_new() -> bool:
    """REUSE.toml is known to the tool since version 4."""
    tool = shutil.which("reuse")
    said = subprocess.run([tool, "--version"], stdout=subprocess.PIPE, encoding="utf-8").stdout if tool else ""
    version = re.search(r"\d+", said)
    return bool(version) and int(version.group()) >= 4


class ProjectFilesTest(unittest.TestCase):
    def test_everyNamedLicenceIsThereAndNoOther(self):
        named = set(re.findall(r'^SPDX-License-Identifier = "(.+)"$', (TOP / "REUSE.toml").read_text(), re.MULTILINE))
        self.assertEqual({path.stem for path in (TOP / "LICENSES").iterdir()}, named)
        self.assertIn("Apache License", (TOP / "LICENSE").read_text())

    def test_everyPathWithALicenceOfItsOwnIsThere(self):
        for pattern in re.findall(r'^path = "(.+)"$', (TOP / "REUSE.toml").read_text(), re.MULTILINE):
            self.assertTrue(any(TOP.glob(pattern)), pattern)

    @unittest.skipUnless(reuse_is_new(), "reuse >= 4 is not installed")
    def test_reuseLintSkippedWithoutReuse4(self):
        done = subprocess.run(["reuse", "--root", str(TOP), "lint"], stdout=subprocess.PIPE, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_iconsHaveTheSizesOfTheirNames(self):
        icons = sorted(DESKTOP.glob("rankdeck-*.png"))
        self.assertEqual(len(icons), 7)
        for icon in icons:
            header = icon.read_bytes()[:24]
            self.assertEqual(header[:8], b"\x89PNG\r\n\x1a\n", icon)
            size = int(icon.stem.split("-")[1])
            self.assertEqual(struct.unpack(">II", header[16:]), (size, size), icon)

    def test_theVersionIsTheSameEverywhere(self):
        version = re.search(r"project\(Rankdeck VERSION (\S+)", (TOP / "CMakeLists.txt").read_text()).group(1)
        self.assertIn('<release version="{}"'.format(version), (DESKTOP / "rankdeck.metainfo.xml").read_text())
        self.assertIn("\n## {}".format(version), (TOP / "CHANGELOG.md").read_text())


if __name__ == "__main__":
    unittest.main()
