// Splits opening hours that people wrote for people into tokens.

import { phrasesFrom } from "./lenient-phrases.js";

const isLetter = (character) => /^[a-z]$/.test(character ?? "");
const isDigit = (character) => /^[0-9]$/.test(character ?? "");

/** The tokens of a text; null if something is not understood. At every position, a fixed list of phrases is compared. */
export function lenientTokens(text) {
    const normal = text.normalize("NFKC").toLowerCase().replace(/\r\n|[\n\v\f\r\x85\u2028\u2029]/g, "\n");
    let length = normal.length;
    // The end of a sentence, such as "Temporarily closed."
    while (length > 0 && ".! \n".includes(normal[length - 1])) length -= 1;
    const lexer = new LenientLexer(normal.slice(0, length));
    return lexer.readAll() ? lexer.tokens : null;
}

class LenientLexer {
    /** `{kind}`, with `days`, `time` or `meridiem`. A time is `{hour, minute, isClock, meridiem}`. */
    tokens = [];
    #text;
    #offset = 0;

    constructor(text) {
        this.#text = text;
    }

    readAll() {
        while (this.#offset < this.#text.length) {
            if (this.#skipSpace()) continue;
            const token = this.#takePhrase();
            if (token) {
                if (!this.#append(token)) return false;
                continue;
            }
            const time = this.#takeTime();
            if (!time) return false;
            this.tokens.push({ kind: "time", time });
        }
        return true;
    }

    /** Appends a token. A meridiem directly after a time belongs to it, and remarks are left out. */
    #append(token) {
        const last = this.tokens.at(-1);
        if (token.kind === "meridiem" && last?.kind === "time" && last.time.meridiem === null && !isDigit(this.#peek())) {
            // `PM8:00` has its meridiem before the time.
            this.tokens[this.tokens.length - 1] = { kind: "time", time: { ...last.time, meridiem: token.meridiem } };
        } else if (token.kind === "remark" && last?.kind === "openBracket") {
            this.tokens.pop();
            return this.#skipBracket();
        } else if (token.kind === "remark") {
            // The time of the remark is left out with it.
            this.#skipColon();
            if (!this.#takeTime()) return false;
            const start = this.#offset;
            this.#skipSpace();
            if (this.#takePhrase()?.kind !== "meridiem") this.#offset = start;
        } else if (token.kind === "filler") {
            this.#skipColon();
        } else {
            this.tokens.push(token);
        }
        return true;
    }

    #skipColon() {
        this.#skipSpace();
        if (this.#peek() === ":") this.#offset += 1;
        this.#skipSpace();
    }

    /** Skips to the closing bracket. */
    #skipBracket() {
        while (this.#offset < this.#text.length) {
            const character = this.#peek();
            this.#offset += 1;
            if (")]".includes(character)) return true;
            if ("([".includes(character)) return false;
        }
        return false;
    }

    #peek(distance = 0) {
        return this.#text[this.#offset + distance];
    }

    #skipSpace() {
        const start = this.#offset;
        while (this.#peek() === " " || this.#peek() === "\t") this.#offset += 1;
        return this.#offset > start;
    }

    #takePhrase() {
        for (const { text, token } of phrasesFrom(this.#peek()) ?? []) {
            if (!this.#text.startsWith(text, this.#offset)) continue;
            const [last, next] = [text.at(-1), this.#peek(text.length)];
            // A word ends where no letter follows, and a number where no digit does.
            if ((isLetter(last) && isLetter(next)) || (isDigit(last) && isDigit(next))) continue;
            this.#offset += text.length;
            return token;
        }
        return null;
    }

    /** `9`, `9:30`, `9.30`, `9時`, `9時30分`, `9時半`; followed by `a` or `p` for am and pm. Null for none. */
    #takeTime() {
        const hour = this.#takeNumber(1, 2);
        if (hour === null) return null;
        const time = { hour, minute: 0, isClock: false, meridiem: null };
        if (this.#peek() === ":" || this.#peek() === ".") {
            const start = this.#offset;
            this.#offset += 1;
            const minute = this.#takeNumber(2, 2);
            if (minute !== null && minute < 60) Object.assign(time, { minute, isClock: true });
            else this.#offset = start;
        } else if (this.#peek() === "時") {
            this.#offset += 1;
            time.isClock = true;
            time.minute = this.#takeJapaneseMinute();
        }
        const letter = this.#peek();
        if ((letter === "a" || letter === "p") && !isLetter(this.#peek(1)) && this.#peek(1) !== ".") {
            this.#offset += 1;
            time.meridiem = letter === "a" ? "am" : "pm";
        }
        return time;
    }

    /** `半`, `30分`; zero if there is none. */
    #takeJapaneseMinute() {
        if (this.#peek() === "半") {
            this.#offset += 1;
            return 30;
        }
        const start = this.#offset;
        const minute = this.#takeNumber(1, 2);
        if (minute !== null && minute < 60 && this.#peek() === "分") {
            this.#offset += 1;
            return minute;
        }
        this.#offset = start;
        return 0;
    }

    #takeNumber(fewest, most) {
        let count = 0;
        while (count <= most && isDigit(this.#peek(count))) count += 1;
        if (count < fewest || count > most) return null;
        const value = Number(this.#text.slice(this.#offset, this.#offset + count));
        this.#offset += count;
        return value;
    }
}
