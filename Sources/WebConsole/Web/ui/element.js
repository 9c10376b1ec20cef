// Creates elements: h("button", {class: "quiet", onclick: act, "aria-label": "Close"}, "×").
// Strings become text nodes and are never parsed as markup, so names in a venue cannot inject elements.

const svgNames = new Set(["svg", "path", "circle", "rect", "g", "line", "polyline"]);

export function h(name, attributes = {}, ...children) {
    const element = svgNames.has(name)
        ? document.createElementNS("http://www.w3.org/2000/svg", name)
        : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else if (key === "style") {
            // The content security policy forbids style attributes, but allows setting properties from scripts.
            for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
        } else if (key === "value" || key === "checked" || key === "disabled" || key === "hidden") element[key] = value;
        else element.setAttribute(key, value === true ? "" : value);
    }
    append(element, children);
    return element;
}

function append(element, children) {
    for (const child of children.flat(Infinity)) {
        if (child === undefined || child === null || child === false) continue;
        element.append(child instanceof Node ? child : String(child));
    }
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
    element.replaceChildren();
    append(element, children);
    return element;
}

/** An icon. It is hidden from assistive technology: use it beside text, or in an element with a label. */
export function icon(name) {
    return h(
        "svg",
        { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
        (icons[name] ?? []).map((d) => h("path", { d })),
    );
}

const icons = {
    search: ["M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Z", "m16 16 5 5"],
    close: ["M5 5l14 14M19 5 5 19"],
    back: ["m14 5-7 7 7 7"],
    clock: ["M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z", "M12 7v5l3.5 2"],
    list: ["M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01"],
    layers: ["M12 3 22 8.5 12 14 2 8.5Z", "m2 13.5 10 5.5 10-5.5"],
    key: ["M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z", "m11 12 9-9M16 7l3 3"],
    phone: ["M6 3h3l2 5-2.5 1.5a11 11 0 0 0 6 6L16 13l5 2v3a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3Z"],
    globe: ["M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z", "M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18"],
    pin: ["M12 21s-7-6.5-7-11.5a7 7 0 0 1 14 0C19 14.500 12 21 12 21Z", "M12 7a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5Z"],
    check: ["m5 12.500 4.500 4.500L19 7"],
    alert: ["M12 4 2.500 20h19Z", "M12 10v4M12 17h.01"],
    desk: ["M4 5h16v11H4ZM9 20h6M12 16v4"],
    map: ["m3 6 6-3 6 3 6-3v15l-6 3-6-3-6 3ZM9 3v15M15 6v15"],
    download: ["M12 4v12m-5-5 5 5 5-5M4 20h16"],
    upload: ["M12 16V4m-5 5 5-5 5 5M4 20h16"],
    plus: ["M12 5v14M5 12h14"],
    minus: ["M5 12h14"],
    fit: ["M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"],
    target: ["M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14Z", "M12 2v6M12 16v6M2 12h6M16 12h6"],
    resize: ["M3 12h18M8 7l-5 5 5 5M16 7l5 5-5 5"],
    compass: ["M12 2l4.500 10h-9Z", "m7.500 12 4.500 10 4.500-10"],
    share: ["M12 15V3m-4 4 4-4 4 4", "M6 11H5v10h14V11h-1"],
    previous: ["m14 5-7 7 7 7"],
    next: ["m10 5 7 7-7 7"],
    undo: ["M4 9h11a5 5 0 0 1 0 10h-4M4 9l4-4M4 9l4 4"],
    pencil: ["m4 20 1-4L16 5l3 3L8 19Z", "m14 7 3 3"],
    move: ["M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3"],
    hide: ["M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6Z", "M4 4l16 16"],
    person: ["M12 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z", "M5.500 20.500a6.500 6.500 0 0 1 13 0Z"],
    cube: ["M12 3 20 7.500v9L12 21l-8-4.500v-9Z", "M4 7.500 12 12l8-4.500M12 12v9"],
    directions: ["M12 2.500 21.500 12 12 21.500 2.500 12Z", "M9 14.500v-2a2 2 0 0 1 2-2h4M13 8l2.500 2.500L13 13"],
    swap: ["M8 4v15m-3.500-3.500L8 19l3.500-3.500", "M16 20V5m-3.500 3.500L16 5l3.500 3.500"],
    walk: ["M13 3a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3Z", "M8 12.500 9.500 9l3-1.500 1.500 4 3.500 1.500M12.500 7.500l-1.500 6 3.500 3 1 4.500M11 13.500l-1 4-2.500 3.500"],
    wheelchair: ["M10 3a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3Z", "M10 8.500v6h5.500l2 5 2-.7M10 11h5", "M7.500 12.500a5 5 0 1 0 6.800 6.500"],
    up: ["M12 20V5m-6 6 6-6 6 6"],
    down: ["M12 4v15m-6-6 6 6 6-6"],
    backspace: ["M9 5h12v14H9l-6-7Z", "m12 9.500 5 5m0-5-5 5"],
    chevron: ["m6 15 6-6 6 6"],
    more: ["M5 12h.01M12 12h.01M19 12h.01"],
};
