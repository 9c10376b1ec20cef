// The setting `appearance`: colours, hidden categories, the logo and the accent.

import { accentColours, accentContrast } from "../../map/accent.js";
import { colourList, isCategory } from "./colour-list.js";
import { colourSetting } from "./colour-setting.js";
import { h } from "../../ui/element.js";
import { labelled, verbatim } from "../fields.js";
import { lines } from "./settings-values.js";
import { logoPreview } from "./logo-preview.js";
import { objectSetting, texts, withMessage } from "./setting-element.js";
import { requestJSON } from "../../api.js";
import { webAddress } from "./web-address.js";
import { localized } from "../../localization/localization.js";

export function appearanceSetting(desk) {
    const colours = colourList();
    // Without the palette, nothing is said about contrast.
    requestJSON("/cartography.json", { signal: desk.signal }).then(({ palette }) => colours.usePalette(palette), () => {});
    const preview = logoPreview(desk);
    const logo = h("input", {
        id: "set-logo", maxlength: 2_000, placeholder: "https://www.example.com/logo.svg", onchange: () => preview.show(logo.value.trim()), ...verbatim,
    });
    const logoPart = { ...withMessage(logo, labelled(logo, ...texts("logo"))), pointer: "/logo" };
    const hidden = h("textarea", { id: "set-hidden", rows: 2, placeholder: "parking", ...verbatim });
    const hiddenPart = { ...withMessage(hidden, labelled(hidden, ...texts("hidden"))), pointer: "/hidden" };
    const accent = colourSetting("set-accent", { assess: assessAccent, standard: () => "#0f6b62" });
    const [accentTitle, accentHelp] = texts("accent");
    const content = [
        colours.element,
        h("fieldset", {}, h("legend", {}, accentTitle), h("p", { class: "help" }, accentHelp), accent.element),
        logoPart.element, preview.element, hiddenPart.element,
    ];
    return objectSetting("appearance", content, {
        read() {
            const members = { colours: colours.value, hidden: lines(hidden.value), logo: logo.value.trim() || null, accent: accent.value || null };
            const chosen = Object.entries(members).filter(([, value]) => value !== null);
            return chosen.length === 0 ? null : Object.fromEntries(chosen);
        },
        show(value) {
            colours.value = value.colours;
            hidden.value = (value.hidden ?? []).join("\n");
            logo.value = value.logo ?? "";
            accent.value = value.accent ?? "";
            preview.show(logo.value);
        },
        parts: () => [...colours.parts(), ...accent.parts("/accent"), logoPart, hiddenPart],
        problems: () => [
            ...colours.problems(), ...accent.problems(),
            ...(logo.value.trim() === "" || webAddress(logo.value.trim()) ? [] : [[logoPart, localized("desk.settings.address.invalid")]]),
            ...((lines(hidden.value) ?? []).every(isCategory) ? [] : [[hiddenPart, localized("desk.settings.category.invalid")]]),
        ],
    });
}

/** The accent on what texts stand on. The console changes an accent with which texts would be hard to read. */
function assessAccent(colour, isDark) {
    const { text, fill, onFill } = accentColours(colour, isDark);
    return {
        ratio: accentContrast(colour, isDark), sample: { background: fill, color: onFill },
        advice: text === colour.toLowerCase() ? null : localized("desk.settings.accent.adjusted", { colour: text }),
    };
}
