// A progress bar with a text. If `total` is 0 the progress is indeterminate.

import { h } from "./element.js";

export function progressBar(label) {
    const bar = h("progress", { max: 1, "aria-label": label });
    const text = h("span", { class: "progress-text" }, label);
    const element = h("div", { class: "progress" }, text, bar);
    return {
        element,
        set(done, total, description = label) {
            text.textContent = description;
            if (total > 0) bar.value = Math.min(1, done / total);
            else bar.removeAttribute("value");
        },
    };
}
