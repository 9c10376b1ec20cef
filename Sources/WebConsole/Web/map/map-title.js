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

    /** `logo` is the address of the logo, if the venue has one. It is shown in `panel` if that is given, else in the bar. */
    constructor({ context, venueKey, live, frame, logo, panel = null }) {
        this.#options = { context, venueKey, live, frame, logo, panel };
    }

    /** Shows the present name in the present language. */
    update() {
        const { context, venueKey, live, frame, logo, panel } = this.#options;
        const name = nameOf(live) ?? venueKey;
        context.setTitle(name);
        frame.setTitle(name);
        if (name === this.#shown) return;
        this.#shown = name;
        if (!panel) showVenue(name, { logo, signal: context.signal });
        else if (logo) panel.setLogo(logo, name);
    }
}

/** The name of the venue in the user's language; undefined before its features are loaded, and without a name. */
function nameOf(live) {
    const venue = live.featuresOf(null).find(({ type }) => type === "venue");
    return labelText(venue?.properties.name, live.about.language);
}
