// Reads a text of opening hours from beginning to end.

/** What does not follow the syntax; `offset` is the index of the first character that does not. */
export class OpeningHoursError extends Error {
    constructor(offset) {
        super(`not in the syntax of opening_hours from character ${offset} on`);
        this.name = "OpeningHoursError";
        this.offset = offset;
    }
}

export class Scanner {
    offset = 0;

    constructor(text) {
        this.text = text;
    }

    get isAtEnd() {
        return this.offset === this.text.length;
    }

    get unexpected() {
        return new OpeningHoursError(this.offset);
    }

    peek(distance = 0) {
        return this.text[this.offset + distance];
    }

    skipSpace() {
        while (this.peek() === " ") this.offset += 1;
    }

    startsWith(text) {
        return this.text.startsWith(text, this.offset);
    }

    startsWithDigit() {
        return /[0-9]/.test(this.peek() ?? "");
    }

    take(text) {
        const isTaken = this.startsWith(text);
        if (isTaken) this.offset += text.length;
        return isTaken;
    }

    /** Takes a word that is not followed by another letter. */
    takeWord(word) {
        const isWord = this.startsWith(word) && !/[A-Za-z]/.test(this.peek(word.length) ?? "");
        return isWord && this.take(word);
    }

    /** Takes the first matching word of a list and returns its index; -1 for none. */
    takeOne(words) {
        return words.findIndex((word) => this.take(word));
    }

    /** Takes a number with this many digits and within these bounds; null for none. */
    takeNumber([fewest, most], [least, greatest]) {
        const [digits] = /^[0-9]*/.exec(this.text.slice(this.offset, this.offset + most + 1));
        const value = Number(digits);
        if (digits.length < fewest || digits.length > most || value < least || value > greatest) return null;
        this.offset += digits.length;
        return value;
    }

    /** Takes the text before the next quotation mark, and the mark; null if there is none. */
    takeQuoted() {
        const end = this.text.indexOf('"', this.offset);
        if (end < 0) return null;
        const text = this.text.slice(this.offset, end);
        this.offset = end + 1;
        return text;
    }

    /** What `take` returns; if that is null, nothing is taken. */
    attempt(take) {
        const before = this.offset;
        const taken = take();
        if (taken === null) this.offset = before;
        return taken;
    }
}
