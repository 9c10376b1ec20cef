// Whether the map shows three-dimensional walls. The browser remembers it.

import { browserStorage } from "../storage.js";

const storageKey = "venuesync.3d";

/** The tilt of the map with walls, in degrees. */
export const wallPitch = 45;

export const areWallsRemembered = () => browserStorage.get(storageKey) === "on";

export function rememberWalls(isOn) {
    if (isOn) browserStorage.set(storageKey, "on");
    else browserStorage.remove(storageKey);
}
