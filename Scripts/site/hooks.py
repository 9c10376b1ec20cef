"""What the site needs besides the pages: files of the repository that they link to, and nothing that only tests read."""
import os, pathlib, re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"


def outside(page, target):
    """The file of the repository that a link of a page leads to, when it is not below docs."""
    if re.match(r"[a-z]+:|#|/", target):
        return None
    path = (DOCS / pathlib.PurePosixPath(page.file.src_uri).parent / target.partition("#")[0]).resolve()
    return path if not path.is_relative_to(DOCS) and path.is_relative_to(ROOT) else None


def on_page_markdown(markdown, page, config, files):
    """Files outside become files of the site, under `source`; folders are named and not linked."""
    markdown = re.sub(r"<!--.*?-->\n?", "", markdown, flags=re.S)
    up = "../" * page.file.src_uri.count("/")

    def link(match):
        path = outside(page, match[2])
        if not path:
            return match[0]
        if path.is_dir():
            return f"`{path.relative_to(ROOT)}`"
        # Browsers show text under this name, whatever it is.
        image = path.suffix in (".png", ".svg")
        name = f"source/{path.relative_to(ROOT)}" + ("" if image else ".txt")
        if not files.get_file_from_path(name):
            files.append(File.generated(config, name, content=path.read_bytes()))
        return f"[{match[1]}]({up}{name})"

    markdown = re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", link, markdown)
    return reference(markdown) if page.file.src_uri == "apps/swift.md" and os.environ.get("SITE_REFERENCE") else markdown


def reference(markdown):
    """The names of the libraries, in the table of them, lead to what DocC builds beside the pages."""
    return re.sub(
        r"^\| `(\w+)` \|",
        lambda m: f'| <a href="../reference/{m[1]}/documentation/{m[1].lower()}/index.html"><code>{m[1]}</code></a> |',
        markdown, flags=re.M)
