// The map of a venue.

import { emptyState } from "../ui/states.js";
import { fill } from "../ui/element.js";

export async function show(stage, { venue }) {
    stage.title(venue);
    fill(stage.root, emptyState({ title: venue }));
}
