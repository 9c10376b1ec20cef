// The name of the venue: in the title of the page, in the bar, on the map, and as the text of its logo.

import { labelText } from "./labels.js";
import { showVenue } from "../ui/bar.js";

/** Shows the name before the map is open. `about` is the response of `GET /venues/{venue}`, or what is stored of it, without a name. */
export function showVenueName(context, venueKey, live, about) {
    const name = labelText(about.name, about.about?.language) ?? nameOf(live) ?? venueKey;
    context.setTitle(name);
    showVenue(name, { signal: context.signal });
}

export class MapTitle {
    #options;
    /** The name and the logo that are shown beside the map. */
    #shown = null;

    /** `logo` is the address of the logo, if the venue has one. The logo, or else the name, is in the bar, or in the `panel` if the `mode` has none. */
    constructor({ context, venueKey, live, frame, logo, panel, mode }) {
        this.#options = { context, venueKey, live, frame, logo, panel, mode };
    }

    /** Shows the present name in the present language. */
    update() {
        const { context, venueKey, live, frame, logo, panel, mode } = this.#options;
        const name = nameOf(live) ?? venueKey;
        context.setTitle(name);
        frame.setTitle(name);
        if (name === this.#shown) return;
        this.#shown = name;
        if (mode.hasBar) showVenue(name, { logo, signal: context.signal });
        // The page around a preview without a bar has a heading.
        else if (!mode.isPreview) panel.showVenue(name, logo);
    }
}

/** The name of the venue in the user's language; undefined before its features are loaded, and without a name. */
function nameOf(live) {
    const venue = live.featuresOf(null).find(({ type }) => type === "venue");
    return labelText(venue?.properties.name, live.about.language);
}
