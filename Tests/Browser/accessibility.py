"""Checks the accessibility of a page with axe-core."""
import importlib.resources

AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def findings(page):
    """The findings as lines: rule, element, explanation. axe-core sets inline styles, so the page has to bypass its policy."""
    page.evaluate(AXE)
    result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert len(result["passes"]) > 5, "axe has checked the page"
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}" for each in result["violations"] for node in each["nodes"]]
