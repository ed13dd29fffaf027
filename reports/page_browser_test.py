#!/usr/bin/python3
"""Opens the page from a file in a real browser without a network: no errors, charts drawn, usable from the keyboard."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.environ["TEST_SRCDIR"], os.environ["TEST_WORKSPACE"])
sys.path.insert(0, os.path.join(ROOT, "reports/testing"))
import synthetic_results  # noqa: E402  (found by the line above)

from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.options import Options  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

EVIL = "</script><script>window.owned=1</script><img src=x onerror=window.owned=2>"


def open_browser():
    options = Options()
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--disable-dev-shm-usage", "--window-size=1280,1000",
                     "--user-data-dir=" + tempfile.mkdtemp(dir=os.environ["TEST_TMPDIR"])]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_page_load_timeout(60)
    # Offline for good: whatever the page might want to load, it cannot.
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions",
                            {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
    return browser


class PageBrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(dir=os.environ["TEST_TMPDIR"])

        def edit(record):
            if record["variant_name"] == "interning=khash":
                record["variant_name"] = EVIL
            record["machine"]["cpu"] = EVIL
            return record

        synthetic_results.make(cls.folder, failures=True, edit=edit)
        os.remove(os.path.join(cls.folder, "run.json"))
        subprocess.run([os.path.join(ROOT, "reports/compare"), cls.folder], stdout=subprocess.DEVNULL, check=False)
        cls.page = "file://" + os.path.join(cls.folder, "report/index.html")
        cls.browser = open_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def setUp(self):
        self.scheme("light")
        self.browser.get_log("browser")
        self.browser.get_log("performance")
        self.browser.get(self.page)

    def scheme(self, name):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                     {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def script(self, code, *arguments):
        return self.browser.execute_script(code, *arguments)

    def wait_for(self, code):
        return WebDriverWait(self.browser, 30, poll_frequency=0.05).until(lambda _: self.script("return " + code))

    def draw_all(self):
        for chart in self.browser.find_elements(By.CSS_SELECTOR, ".chart"):
            self.script("arguments[0].scrollIntoView({behavior: 'instant'})", chart)
            WebDriverWait(self.browser, 30, poll_frequency=0.05).until(lambda _, c=chart: c.find_elements(By.CSS_SELECTOR, "svg path"))

    def assert_no_errors(self):
        errors = [entry for entry in self.browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(errors, [])

    def test_draws_every_chart_without_an_error(self):
        self.draw_all()
        charts = self.browser.find_elements(By.CSS_SELECTOR, ".chart")
        self.assertEqual(len(charts), len(synthetic_results.CELLS))
        for chart in charts:
            # A curve is a path with many points; axes and grid lines have few.
            longest = self.script(
                "return Math.max(...[...arguments[0].querySelectorAll('path')].map(p => (p.getAttribute('d') || '').length))",
                chart)
            self.assertGreater(longest, 1000)
        self.assert_no_errors()

    def test_runs_no_script_from_results_and_loads_nothing(self):
        self.draw_all()
        self.assertIsNone(self.script("return window.owned === undefined ? null : window.owned"))
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, "main img"), [])
        requests = set()
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                requests.add(message["params"]["request"]["url"].split(":")[0])
        self.assertLessEqual(requests, {"file", "data", "blob"})
        self.assert_no_errors()

    def test_says_everything_without_scripts(self):
        html = self.script("return document.querySelector('main').textContent")
        self.assertIn("ended by signal 11 (SIGSEGV)", html)
        with open(self.page[len("file://"):], encoding="utf-8") as file:
            source = file.read()
        bare = re.sub(r"<script>.*?</script>", "", source, flags=re.S)
        with open(os.path.join(self.folder, "bare.html"), "w", encoding="utf-8") as file:
            file.write(bare)
        self.browser.get("file://" + os.path.join(self.folder, "bare.html"))
        panels = self.browser.find_elements(By.CSS_SELECTOR, "#map .panel")
        self.assertEqual(len(panels), 3)
        self.assertTrue(all(panel.is_displayed() for panel in panels))

    def test_the_map_is_a_set_of_tabs_for_the_keyboard(self):
        tabs = self.browser.find_elements(By.CSS_SELECTOR, "[role=tab]")
        self.assertEqual([tab.text for tab in tabs], ["peak bytes", "malloc calls", "CPU time"])
        shown = lambda: [p.is_displayed() for p in self.browser.find_elements(By.CSS_SELECTOR, "#map .panel")]
        self.assertEqual(shown(), [True, False, False])
        tabs[0].send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(shown(), [False, True, False])
        self.browser.switch_to.active_element.send_keys(Keys.END)
        self.assertEqual(shown(), [False, False, True])
        self.browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(shown(), [True, False, False])
        self.assertEqual(tabs[0].get_attribute("aria-selected"), "true")

    def test_tabbing_reaches_everything_in_order(self):
        self.script("document.activeElement.blur(); window.scrollTo(0, 0)")
        body = self.browser.find_element(By.TAG_NAME, "body")
        body.send_keys(Keys.TAB)
        self.assertEqual(self.browser.switch_to.active_element.text, "Skip to the verdict")
        reached = []
        for _ in range(300):
            self.browser.switch_to.active_element.send_keys(Keys.TAB)
            reached.append(self.script(
                "const e = document.activeElement; return e.dataset.variant ? 'legend' : e.getAttribute('role') || e.tagName"))
            if reached[-1] == "legend":
                break
        self.assertIn("A", reached)
        self.assertIn("tab", reached)
        self.assertIn("region", reached)  # tables that scroll can be scrolled
        self.assertEqual(reached[-1], "legend")
        outline = self.script("return getComputedStyle(document.activeElement).outlineStyle")
        self.assertNotEqual(outline, "none")

    def test_the_legend_switches_a_variant_off_and_on(self):
        self.draw_all()
        # feature_keys=shared has a curve of its own in the first cell.
        button = self.browser.find_element(By.XPATH, "//button[contains(., 'feature_keys=shared')]")
        curves = lambda: self.script(
            "return echarts.getInstanceByDom(document.querySelector('.chart')).getOption().series.length")
        before = curves()
        button.send_keys(Keys.ENTER)
        self.assertEqual(button.get_attribute("aria-pressed"), "false")
        self.assertEqual(curves(), before - 1)
        self.browser.find_element(By.XPATH, "//button[text()='show all']").send_keys(Keys.SPACE)
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        self.assertEqual(curves(), before)
        self.assert_no_errors()

    def test_dark_and_light_are_readable(self):
        for scheme in ["light", "dark"]:
            self.scheme(scheme)
            self.draw_all()
            contrasts = self.script("""
                const luminance = (text) => {
                  const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
                    .map((v) => (v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4));
                  return .2126 * r + .7152 * g + .0722 * b;
                };
                const paper = luminance(getComputedStyle(document.body).backgroundColor);
                return ['body', '.note', 'nav a', '.better', '.worse', 'thead th', 'summary'].map((selector) => {
                  const ink = luminance(getComputedStyle(document.querySelector(selector)).color);
                  return [selector, (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05)];
                });""")
            for selector, contrast in contrasts:
                self.assertGreaterEqual(contrast, 4.5, f"{selector} in {scheme}")
        self.assert_no_errors()

    def test_prints_with_all_maps_and_charts(self):
        pdf = self.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]
        self.assertGreater(len(pdf), 50_000)
        drawn = self.wait_for("[...document.querySelectorAll('.chart')].every((c) => c.querySelector('svg path'))")
        self.assertTrue(drawn)
        self.assert_no_errors()

    def test_narrow_screens_do_not_scroll_sideways(self):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        try:
            self.browser.get(self.page)
            self.draw_all()
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390)
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


if __name__ == "__main__":
    unittest.main()
