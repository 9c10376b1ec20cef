/** Reads a list while a comma is followed by another element. */
export function readList(scanner, follows, read) {
    const elements = [read(scanner)];
    const readNext = () => {
        scanner.skipSpace();
        if (!scanner.take(",")) return null;
        scanner.skipSpace();
        return follows(scanner) ? [read(scanner)] : null;
    };
    for (let next; (next = scanner.attempt(readNext)) !== null; ) elements.push(...next);
    return elements;
}
