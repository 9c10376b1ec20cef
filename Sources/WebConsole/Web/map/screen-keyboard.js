// The keyboard of a kiosk, of which the screen may be all that visitors reach: letters or kana for a search field, which keeps the focus.

import { h, icon } from "../ui/element.js";
import { localization, localized } from "../localization/localization.js";

localization.add({
    en: {
        "keyboard.title": "Keyboard", "keyboard.latin": "Letters", "keyboard.kana": "Kana", "keyboard.space": "Space", "keyboard.backspace": "Backspace",
        "keyboard.enter": "Search", "keyboard.dakuten": "Dakuten", "keyboard.handakuten": "Handakuten", "keyboard.small": "Small kana",
    },
    ja: {
        "keyboard.title": "キーボード", "keyboard.latin": "英数字", "keyboard.kana": "かな", "keyboard.space": "空白", "keyboard.backspace": "1文字削除",
        "keyboard.enter": "検索", "keyboard.dakuten": "濁点", "keyboard.handakuten": "半濁点", "keyboard.small": "小さい文字",
    },
});

/** Rows of ten on a wide screen. A narrow one has fewer columns, in which letters are found by the alphabet. */
const latin = { wide: "1234567890qwertyuiopasdfghjkl-zxcvbnm'&.", narrow: "abcdefghijklmnopqrstuvwxyz1234567890-'&." };
/** By column, as in a table of kana; the keys that change the kana before them are between. */
const kana = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよ゛゜らりるれろわをんー小";
const [largeKana, smallKana] = ["あいうえおつやゆよわ", "ぁぃぅぇぉっゃゅょゎ"];
/** What changes the kana before the cursor, by the text of its key. */
const changes = {
    "゛": { label: "keyboard.dakuten", change: (letter) => withMark(letter, "\u3099") },
    "゜": { label: "keyboard.handakuten", change: (letter) => withMark(letter, "\u309a") },
    小: { label: "keyboard.small", change: withOtherSize },
};

/** A kana with a combining mark, or without if it has it already; unchanged if there is no such kana. */
function withMark(letter, mark) {
    const [base, ...marks] = letter.normalize("NFD");
    const marked = `${base}${mark}`.normalize("NFC");
    if (marked.length > 1) return letter;
    return marks.includes(mark) ? base : marked;
}

function withOtherSize(letter) {
    const [large, small] = [largeKana, smallKana].map((all) => all.indexOf(letter));
    return smallKana[large] ?? largeKana[small] ?? letter;
}

export class ScreenKeyboard {
    #field = null;
    #page = null;
    #isKana = false;
    /** Whether a pointer is pressed: what it is over must not move before the click. */
    #isPressed = false;
    #keys = h("div", { class: "screen-keyboard", role: "group", onmousedown: (event) => event.preventDefault() });
    #size = new ResizeObserver(() => this.#page?.style.setProperty("--keyboard", `${this.#keys.offsetHeight}px`));

    constructor(signal) {
        this.#size.observe(this.#keys);
        const onPointer = (isPressed) => {
            this.#isPressed = isPressed;
            if (!isPressed) this.#hideLater();
        };
        for (const [name, isPressed] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]]) {
            window.addEventListener(name, () => onPointer(isPressed), { capture: true, passive: true, signal });
        }
        window.addEventListener("focusout", () => this.#hideLater(), { signal });
        window.addEventListener("submit", () => this.hide(), { capture: true, signal });
        signal.addEventListener("abort", () => this.#size.disconnect(), { once: true });
    }

    /** Shows the keyboard for a field that has the focus, with the letters of the language of the page. */
    show(field) {
        if (this.#field === field) return;
        this.#field = field;
        this.#page = field.closest(".map-page");
        this.#isKana = localization.language === "ja";
        // The keyboard of the system would cover this one.
        field.inputMode = "none";
        this.#draw();
        this.#page.append(this.#keys);
        this.#page.classList.add("has-keyboard");
    }

    hide() {
        if (!this.#field) return;
        this.#field = null;
        this.#keys.remove();
        this.#page.classList.remove("has-keyboard");
    }

    /** After the click, which follows the release of a pointer in the same task. */
    #hideLater() {
        setTimeout(() => {
            if (this.#field && !this.#isPressed && document.activeElement !== this.#field) this.hide();
        });
    }

    #draw() {
        const letters = this.#isKana ? kana : latin[matchMedia("(min-width: 720px)").matches ? "wide" : "narrow"];
        this.#keys.setAttribute("aria-label", localized("keyboard.title"));
        this.#keys.replaceChildren(
            h("div", { class: `keyboard-letters ${this.#isKana ? "is-kana" : ""}`, lang: this.#isKana ? "ja" : undefined },
                [...letters].map((letter) => this.#letterKey(letter))),
            h("div", { class: "keyboard-actions" },
                key(this.#isKana ? "ABC" : "あいう", this.#isKana ? "keyboard.latin" : "keyboard.kana", "switch", () => {
                    this.#isKana = !this.#isKana;
                    this.#draw();
                }),
                key(localized("keyboard.space"), "keyboard.space", "space", () => this.#type(" ")),
                key(icon("backspace"), "keyboard.backspace", "backspace", () => this.#erase()),
                key(localized("keyboard.enter"), "keyboard.enter", "enter", () => this.#field.form.requestSubmit())));
    }

    #letterKey(letter) {
        const { label, change } = changes[letter] ?? {};
        return change ? key(letter, label, letter, () => this.#changeLast(change)) : key(letter, null, letter, () => this.#type(letter));
    }

    #type(text) {
        this.#replace(this.#field.selectionStart, text);
    }

    #erase() {
        if (this.#field.selectionStart < this.#field.selectionEnd) this.#type("");
        else this.#changeLast(() => "");
    }

    /** Changes the letter before the cursor. */
    #changeLast(change) {
        const last = [...this.#field.value.slice(0, this.#field.selectionStart)].at(-1);
        if (last) this.#replace(this.#field.selectionStart - last.length, change(last));
    }

    /** Replaces what is between a position and the end of the selection, as typing does. */
    #replace(start, text) {
        this.#field.setRangeText(text, start, this.#field.selectionEnd);
        this.#field.setSelectionRange(start + text.length, start + text.length);
        this.#field.dispatchEvent(new Event("input", { bubbles: true }));
    }
}

/** A key. It is no stop of the Tab key: whoever presses that has another keyboard. */
const key = (content, label, name, act) => h("button", {
    type: "button", class: "keyboard-key", tabindex: "-1", "data-key": name, "aria-label": label && localized(label), onclick: act,
}, content);
