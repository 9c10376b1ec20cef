// What the map shows while its first floor is loading.

/**
 * Says that the map is loading until the promise `loading` for the floor is kept and the map is ready. Meanwhile it shows the outline of the
 * floor of an ordinal, or of the initial one, as soon as the promise `outlines` for the venue-wide part is kept; null if that is not loaded
 * before the floor. Without its features, a floor is nothing that can be used.
 */
export async function showFirstOutline(loading, { outlines, ordinal, floors, map, frame, title, signal }) {
    frame.setLoading(null, { isFirst: true });
    let isOver = false;
    const outline = async () => {
        await Promise.all([outlines, map.ready]);
        const floor = floors.find(ordinal);
        if (isOver || signal.aborted || !floor || floors.isLoaded(floor.ordinal)) return;
        title.update();
        map.showOutline(floor);
        frame.setLoading(floor.title);
    };
    try {
        await Promise.all([loading, map.ready, outlines && outline()]);
    } finally {
        isOver = true;
        frame.setNote(null);
    }
}
