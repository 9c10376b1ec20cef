// Keys for a list of rows that are links: the arrow keys, Home and End move the focus among them, and Enter opens one, as every link.

/** `selector` matches the rows. The arrow down leads from a search field of the list to its first row. */
export function addRowKeys(list, selector) {
    list.addEventListener("keydown", (event) => {
        // The keys of an input method choose among its proposals.
        if (event.isComposing) return;
        const rows = [...list.querySelectorAll(selector)];
        const index = rows.indexOf(event.target);
        const isSearch = event.target.type === "search" && event.key === "ArrowDown";
        if (event.ctrlKey || event.metaKey || event.altKey || (index < 0 && !isSearch)) return;
        const row = rows[{ ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key]];
        if (!row) return;
        event.preventDefault();
        row.focus();
    });
}
