// A time as an element: how long ago it was, with the exact time in all zones that matter as its title.

import { formatAge, formatMoment } from "./formats.js";
import { h } from "../ui/element.js";

/** `venueZone` is the time zone of the venue, if it is known; `text` the visible text. */
export const timeElement = (moment, venueZone, text = formatAge(moment)) =>
    h("time", { datetime: moment, title: formatMoment(moment, venueZone) }, text);
