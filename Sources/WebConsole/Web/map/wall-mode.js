// Whether the map shows three-dimensional walls. The browser remembers it.

const storageKey = "venuesync.3d";

/** The tilt of the map with walls, in degrees. */
export const wallPitch = 45;

export const areWallsRemembered = () => localStorage.getItem(storageKey) === "on";

export function rememberWalls(isOn) {
    if (isOn) localStorage.setItem(storageKey, "on");
    else localStorage.removeItem(storageKey);
}
