"""The replica of the browser: the five steps of applying a change set, with handwritten responses and compared with a model."""
import hashlib
import json
import random

LEVELS = [None, f"00000000-0000-4000-8000-{'a' * 12}", f"00000000-0000-4000-8000-{'b' * 12}"]

APPLY = """async (responses) => {
    const { VenueReplica } = await import("/console/client/sync/venue-replica.js");
    const { RetryPolicy } = await import("/console/client/sync/retry-policy.js");
    window.responses = responses;
    window.replica ??= await VenueReplica.open({
        server: location.origin, venue: "mall", policy: new RetryPolicy({ attempts: 1 }),
        fetch: async () => {
            const { status, body } = window.responses.shift();
            return new Response(body, { status });
        },
    });
    let failure = null;
    try {
        await window.replica.sync();
    } catch (error) {
        failure = error.kind;
    }
    const held = window.replica.features().map(({ id, level, body }) => [id, level, body]).sort();
    const levels = window.replica.levels().filter(({ isHeld }) => isHeld);
    const byLevel = levels.flatMap(({ level }) => window.replica.features({ level }).map(({ id }) => [id, level])).sort();
    return { failure, held, byLevel, cursor: window.replica.state.cursor, unused: window.responses.length };
}"""


def uuid(end):
    return f"00000000-0000-4000-8000-{end:>012}"


def body(id, name):
    return json.dumps({"feature_type": "unit", "id": id, "properties": {"name": name}}, separators=(",", ":"), sort_keys=True)


def digest(bodies):
    return "sha-256:" + hashlib.sha256("".join(bodies[id] + "\n" for id in sorted(bodies)).encode()).hexdigest()


def response(blocks, cursor, start, to, complete=True):
    """A response in the format of the server: each body on a line of its own."""
    texts = []
    for block in blocks:
        head = json.dumps({key: block[key] for key in block if key not in ("bodies", "removed")})[:-1]
        bodies = ",\n".join(block["bodies"])
        removed = json.dumps([{"id": id, "feature_type": "unit", "reason": "deleted"} for id in block.get("removed", [])])
        texts.append(f'{head},"features":[\n{bodies}{chr(10) if bodies else ""}],"removed":{removed}}}')
    joined = ",\n".join(texts)
    head = json.dumps({
        "protocol": 1, "venue": "mall", "complete": complete, "cursor": cursor, "from": start, "to": to, "digest": digest({}), "about": {}})
    return {"status": 200, "body": f'{head[:-1]},"levels":[\n{joined}\n]}}\n'}


def state(model):
    return sorted([id, level, line] for level, bodies in model.items() for id, line in bodies.items())


def test_replica_is_unchanged_after_wrong_digest(windows):
    page = windows.open()
    first = {uuid("1"): body(uuid("1"), "one")}
    good = response([{"level_id": None, "kind": "snapshot", "digest": digest(first), "bodies": list(first.values())}], "c1", None, 1)
    bad = response([{"level_id": None, "kind": "changes", "digest": digest({}), "bodies": [body(uuid("2"), "two")]}], "c2", 1, 2)
    # The level is fetched again, and still differs.
    collection = {"status": 200, "body": f'{{"type":"FeatureCollection","features":[\n{body(uuid("2"), "two")}\n]}}\n'}
    assert page.evaluate(APPLY, [good])["failure"] is None
    result = page.evaluate(APPLY, [bad, collection])
    assert result["failure"] == "wrongDigest" and result["unused"] == 0
    assert result["cursor"] == "c1" and result["held"] == [[uuid("1"), None, first[uuid("1")]]]


def test_replica_equals_model_after_random_publishes(windows):
    for seed in range(6):
        page = windows.open()
        rng = random.Random(seed)
        model = {level: {} for level in LEVELS}
        for step in range(40):
            before = {level: dict(bodies) for level, bodies in model.items()}
            for _ in range(rng.randint(0, 5)):
                id = uuid(f"{rng.randint(0, 15):02}")
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
            responses = pages(blocks, step, None if isFull else step, rng)
            if isFull and step > 0:
                # The history was lost, and the response has no levels to start over with.
                lost = {"status": 410, "body": '{"type":"/problems/history-lost"}'}
                responses = [lost, *responses, response([], f"c{step}", step + 1, step + 1)]
            result = page.evaluate(APPLY, responses)
            assert result["failure"] is None and result["unused"] == 0, (seed, step)
            assert result["held"] == state(model), (seed, step)
            assert result["byLevel"] == sorted(([id, level] for id, level, _ in result["held"]), key=str), (seed, step)
            assert result["cursor"] == f"c{step}"


def pages(blocks, step, start, rng):
    """A change set on one page, or on two pages that are split within a block."""
    cut = [index for index, block in enumerate(blocks) if len(block["bodies"]) > 1]
    if not cut or rng.random() < 0.5:
        return [response(blocks, f"c{step}", start, step + 1)]
    index = rng.choice(cut)
    block = blocks[index]
    head = {**block, "bodies": block["bodies"][:1], "removed": [], "digest": None}
    rest = {**block, "bodies": block["bodies"][1:], "continued": True}
    first = response([*blocks[:index], head], f"p{step}", start, step + 1, complete=False)
    return [first, response([rest, *blocks[index + 1:]], f"c{step}", start, step + 1)]
