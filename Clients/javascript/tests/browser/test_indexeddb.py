"""The store in IndexedDB, in Chromium."""

FIRST = """async (name) => {
    await open(name, [await pageOf(null, 1, "one", [body("a1", "カフェ"), body("a2", "寿司")])]);
    return [await sync(), held()];
}"""
HELD = [1, ["カフェ", "寿司"]]


def test_replica_is_read_without_a_network_after_the_browser_was_closed(open_page):
    page = open_page()
    assert page.evaluate(FIRST, "mall") == [None, HELD]
    page.close()
    page = open_page()
    assert page.evaluate("async () => { await open('mall'); return [held(), requests]; }") == [HELD, []]
    assert page.evaluate("""async () => {
        await open("mall", [await pageOf(1, 2, "two", [body("a2", "ラーメン")], [body("a1", "カフェ"), body("a2", "ラーメン")])]);
        return [await sync(), held(), requests, changes];
    }""") == [None, [2, ["カフェ", "ラーメン"]], ["one"], [[1, 2, 0, 1]]]


def test_failed_synchronization_leaves_the_store_unchanged(open_page):
    page = open_page()
    page.evaluate(FIRST, "mall")
    responses = ["pageOf(1, 2, 'two', [body('a2', 'x')], [])", "'<html>'", "pageOf(7, 8, 'two', [])"]
    for response in responses:
        kind = page.evaluate(f"async () => {{ await open('mall', [await {response}, await {response}]); return sync(); }}")
        assert kind in ("wrongDigest", "malformed", "contradiction"), response
        assert page.evaluate("held()") == HELD
        assert page.evaluate("async () => { await open('mall'); return held(); }") == HELD


def test_two_tabs_share_a_store_and_the_second_continues_from_the_first(open_page):
    one, other = open_page(), open_page()
    one.evaluate(FIRST, "mall")
    second = "pageOf(1, 2, 'two', [body('a3', 'パン')], [body('a1', 'カフェ'), body('a2', '寿司'), body('a3', 'パン')])"
    other.evaluate(f"async () => open('mall', [await {second}, await pageOf(2, 3, 'three', [], [body('a1', 'カフェ'), body('a2', '寿司'), body('a3', 'パン')])])")
    assert one.evaluate(f"async () => {{ await open('mall', [await {second}]); return sync(); }}") is None
    assert other.evaluate("async () => [await sync(), held(), requests, changes]") == [
        None, [3, ["カフェ", "寿司", "パン"]], ["one", "two"], [[1, 2, 1, 0], [2, 3, 0, 0]]]
    assert one.evaluate("async () => { await open('mall'); return held()[0]; }") == 3


def test_tab_that_is_closed_during_commits_leaves_a_complete_state(open_page):
    page = open_page()
    page.evaluate(FIRST, "mall")
    for _ in range(5):
        # Commits without end; the page is closed at an arbitrary moment.
        page.evaluate("""async () => {
            const next = async () => {
                const revision = replica.state.revision ?? 0;
                const bodies = [body("a1", `${revision + 1}`), body("a2", `${revision + 1}`)];
                return pageOf(revision || null, revision + 1, `c${revision + 1}`, bodies);
            };
            await open("mall", Array(100_000).fill(next));
            await sync();
            (async () => { for (;;) await replica.sync(); })();
        }""")
        page.close()
        page = open_page()
        revision, names = page.evaluate("async () => { await open('mall'); return held(); }")
        assert names == [f"{revision}", f"{revision}"]
        assert page.evaluate("replica.damagedLevels") == []


# The browser aborts a transaction in this way when the quota of the origin is used up.
FILL_STORAGE = """() => {
    window.put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...values) {
        Object.defineProperty(this.transaction, "error", { value: new DOMException("full", "QuotaExceededError") });
        const request = put.apply(this, values);
        this.transaction.abort();
        return request;
    };
}"""


def test_full_storage_is_an_error_and_the_stored_replica_stays(open_page):
    page = open_page()
    page.evaluate(FIRST, "mall")
    page.evaluate("async () => open('mall', [await pageOf(1, 2, 'two', [body('a2', 'x')], [body('a1', 'カフェ'), body('a2', 'x')])])")
    page.evaluate(FILL_STORAGE)
    assert page.evaluate("sync()") == "diskFull"
    page.evaluate("() => { IDBObjectStore.prototype.put = put; }")
    assert page.evaluate("held()") == HELD
    assert page.evaluate("async () => { await open('mall'); return held(); }") == HELD


def test_deleted_database_is_written_again(open_page):
    page = open_page()
    page.evaluate(FIRST, "mall")
    assert page.evaluate("""async () => {
        const next = await pageOf(1, 2, "two", [body("a2", "x")], [body("a1", "カフェ"), body("a2", "x")]);
        await open("mall", [next, next]);
        await new Promise((resolve, reject) => Object.assign(indexedDB.deleteDatabase("mall"), { onsuccess: resolve, onerror: reject }));
        return [await sync(), held()];
    }""") == [None, [2, ["カフェ", "x"]]]
    assert page.evaluate("async () => { await open('mall'); return held(); }") == [2, ["カフェ", "x"]]


def test_digests_are_verified_without_a_secure_context(context, address, open_page):
    page = context.new_page()
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page.goto(f"{address}/tests/browser/page.html")
    page.wait_for_function("window.isReady")
    assert page.evaluate(FIRST, "insecure") == [None, HELD]
    assert open_page().evaluate("async () => { await open('insecure'); return [held(), replica.damagedLevels]; }") == [HELD, []]
