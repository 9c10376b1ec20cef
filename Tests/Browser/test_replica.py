"""The replica of the browser: the five steps of applying a change set, with handwritten responses and compared with a model."""
import hashlib
import json
import random

LEVELS = [None, "a" * 36, "b" * 36]

APPLY = """async ([responses, isFull]) => {
    const { parseSyncResponse } = await import("/console/sync/sync-response.js");
    const { Replica } = await import("/console/sync/replica.js");
    window.replica ??= new Replica();
    let failure = null;
    for (const pages of responses) {
        try {
            await window.replica.apply(pages.map(parseSyncResponse), { isFull });
        } catch (error) {
            failure = error.name;
        }
    }
    const held = [...window.replica.entries].map(([id, { line, level }]) => [id, level, line]).sort();
    const byLevel = [...window.replica.levels].flatMap(([level, entries]) => [...entries.keys()].map((id) => [id, level])).sort();
    return { failure, held, byLevel, cursor: window.replica.cursor };
}"""


def body(id, name):
    return json.dumps({"feature_type": "unit", "id": id, "properties": {"name": name}}, separators=(",", ":"), sort_keys=True)


def digest(bodies):
    return "sha-256:" + hashlib.sha256("".join(bodies[id] + "\n" for id in sorted(bodies)).encode()).hexdigest()


def response(blocks, cursor, complete=True):
    """A response in the format of the server: each body on a line of its own."""
    texts = []
    for block in blocks:
        head = json.dumps({key: block[key] for key in block if key not in ("bodies", "removed")})[:-1]
        bodies = ",\n".join(block["bodies"])
        removed = json.dumps([{"id": id, "feature_type": "unit", "reason": "deleted"} for id in block.get("removed", [])])
        texts.append(f'{head},"features":[\n{bodies}{chr(10) if bodies else ""}],"removed":{removed}}}')
    joined = ",\n".join(texts)
    return f'{{"protocol":1,"complete":{str(complete).lower()},"cursor":"{cursor}","to":1,"about":{{}},"levels":[\n{joined}\n]}}\n'


def state(model):
    return sorted([id, level, line] for level, bodies in model.items() for id, line in bodies.items())


def test_replica_is_unchanged_after_wrong_digest(windows):
    page = windows.open()
    first = {"x": body("x", "one")}
    good = response([{"level_id": None, "kind": "snapshot", "digest": digest(first), "bodies": list(first.values())}], "c1")
    bad = response([{"level_id": None, "kind": "changes", "digest": digest({}), "bodies": [body("y", "two")]}], "c2")
    result = page.evaluate(APPLY, [[[good], [bad]], True])
    assert result["failure"] == "DigestMismatch"
    assert result["cursor"] == "c1" and result["held"] == [["x", None, first["x"]]]


def test_replica_equals_model_after_random_publishes(windows):
    for seed in range(6):
        page = windows.open()
        rng = random.Random(seed)
        model = {level: {} for level in LEVELS}
        for step in range(40):
            before = {level: dict(bodies) for level, bodies in model.items()}
            for _ in range(rng.randint(0, 5)):
                id = f"f{rng.randint(0, 15):02}"
                for bodies in model.values():
                    bodies.pop(id, None)
                if rng.random() < 0.75:
                    model[rng.choice(LEVELS)][id] = body(id, f"{step} ｶﾌｪ")
            isFull = step == 0 or rng.random() < 0.1
            blocks = []
            for level in LEVELS:
                if isFull or rng.random() < 0.1:
                    blocks.append({"level_id": level, "kind": "snapshot", "bodies": list(model[level].values())})
                elif before[level] != model[level]:
                    blocks.append({
                        "level_id": level, "kind": "changes",
                        "bodies": [line for id, line in model[level].items() if before[level].get(id) != line],
                        "removed": [id for id in before[level] if id not in model[level]],
                    })
                else:
                    continue
                blocks[-1]["digest"] = digest(model[level])
            result = page.evaluate(APPLY, [[pages(blocks, step, rng)], isFull])
            assert result["failure"] is None, (seed, step)
            assert result["held"] == state(model), (seed, step)
            assert result["byLevel"] == sorted([id, level] for id, level, _ in result["held"]), (seed, step)
            assert result["cursor"] == f"c{step}"


def pages(blocks, step, rng):
    """A change set on one page, or on two pages that are split within a block."""
    cut = [index for index, block in enumerate(blocks) if len(block["bodies"]) > 1]
    if not cut or rng.random() < 0.5:
        return [response(blocks, f"c{step}")]
    index = rng.choice(cut)
    block = blocks[index]
    head = {**block, "bodies": block["bodies"][:1], "removed": [], "digest": None}
    rest = {**block, "bodies": block["bodies"][1:], "continued": True}
    return [response([*blocks[:index], head], "page", complete=False), response([rest, *blocks[index + 1:]], f"c{step}")]
