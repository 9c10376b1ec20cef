"""The parts of the conformance cases: features, levels, requests, and replies in the plain and in the delta form."""

import base64
import hashlib
import json
import os
import uuid as uuids
import zlib

VENUE = "mall"


def uuid(short):
    return f"00000000-0000-4000-8000-{short:>012}"


GROUND, FIRST = uuid("f0"), uuid("f1")


def body(short, type, **properties):
    return json.dumps(
        {"feature_type": type, "geometry": None, "id": uuid(short), "properties": properties, "type": "Feature"},
        sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def level(short, ordinal):
    return body(short, "level", ordinal=ordinal)


def digest(bodies):
    sha256 = hashlib.sha256()
    for line in sorted(bodies, key=lambda line: json.loads(line)["id"]):
        sha256.update(line.encode() + b"\n")
    return f"sha-256:{sha256.hexdigest()}"


def compact(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def removal(short, type, moved_to=...):
    gone = {"id": uuid(short), "feature_type": type, "reason": "deleted"}
    return gone if moved_to is ... else {**gone, "reason": "moved", "moved_to": moved_to}


def block(id, kind, features=(), removed=(), total=None, continued=False, continues=False, **overrides):
    """`total`: all bodies of the level after the change set; for a snapshot by default its own."""
    block_digest = None if kind == "gone" or continues else digest(features if total is None else total)
    head = {"level_id": id, "ordinal": None, "kind": kind, "digest": block_digest, **overrides}
    if continued:
        head["continued"] = True
    return head, list(features), list(removed)


def page(cursor, to, blocks, since=None, complete=True, venue=VENUE, **more):
    head = {
        "protocol": 1, "venue": venue, "from": since, "to": to, "digest": REVISIONS[to],
        "about": {"language": "en", "time_zone": None, "country": None}, "complete": complete, "cursor": cursor, **more}
    lines = [compact(head)[:-1] + ',"levels":[']
    for index, (head, features, removed) in enumerate(blocks):
        lines.append(compact(head)[:-1] + ',"features":[')
        lines += [line + ("," if number < len(features) else "") for number, line in enumerate(features, 1)]
        lines.append('],"removed":' + compact(removed) + ("}" if index + 1 == len(blocks) else "},"))
    return reply(lines + ["]}"])


REVISIONS = {n: "sha-256:" + hashlib.sha256(b"revision %d" % n).hexdigest() for n in [*range(100), 2**53 - 1]}


def collection(features):
    lines = [line + ("," if index + 1 < len(features) else "") for index, line in enumerate(features)]
    return reply(['{"type":"FeatureCollection","features":[', *lines, "]}"])


def reply(lines, status=200, headers=None, **fault):
    return {"status": status, "headers": headers or {}, "body": lines, **({"fault": fault} if fault else {})}


def faulty(reply, **fault):
    return {**reply, "fault": fault}


def number(value):
    """Seven bits a byte, the lowest first."""
    text = bytearray()
    while value >= 0x80:
        text.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(text + bytes([value]))


def text_of(value):
    return number(0) if value is None else number(len(value.encode()) + 1) + value.encode()


def deflate(text, dictionary=b""):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, dictionary[-32768:])
    return packer.compress(text) + packer.flush()


def common(old, new):
    """The numbers of bytes in common at the beginning and at the end."""
    prefix = suffix = 0
    while prefix < min(len(old), len(new)) and old[prefix] == new[prefix]:
        prefix += 1
    while suffix < min(len(old), len(new)) - prefix and old[-1 - suffix] == new[-1 - suffix]:
        suffix += 1
    return prefix, suffix


def delta(held, cursor, to, blocks, since=1, complete=True, context=False, packed=False, shift=0, published=None, after="one",
          companions=()):
    """A page in the delta form: docs/protocol/delta-form.md. `held`: the bodies of each level; `blocks`: as for `page`.

    `shift` is added to the ranks of sources, which are then wrong; `packed` compresses the index. `after` is the cursor of the
    request, `companions` are the levels and ids of held features.
    """
    order = {id: sorted(bodies, key=lambda line: json.loads(line)["id"]) for id, bodies in held.items()}
    ids = {id: [json.loads(line)["id"] for line in bodies] for id, bodies in order.items()}
    levels = sorted(id for id in held if id is not None)

    def name(id):
        if id is None:
            return number(0)
        return number(levels.index(id) + 2) if id in levels else number(1) + uuids.UUID(id).bytes

    index, sources, old, middles, new = number(len(blocks)), b"", [], [], b""
    count, example = 0, None
    for head, features, removed in blocks:
        kind = ("changes", "snapshot", "gone").index(head["kind"])
        index += bytes([kind | 4 * head.get("continued", False) | 8 * (head["digest"] is not None) | 16 * bool(removed)]) + name(head["level_id"])
        index += bytes.fromhex((head["digest"] or "sha-256:")[8:])[:8]
        ranks = [-1] + sorted(ids[head["level_id"]].index(entry["id"]) for entry in removed)
        index += (number(len(removed)) if removed else b"") + b"".join(number(rank - last) for last, rank in zip(ranks, ranks[1:]))
        index += number(len(features))
        last = -1
        for line in sorted(features, key=lambda line: json.loads(line)["id"]):
            count += 1
            id, body = json.loads(line)["id"], line.encode()
            level = next((level for level in held if id in ids[level]), ...)
            if level is ...:
                sources, new = sources + number(0), new + body + b"\n"
                continue
            rank = ids[level].index(id)
            source = order[level][rank].encode()
            prefix, suffix = common(source, body)
            if level == head["level_id"]:
                sources += number(rank + shift - last + 1)
                last = rank
            else:
                sources += number(1) + name(level) + number(rank + shift)
            sources += number(prefix) + number(suffix)
            if context and example is None:
                example = (rank, level)
                same = [line for line in order[level] if json.loads(line)["feature_type"] == json.loads(order[level][rank])["feature_type"]]
            old.append(source)
            middles.append(source[prefix:len(source) - suffix])
            new += body[prefix:len(body) - suffix] + b"\n"
    dictionary = [line.encode() for line in same] if example else []
    companions = [(level, ids[level].index(id)) for level, id in companions]
    dictionary += [order[level][rank].encode() for level, rank in companions]
    listed = number(len(companions)) + b"".join(name(level) + number(rank + shift) for level, rank in companions) if companions else b""
    stream = deflate(new, b"".join(part + b"\n" for part in dictionary + old + middles))
    index += number(example[0] + 1) + name(example[1]) if example else number(0)
    groups = number(2 * count + (example is not None)) + sources + listed + number(len(stream)) if count else b""
    index += groups
    if packed:
        index = deflate(index)
    flags = complete | 2 * (since is not None) | 4 * (published is not None) | 8 * packed | 32 * bool(companions)
    document = b"VSD\x01" + bytes([flags]) + number(len(VENUE)) + VENUE.encode()
    document += (b"" if since is None else number(since)) + number(to - (since or 0)) + bytes.fromhex(REVISIONS[to][8:])
    document += b"" if published is None else number(published)
    same_groups = len(os.path.commonprefix([cursor, after])) // 4
    rest = cursor[4 * same_groups:]
    token = base64.urlsafe_b64decode(rest + "=" * (-len(rest) % 4))
    assert base64.urlsafe_b64encode(token).decode().rstrip("=") == rest
    document += text_of("en") + text_of(None) + text_of(None) + number(same_groups) + number(len(token)) + token
    document += number(len(index)) + index + (stream if count else b"")
    return binary(document)


def binary(document):
    headers = {"Content-Type": "application/vnd.venuesync.delta"}
    return {"status": 200, "headers": headers, "body": [], "base64": base64.b64encode(document).decode()}


def damaged(reply, change):
    return binary(change(base64.b64decode(reply["base64"])))


def ask_delta(since, reply, levels=()):
    exchange = ask(since, reply, levels)
    return {**exchange, "request": {**exchange["request"], "form": "delta"}}


def problem(status, slug, headers=None, **members):
    text = compact({"type": f"/problems/{slug}", "title": slug.replace("-", " "), "status": status, **members})
    return reply([text], status, headers)


def ask(since, reply, levels=(), path=f"/venues/{VENUE}/sync"):
    return {"request": {"path": path, "since": since, "level": list(levels)}, "reply": reply}


def fetch(revision, id, reply, **more):
    level = "venue" if id is None else id
    return ask(None, reply, [level], f"/venues/{VENUE}/revisions/{revision}/features") | more


def holds(revision, cursor, **levels):
    names = {"venue": "-", "ground": GROUND, "first": FIRST}
    return {
        "revision": revision, "cursor": cursor,
        "levels": {
            names[name]: {"digest": digest(bodies), "bodies": sorted(bodies, key=lambda line: json.loads(line)["id"])}
            for name, bodies in levels.items()}}
