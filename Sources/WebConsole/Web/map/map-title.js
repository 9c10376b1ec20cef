// The name of the venue: in the title of the page, on the map, and as the text of its logo.

import { labelText } from "./labels.js";
import { showLogo } from "../ui/bar.js";

export class MapTitle {
    #options;
    /** The name that the logo stands for; null while there is no logo. */
    #logoName = null;

    /** `logo` is the address of the logo, if the venue has one. It is shown in `panel` if that is given, else in the bar. */
    constructor({ context, venueKey, live, frame, logo, panel = null }) {
        this.#options = { context, venueKey, live, frame, logo, panel };
    }

    /** Shows the present name in the present language. */
    update() {
        const { context, venueKey, live, frame, logo } = this.#options;
        const venue = live.featuresOf(null).find(({ type }) => type === "venue");
        const name = labelText(venue?.properties.name, live.about.language) ?? venueKey;
        context.setTitle(name);
        frame.setTitle(name);
        if (logo) this.#showLogo(name);
    }

    #showLogo(name) {
        const { context, logo, panel } = this.#options;
        if (name === this.#logoName) return;
        this.#logoName = name;
        if (panel) panel.setLogo(logo, name);
        else showLogo(logo, name, context.signal);
    }
}
