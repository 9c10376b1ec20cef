"""The status that is right for an answer, what may be missing on the map, and whether the reasons hold."""

import json

from obstacles import suffice
from passages import MODES, RESTRICTIONS, STEPS, Rules, boxes_meet
from plan import CANNOT_BE_ENTERED, KINDS


class Missing:
    """What is not on the map and may be a way: the doors of lifts that nothing enters, the other floors of those that lead to none, and units
    without a usable outline. `rules` ignore what is closed."""

    def __init__(self, passages, profile, rules):
        self.passages, self.rules, plan = passages, rules, passages.plan
        kinds = MODES if profile == "walk" else ("elevator", "ramp")
        self.pieces = [piece for floor in plan.floors.values() for piece in floor.pieces]
        lifts = [unit for unit in plan.units.values() if unit.kind in kinds and unit.pieces and not rules.on_unit(unit)
                 and plan.features[unit.id]["properties"].get("category") != "steps"]
        self.leading = [unit for unit in lifts if unit not in passages.linked]
        self.doorless = [unit for unit in lifts if unit in passages.linked and not passages.is_entered(unit)]
        self.unusable_ordinals, self.unusable_lifts = set(), []
        for feature in plan.features.values():
            properties = feature["properties"]
            category, level = properties.get("category") or "", properties.get("level_id")
            is_restricted = category == "nonpublic" or (properties.get("restriction") or "").strip()
            if feature["type"] != "unit" or feature["id"] in plan.units or level not in plan.levels or is_restricted:
                continue
            kind = None if category in CANNOT_BE_ENTERED else KINDS.get(category, "floor")
            if kind in kinds and category != "steps":
                self.unusable_lifts.append((feature["id"], plan.levels[level]))
            if kind in ("floor", "ramp") or category == "steps" and profile == "walk":
                self.unusable_ordinals.add(plan.levels[level])

    def may_lead(self, starts, ends, is_beside):
        """Whether there may be a way. `is_beside` says whether a missing door may join a lift with a piece of its floor."""
        beside = {unit: [piece for piece in self.pieces if piece.unit is not unit and piece.unit.ordinal == unit.ordinal and is_beside(unit, piece)]
                  for unit in [*self.doorless, *(unit for unit in self.leading if not self.passages.is_entered(unit))]}
        near, far = self.rules.reached(starts), self._spread(ends, beside)
        boards = any(near & set(unit.pieces) and far & set(beside[unit]) for unit in self.doorless)
        if boards or near & far:
            return True
        places = {unit.id: (unit.ordinal, {*unit.pieces, *beside.get(unit, [])}) for unit in self.leading}
        places |= {lift: (ordinal, {piece for piece in self.pieces if piece.unit.ordinal == ordinal}) for lift, ordinal in self.unusable_lifts}
        for one, other in ((near, far), (far, near)):
            there = {lift for lift, (_, pieces) in places.items() if pieces & other}
            floors = {piece.unit.ordinal for piece in other}
            if any(pieces & one and (floors - {ordinal} or there - {lift}) for lift, (ordinal, pieces) in places.items()):
                return True
        return False

    def _spread(self, ends, beside):
        """The pieces from which the ends can be reached if doors that are not on the map are where they may be."""
        found, boarded = self.rules.reached(ends, is_reversed=True), set()
        while True:
            ordinals = {piece.unit.ordinal for piece in found} & self.unusable_ordinals
            more = {piece for piece in self.pieces if piece.unit.ordinal in ordinals}
            for unit in self.doorless:
                if found & set(unit.pieces):
                    more |= set(beside[unit])
                if unit not in boarded and found & set(beside[unit]):
                    boarded.add(unit)
                    # Nobody passes a lift to leave it on the same floor: from its door, it leads to others.
                    more |= {piece for inside in unit.pieces for _, _, stop in self.rules.rides(inside, True) for piece in stop.pieces}
            more = {piece for piece in more if self.rules.is_open(piece)} - found
            if not more:
                return found
            found |= self.rules.reached(more, is_reversed=True)


def status(passages, profile, closed, starts, ends, start=None, end=None):
    """The statuses that are right for pieces at both ends. Units at the ends are given where the query names a feature in them."""
    rules = Rules(passages, profile, closed, start, end)

    def joins(codes):
        return bool(rules.ignoring(codes).reached(starts) & set(ends))

    if joins(frozenset()):
        return {"route"}
    if closed and joins({"closed"}):
        return {"infeasible"}
    if not any(joins(codes | {"closed"}) for codes in (STEPS, RESTRICTIONS, STEPS | RESTRICTIONS)):
        return {"unknown"}
    missing = Missing(passages, profile, rules.ignoring({"closed"}))
    if missing.may_lead(starts, ends, lambda unit, piece: unit.area.distance(piece.area) <= 600):
        return {"unknown"}
    # How far a door can be from the lift to which it was meant to lead is not said exactly.
    is_possible = missing.may_lead(starts, ends, lambda unit, piece: boxes_meet(unit.bounds, piece.unit.bounds, 1_501))
    return {"none", "unknown"} if is_possible else {"none"}


def reasons_hold(passages, query, answer, starts, ends, start=None, end=None):
    """What is wrong with the reasons of an answer, as a text; None for nothing."""
    closed = {feature for feature, _ in query["closed"]}
    reasons = answer["reasons"]
    if answer["status"] == "infeasible":
        named = {reason["feature"] for reason in reasons}
        if not named or not named <= closed or {reason["code"] for reason in reasons} != {"closed"}:
            return f"reasons {json.dumps(reasons)} for what is closed"
        if not Rules(passages, query["profile"], closed - named, start, end).reached(starts) & set(ends):
            return "there is no way either if what is named were open"
    if answer["status"] == "none":
        problem = suffice(passages, query, answer, starts, ends, start, end)
        if problem:
            return problem
    for reason in reasons:
        unit = passages.plan.units.get(reason.get("feature"))
        if reason["code"] == "no-opening":
            portals = passages.plan.floors[unit.ordinal].portals
            joined = [portal for portal in portals if len(portal.pieces) == 2 and unit in [piece.unit for piece in portal.pieces]]
            if joined or passages.is_entered(unit):
                return f"{unit.id} has a passage"
        if reason["code"] == "one-way" and not any(portal in passages.one_way for portal in passages.plan.portals_of(reason["feature"])):
            return f"{reason['feature']} is passed in both directions"
        if reason["code"] == "leads-nowhere" and unit in passages.linked:
            return f"{unit.id} leads somewhere"
    if answer["status"] in ("infeasible", "none", "unknown") and not reasons:
        return "no reason"
    return None
