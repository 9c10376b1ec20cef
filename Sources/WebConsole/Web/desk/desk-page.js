// The desk: the pages for operators, with their tabs and routes.
//   #/{venue}/desk               uploads, decisions        overview.js
//   #/{venue}/desk/uploads       all uploads               upload/uploads-page.js
//   #/{venue}/desk/uploads/{id}  one upload                upload/upload-page.js
//   #/{venue}/desk/history       the log                   history/history-page.js
//   #/{venue}/desk/restore?to=3  rolling back              history/restore-page.js
//   #/{venue}/desk/compare       comparing two revisions   history/compare-page.js
//   #/{venue}/desk/overrides     what was edited by hand   overrides/overrides-page.js
//   #/{venue}/desk/reachability  what can be reached       reachability/reachability-page.js
//   #/{venue}/desk/links         links for visitors        links/links-page.js
//   #/{venue}/desk/settings      settings, deletion        manage/settings-page.js
//   #/~/calendar                 what happens at a set time  calendar/calendar-page.js
//   #/~/keys                     API keys                  manage/keys-page.js
//   #/~/audit                    changes of settings and keys  manage/audit-page.js
//   #/~/new                      creating a venue          upload/new-venue-page.js
// A view is a module that exports `show(desk)` and fills `desk.root`. `desk` is the context of a view:
// `{root, signal, venueKey, venue, settings, role, path, query, can(role)}`; `venue` is null while the venue has no revision, and `settings` for keys
// that may not change them.

import "./messages.js";
import { Appearance } from "../map/appearance.js";
import { applyTheme } from "../map/venue-theme.js";
import { contestedBadge } from "./overrides/badge.js";
import { labelText } from "../map/labels.js";
import { errorState, loadingState } from "../ui/states.js";
import { fill, h } from "../ui/element.js";
import { problemMessage } from "./problem-messages.js";
import { includesRole, loadVenueAccess } from "./role.js";
import { lazyModule } from "../lazy-module.js";
import { session } from "../session.js";
import { watchTransfers } from "./upload/transfer-list.js";
import { localized } from "../localization/localization.js";

const venueViews = {
    overview: { load: () => import("./overview.js"), role: "publish", tab: "overview" },
    uploads: { load: () => import("./upload/upload-page.js"), role: "publish", tab: "overview", isWide: true },
    allUploads: { load: () => import("./upload/uploads-page.js"), role: "publish", tab: "overview", isWide: true },
    history: { load: () => import("./history/history-page.js"), role: "read", tab: "history" },
    restore: { load: () => import("./history/restore-page.js"), role: "publish", tab: "history", isWide: true },
    compare: { load: () => import("./history/compare-page.js"), role: "read", tab: "compare", isWide: true },
    overrides: { load: () => import("./overrides/overrides-page.js"), role: "publish", tab: "overrides" },
    reachability: { load: () => import("./reachability/reachability-page.js"), role: "read", tab: "reachability" },
    links: { load: () => import("./links/links-page.js"), role: "publish", tab: "links" },
    settings: { load: () => import("./manage/settings-page.js"), role: "admin", tab: "settings" },
};

/** The views that belong to no single venue. */
const globalViews = {
    audit: () => import("./manage/audit-page.js"),
    calendar: () => import("./calendar/calendar-page.js"),
    keys: () => import("./manage/keys-page.js"),
    new: () => import("./upload/new-venue-page.js"),
};

const tabs = ["overview", "overrides", "history", "compare", "reachability", "links", "settings"];

export async function show(context, route) {
    watchTransfers();
    const [name, id] = route.path;
    if (route.venue === null) return showGlobalView(context, route, globalViews[name]);
    // The log of a public venue is for its operators: it names people. The server does not hide it.
    if (!session.isSignedIn) throw { status: 401 };
    const { role, venue, settings } = await loadVenueAccess(route.venue, context.signal);
    // Unknown routes lead to the overview. It needs the role `publish`; with other roles, they lead to the log.
    const isKnown = Object.hasOwn(venueViews, name ?? "");
    const view = venueViews[name === "uploads" && !id ? "allUploads" : isKnown ? name : includesRole(role, "publish") ? "overview" : "history"];
    if (!includesRole(role, view.role)) throw { status: 403 };
    // Maps of changes have the colours that the venue chooses for groups.
    applyTheme(new Appearance(venue?.appearance), context.signal, { hasAccent: false });
    const root = h("div", { class: "desk-view" });
    const title = labelText(venue?.name) ?? route.venue;
    context.setTitle(`${localized(`desk.tab.${view.tab}`)} · ${title}`);
    fill(context.root, h(
        "div", { class: view.isWide ? "page desk is-wide" : "page desk" },
        h("header", { class: "desk-header" }, heading(route.venue, title, venue), tabList(route.venue, role, view.tab, context.signal)),
        root));
    await showView(view.load, {
        root, signal: context.signal, venueKey: route.venue, venue, settings, role, path: route.path.slice(1), query: route.query,
        can: (needed) => includesRole(role, needed),
    });
}

async function showView(load, desk) {
    fill(desk.root, loadingState());
    try {
        const module = await lazyModule(load);
        if (!desk.signal.aborted) await module.show(desk);
    } catch (error) {
        if (desk.signal.aborted) return;
        fill(desk.root, errorState(explained(error), { retry: () => showView(load, desk) }));
    }
}

/** Replaces the title and detail of a problem by the messages of the desk, unless `errorState` has its own for the status. */
function explained(error) {
    if ([0, 401, 403].includes(error.status) || !error.type) return error;
    const { title, advice } = problemMessage(error);
    return { title, detail: advice };
}

function showGlobalView(context, route, load) {
    if (!load) return location.replace("#/");
    const root = h("div", { class: "desk-view" });
    context.setTitle(localized(`desk.${route.path[0]}.title`));
    fill(context.root, h("div", { class: "page desk" }, root));
    return showView(load, { root, signal: context.signal, query: route.query });
}

function heading(venueKey, title, venue) {
    return h(
        "div", { class: "desk-title" },
        h("h1", {}, h("bdi", {}, title)),
        h("p", {},
            h("span", { class: "desk-key" }, venueKey),
            venue && h("span", { class: "tag", id: "desk-header-revision" }, localized("desk.revision", { n: venue.head })),
            venue?.public && h("span", { class: "tag" }, localized("venues.public"))));
}

function tabList(venueKey, role, current, signal) {
    const visible = tabs.filter((tab) => includesRole(role, venueViews[tab].role));
    return h(
        "nav", { class: "desk-tabs", "aria-label": localized("desk.tabs") },
        visible.map((tab) => h("a", {
            href: tab === "overview" ? `#/${venueKey}/desk` : `#/${venueKey}/desk/${tab}`,
            "aria-current": tab === current ? "page" : undefined,
        }, localized(`desk.tab.${tab}`), tab === "overrides" && contestedBadge(venueKey, signal))));
}
