// Replies of `sync` and FeatureCollections as text: bodies stand on lines of their own, byte for byte as digests are made of them.

/**
 * A reply of `sync`. Its blocks have in `bodies`, instead of `features`, `{line, feature}` of every body.
 * The lines of bodies are taken out before the rest is read as one JSON document, so that nothing is parsed twice.
 */
export function readReply(text) {
    const frame = [];
    const bodies = [];
    let inside = null;
    for (const line of text.split("\n")) {
        if (inside && line.startsWith("{")) {
            const body = line.endsWith(",") ? line.slice(0, -1) : line;
            inside.push({ line: body, feature: JSON.parse(body) });
            continue;
        }
        inside = null;
        frame.push(line);
        if (line.endsWith('"features":[')) {
            inside = [];
            bodies.push(inside);
        }
    }
    const reply = JSON.parse(frame.join("\n"));
    let next = 0;
    for (const block of reply.levels) block.bodies = block.features ? (bodies[next++] ?? []) : [];
    return reply;
}
