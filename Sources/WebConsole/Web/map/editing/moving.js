// Moves the position of a place on the map: by dragging a handle, or with the arrow keys.

import { announce } from "../../ui/toast.js";
import { changeTable, planNotes, problemsOf } from "./review.js";
import { fill, h, icon } from "../../ui/element.js";
import { formatLength } from "../../desk/formats.js";
import { isolated, withNames } from "../../ui/names.js";
import { labelText } from "../labels.js";
import { metresBetween } from "../../client/map/geometry.js";
import { patchFeature, readFeature, undoChanges } from "./requests.js";
import { problemLine } from "../../desk/problem-messages.js";
import { publishedToast } from "./undo.js";
import { StepDialog } from "./step-dialog.js";
import { valueAt } from "./changes.js";
import { localized } from "../../localization/localization.js";

/** How far an arrow key moves the handle, in pixels; with the Shift key, the second. */
const steps = [2, 20];
/** Digits of longitudes and latitudes: about a centimetre. */
const digits = 7;

/** `feature` has the position at `pointer`. Resolves when the position was published or the user has cancelled. */
export async function movePlace({ page, place, feature, pointer }) {
    const state = await readFeature(page.venueKey, feature.id);
    const map = page.map().mapLibre;
    const start = place.point;
    let position = start;
    const moved = h("p", { class: "moved", role: "status" });
    const handle = h("button", {
        type: "button", class: "map-handle", "aria-label": localized("edit.handle", { name: place.name }), "aria-describedby": "move-help",
    }, icon("pin"));
    const element = page.frame().element;
    const outcome = await new Promise((resolve) => {
        const bar = h(
            "section", { class: "map-edit-bar", "aria-labelledby": "move-title" },
            h("h2", { id: "move-title" }, withNames(localized("edit.moveTitle", { name: isolated(place.name) }))),
            h("p", { class: "help", id: "move-help" }, localized("edit.moveHelp")), moved,
            h("p", { class: "bar-buttons" },
                h("button", { type: "button", class: "quiet", onclick: () => resolve(finish(null)) }, localized("dialog.cancel")),
                h("button", {
                    type: "button", class: "primary",
                    onclick: () => (position === start ? announce(localized("edit.notMoved")) : resolve(finish(position))),
                }, localized("edit.review"))));
        const onKey = (event) => event.key === "Escape" && !document.querySelector("dialog") && resolve(finish(null));
        const onLeave = () => resolve(finish(null));
        const draw = () => {
            const { x, y } = map.project(position);
            handle.style.translate = `${x}px ${y}px`;
        };
        const finish = (result) => {
            map.off("render", draw);
            document.removeEventListener("keydown", onKey);
            page.signal.removeEventListener("abort", onLeave);
            handle.remove();
            bar.remove();
            element.classList.remove("is-editing");
            return result;
        };
        const show = (next) => {
            position = next.map((degrees) => Number(degrees.toFixed(digits)));
            const metres = metresBetween(start, position);
            if (metres < 0.01) position = start;
            fill(moved, position === start ? "" : localized("edit.moved", { length: formatLength(metres) }));
            draw();
        };
        element.classList.add("is-editing");
        element.append(bar);
        map.getContainer().append(handle);
        map.on("render", draw);
        document.addEventListener("keydown", onKey);
        page.signal.addEventListener("abort", onLeave);
        followPointer(map, handle, () => position, show);
        handle.addEventListener("keydown", (event) => {
            const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
            if (dx === 0 && dy === 0) return;
            event.preventDefault();
            const { x, y } = map.project(position);
            const step = steps[event.shiftKey ? 1 : 0];
            show(map.unproject([x + dx * step, y + dy * step]).toArray());
            if (!isVisible(map, position)) map.easeTo({ center: position, duration: 0 });
        });
        page.map().goTo(place);
        draw();
        handle.focus();
    });
    if (outcome) await reviewPosition({ page, place, state, pointer, position: outcome, metres: metresBetween(start, outcome) });
}

/** Whether a position is on the map, and not near its border. */
function isVisible(map, position) {
    const { x, y } = map.project(position);
    const { clientWidth: width, clientHeight: height } = map.getContainer();
    return x > 40 && x < width - 40 && y > 60 && y < height - 40;
}

/** Lets the pointer drag the handle. The distance between the pointer and the position stays as it was at the start. */
function followPointer(map, handle, position, show) {
    let offset = null;
    handle.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        handle.focus();
        handle.setPointerCapture(event.pointerId);
        const { x, y } = map.project(position());
        offset = [x - event.clientX, y - event.clientY];
    });
    handle.addEventListener("pointermove", (event) => {
        if (offset) show(map.unproject([event.clientX + offset[0], event.clientY + offset[1]]).toArray());
    });
    for (const name of ["pointerup", "pointercancel"]) handle.addEventListener(name, () => { offset = null; });
}

async function reviewPosition({ page, place, state, pointer, position, metres }) {
    const { venueKey } = page;
    const { id } = state.feature;
    const changes = [{ pointer, before: valueAt(state.feature, pointer), value: { type: "Point", coordinates: position } }];
    const send = async (isDryRun) => {
        try {
            return await patchFeature(venueKey, id, changes, { tag: state.tag, isDryRun });
        } catch (error) {
            if (error.type === "feature-changed") throw new Error(localized("edit.movedMeanwhile"));
            throw new Error(problemsOf(error)[0]?.text ?? problemLine(error));
        }
    };
    const plan = await send(true);
    const dialog = new StepDialog();
    const others = occupantsOf(page, id).filter((occupant) => occupant.id !== place.id);
    dialog.show({
        title: localized("edit.review.title", { name: isolated(place.name) }),
        body: [
            h("p", {}, localized("edit.moved", { length: formatLength(metres) })),
            others.length > 0 && h("p", { class: "notice" }, withNames(localized("edit.movesOthers", {
                names: others.map((occupant) => isolated(labelText(occupant.properties.name) ?? occupant.id)).join(localized("edit.comma")),
            }))),
            changeTable(changes), planNotes(plan),
        ],
        actions: [
            dialog.cancelAction,
            {
                label: localized("edit.publish"), kind: "primary",
                act: async () => {
                    const result = await send(false);
                    dialog.close();
                    const message = localized("edit.undoMessage", { n: result.revision });
                    publishedToast(isolated(place.name), result, () => undoChanges(venueKey, id, changes, state.overrides, message));
                },
            },
        ],
    });
    await dialog.closed;
}

/** The occupants whose position is this anchor. */
function occupantsOf(page, anchor) {
    return page.floor().levels.flatMap(({ id }) => page.live.featuresOf(id))
        .filter(({ type, properties }) => type === "occupant" && properties.anchor_id?.toLowerCase?.() === anchor);
}
