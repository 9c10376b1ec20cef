// The sentences of instructions, in English and Japanese. A goal is `{ name }` for the destination, `{ mode }` for a change of floors, `{ level }`
// for another floor, and on the same height `{ building }` that is entered or another `{ area }`; names are null where there is none, except those
// of buildings.

const modeNames = {
    elevator: ["the lift", "エレベーター"], stairs: ["the stairs", "階段"], escalator: ["the escalator", "エスカレーター"], ramp: ["the ramp", "スロープ"],
};

export class Phrases {
    #isJapanese;

    constructor(languages) {
        const first = (languages[0] ?? "").toLowerCase();
        this.#isJapanese = first === "ja" || first.startsWith("ja-");
    }

    walk(decimeters, landmarks, goal) {
        const length = metersText(spokenMeters(decimeters));
        if (this.#isJapanese) {
            const past = landmarks.length === 0 ? "" : `${landmarks.join("と")}を過ぎて、`;
            if (goal.building !== undefined) return `${past}約${length}進み、${goal.building}に入ります。`;
            return `${past}${this.#name(goal)}まで約${length}進みます。`;
        }
        const past = landmarks.length === 0 ? "" : ` past ${landmarks.join(" and ")}`;
        return sentence(`Walk about ${length}${past} ${this.#toward(goal)}`);
    }

    ride(mode, landmark, goal, floors) {
        if (this.#isJapanese) {
            const beside = landmark === null ? "" : `${landmark}の横の`;
            if (goal.building !== undefined) return `${beside}${this.#mode(mode)}で${goal.building}に入ります。`;
            const verb = floors > 0 ? "上がります" : floors < 0 ? "下ります" : "進みます";
            return `${beside}${this.#mode(mode)}で${this.#name(goal)}へ${verb}。`;
        }
        const direction = floors > 0 ? " up" : floors < 0 ? " down" : "";
        const beside = landmark === null ? "" : ` beside ${landmark}`;
        return sentence(`${mode === "ramp" ? "Follow" : "Take"} ${this.#mode(mode)}${beside}${direction} ${this.#toward(goal)}`);
    }

    arrival(goal) {
        return this.#isJapanese ? `${this.#name(goal)}に到着です。` : sentence(`You are at ${this.#name(goal)}`);
    }

    /** In English. */
    #toward(goal) {
        return goal.building === undefined ? `to ${this.#name(goal)}` : `into ${goal.building}`;
    }

    #name(goal) {
        if (goal.mode !== undefined) return this.#mode(goal.mode);
        if (goal.level !== undefined) return goal.level ?? (this.#isJapanese ? "次の階" : "the next floor");
        if (goal.area !== undefined) return goal.area ?? (this.#isJapanese ? "次のエリア" : "the next area");
        return goal.name ?? (this.#isJapanese ? "目的地" : "your destination");
    }

    #mode(mode) {
        return modeNames[mode][this.#isJapanese ? 1 : 0];
    }
}

/** A name at the end of a sentence in English may have its period already, such as “Kinari Records & Co.”. */
const sentence = (text) => (text.endsWith(".") ? text : `${text}.`);

/** A distance as people say it, in metres. */
export function spokenMeters(decimeters) {
    if (decimeters < 200) return Math.max(5, Math.floor((decimeters + 25) / 50) * 5);
    if (decimeters < 1_000) return Math.floor((decimeters + 50) / 100) * 10;
    if (decimeters < 9_750) return Math.floor((decimeters + 250) / 500) * 50;
    return Math.floor((decimeters + 500) / 1_000) * 100;
}

/** The text of such a distance, or of the sum of some. */
export function metersText(meters) {
    if (meters < 1_000) return `${meters} m`;
    const tenths = Math.floor((meters + 50) / 100);
    return `${Math.floor(tenths / 10)}.${tenths % 10} km`;
}
