// Shows what a synchronization has changed: draws the floor again, highlights what is new, and says how much that is.

import { isolated } from "../ui/names.js";
import { toast } from "../ui/toast.js";
import { localized } from "../localization/localization.js";

/** Highlights the changes of a revision on a floor and announces them. `changes` are those of the event of `LiveVenue`, `frame` is `mapFrame`. */
export function announceChanges(frame, map, floor, { added, changed, removed, revision }) {
    // The same revision: a floor was loaded, nothing was published.
    if (frame.revision === revision) return;
    frame.revision = revision;
    const touches = ({ before, after }) => floor.ids.has(before?.level) || floor.ids.has(after?.level);
    const onFloor = [...added, ...changed, ...removed].filter(touches);
    map.flash(new Set([...added, ...changed].filter(touches).map(({ id }) => id)));
    const message = onFloor.length > 0 ? "map.changesHere" : "map.changesElsewhere";
    toast(localized(message, { revision, n: onFloor.length, floor: isolated(floor.title) }));
}
