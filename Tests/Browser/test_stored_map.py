"""What the browser has stored of a map, if somebody has changed it there."""
import re

from playwright.sync_api import expect


# Renames a place in what the browser has stored of a map: `[venue, name, other]`. Returns how many levels contain it.
FORGE = """async ([venue, name, other]) => {
    const { name: database } = (await indexedDB.databases()).find(({ name }) => name.endsWith(`/${venue}`));
    const done = (request) => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    const connection = await done(indexedDB.open(database));
    const levels = connection.transaction("levels", "readwrite").objectStore("levels");
    let forged = 0;
    for (const key of await done(levels.getAllKeys())) {
        const text = new TextDecoder().decode(await done(levels.get(key)));
        if (!text.includes(name)) continue;
        await done(levels.put(new TextEncoder().encode(text.replaceAll(name, other)), key));
        forged += 1;
    }
    connection.close();
    return forged;
}"""


def test_stored_map_that_was_changed_is_not_shown(windows, service, mall):
    page = windows.map(mall)
    name = page.locator(".place-name").first.inner_text()
    assert page.evaluate(FORGE, [mall, name, "Forged"]) == 1
    # Without the server, nothing else is there.
    page.route(re.compile(r"/(venues|sync|events)\b"), lambda route: route.abort())
    page.goto(f"{service.address}/cartography.json")
    page.goto(f"{service.address}/#/{mall}")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    assert "Forged" not in page.locator("body").inner_text()
    # With it, the map is loaded again.
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".place-name").first).to_have_text(name)
    assert "Forged" not in page.locator("body").inner_text()
