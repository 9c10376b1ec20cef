"""Adds the files of the repository that pages link to, and removes comments that only tests read."""
import os, pathlib, re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"


def outside(page, target):
    """The target of a link, if it is a file of the repository outside of docs; otherwise None."""
    if re.match(r"[a-z]+:|#|/", target):
        return None
    path = (DOCS / pathlib.PurePosixPath(page.file.src_uri).parent / target.partition("#")[0]).resolve()
    return path if not path.is_relative_to(DOCS) and path.is_relative_to(ROOT) else None


def on_page_markdown(markdown, page, config, files):
    """Copies linked files from outside of docs to `source` in the site; links to folders become plain names."""
    markdown = re.sub(r"<!--.*?-->\n?", "", markdown, flags=re.S)
    up = "../" * page.file.src_uri.count("/")

    def link(match):
        path = outside(page, match[2])
        if not path:
            return match[0]
        if path.is_dir():
            return f"`{path.relative_to(ROOT)}`"
        # With this suffix browsers show every file as text.
        image = path.suffix in (".png", ".svg")
        name = f"source/{path.relative_to(ROOT)}" + ("" if image else ".txt")
        if not files.get_file_from_path(name):
            files.append(File.generated(config, name, content=path.read_bytes()))
        return f"[{match[1]}]({up}{name})"

    markdown = re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", link, markdown)
    return reference(markdown) if page.file.src_uri == "apps/swift.md" and os.environ.get("SITE_REFERENCE") else markdown


def reference(markdown):
    """Links the library products in tables to the reference that DocC builds; these are the targets with a DocC catalog."""
    def link(match):
        name = match[1]
        if not (ROOT / "Sources" / name / f"{name}.docc").is_dir():
            return match[0]
        return f'| <a href="../reference/{name}/documentation/{name.lower()}/index.html"><code>{name}</code></a> |'

    return re.sub(r"^\| `(\w+)` \|", link, markdown, flags=re.M)
