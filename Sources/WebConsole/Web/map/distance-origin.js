// From where the list measures distances.

/**
 * `{at, ordinal, kind, name}`: the place from which the nearest ones were asked for (`place`, with its name), or else the position of the user,
 * which is that of a kiosk (`here`) or of the link (`pin`), or else the middle of the map (`middle`), which is on the floor that is shown and so
 * has no ordinal.
 */
export function distanceOrigin({ near, floorOf, kiosk, linked, middle }) {
    if (near) return { at: near.point, ordinal: floorOf(near)?.ordinal, kind: "place", name: near.name };
    if (kiosk?.position) return { ...kiosk.position, kind: "here" };
    if (linked?.position) return { ...linked.position, kind: "pin" };
    return { at: middle ?? [0, 0], kind: "middle" };
}
