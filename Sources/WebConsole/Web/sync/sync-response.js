// Parses responses of `sync`. Each body is a line of its own, with exactly the bytes that the digests are computed over.

/**
 * Parses a response of `sync`. Each block gets a member `bodies` with `{line, feature}` for every body.
 * The lines with bodies are taken out before the rest is parsed as one JSON document, so that nothing is parsed twice.
 */
export function parseSyncResponse(text) {
    const documentLines = [];
    const bodies = [];
    let current = null;
    for (const line of text.split("\n")) {
        if (current && line.startsWith("{")) {
            const body = line.endsWith(",") ? line.slice(0, -1) : line;
            current.push({ line: body, feature: JSON.parse(body) });
            continue;
        }
        current = null;
        documentLines.push(line);
        if (line.endsWith('"features":[')) {
            current = [];
            bodies.push(current);
        }
    }
    const response = JSON.parse(documentLines.join("\n"));
    let next = 0;
    for (const block of response.levels) block.bodies = block.features ? (bodies[next++] ?? []) : [];
    return response;
}
