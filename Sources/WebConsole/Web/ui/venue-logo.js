// The logo of a venue as a picture. One that cannot be loaded is replaced by what `onMissing` does.

import { h } from "./element.js";

/** `address` is that of the setting `appearance`, `name` the name of the venue, which screen readers read. */
export function venueLogo(address, name, onMissing) {
    return h("img", { class: "venue-logo", src: address, alt: name, referrerpolicy: "no-referrer", decoding: "async", onerror: onMissing });
}
