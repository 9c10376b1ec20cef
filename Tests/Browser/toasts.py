"""Toasts. They disappear by themselves, so a busy machine may look for one too late: each is recorded when it is shown."""

RECORD_TOASTS = """
window.shownToasts = [];
new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.matches?.(".toast"));
    window.shownToasts.push(...added.map((toast) => ({ kinds: [...toast.classList], text: toast.textContent.replace(/[\\u2066-\\u2069]/g, "") })));
}).observe(document, { childList: true, subtree: true });
"""


def expect_toast(page, text="", kind="toast", exact=False):
    """Waits until a toast with a text was shown that no call has found before."""
    page.wait_for_function(
        """([text, kind, exact]) => {
            const index = window.shownToasts.findIndex(
                (toast) => toast.kinds.includes(kind) && (exact ? toast.text === text : toast.text.includes(text)));
            return index >= 0 && window.shownToasts.splice(0, index + 1).length > 0;
        }""", arg=[text, kind, exact])
