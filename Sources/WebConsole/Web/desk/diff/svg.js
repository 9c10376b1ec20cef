// Creates SVG elements. Colours come from the style sheets, because the content security policy forbids inline styles.

const namespace = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
    const element = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}
