// A program that uses the whole package; only its types are checked.

import {
    CatalogueReplica, GeoJSONSource, IndexedDBReplicaStore, MemoryReplicaStore, OpeningHours, OpeningHoursError, RetryPolicy, SyncError,
    VenueMap, VenueReplica, WayfindingMap, applyUpdate, followEvents, labelText, labelTexts, listVenues, placesOf,
    reachabilityReport,
} from "@venuesync/client";
import type { FollowEvent, ReplicaFeature, ReplicaStore, SyncReport } from "@venuesync/client";
import { FileReplicaStore } from "@venuesync/client/files";

const stores: ReplicaStore[] = [new FileReplicaStore("mall"), new IndexedDBReplicaStore("mall"), new MemoryReplicaStore()];
const policy = new RetryPolicy({ attempts: 2, minimumPause: 10, now: () => 0 });

export async function main(map: { addSource(id: string, source: object): void; getSource(id: string): unknown }): Promise<void> {
    const replica = await VenueReplica.open({ server: new URL("https://maps.example"), venue: "mall", key: () => null, store: stores[0], policy });
    replica.addEventListener("change", ({ detail }) => {
        const touched: (string | null)[] = [...detail.touchedLevels];
        console.log(detail.added + detail.changes.length, touched);
    });
    replica.addEventListener("connection", ({ detail }) => console.log(detail.state === "offline", detail.lastSynced?.getTime()));
    const report: SyncReport = await replica.sync({ levels: "everything", signal: new AbortController().signal });
    await replica.add("ordinal:0");
    await replica.drop(["ordinal:1"]);
    const units: ReplicaFeature[] = replica.features({ types: ["unit"], level: null });
    console.log(units[0]?.name(["ja"])?.length, report.repaired, replica.state.selection ?? "none");

    const venue = VenueMap.of(replica, [null]);
    const [result] = venue.search("café", { types: ["occupant"], instant: new Date(), limit: 3 });
    const longitude: number | undefined = result?.point?.position[0];
    console.log(longitude, venue.nearest(2, "restroom", [139, 35], "x")[0]?.floors, venue.openness("x", new Date()).nextChange?.getTime());
    console.log(venue.featuresAt([139, 35], "x", { reach: 5 }).map(({ id }) => id), venue.floors[0]?.levels[0]?.shortName, labelText({ ja: "店" }), labelTexts("x"));
    const source = new GeoJSONSource("floor", { propertiesOf: (feature) => ({ name: feature.name() }), types: ["unit"] });
    applyUpdate(map, source.update(units), (id) => console.log(id, source.feature("x")?.geometry));

    console.log(placesOf(replica, ["x"], { canBeOccupied: (category) => category !== "walkway" })[0]?.point[1]);
    console.log(venue.featuresOn("x").length, venue.openness("x", new Date()).isLenient, OpeningHours.parseLeniently("9-5")?.strictText);
    const hours = OpeningHours.parse("24/7");
    if (hours?.state(new Date(), venue.timeZone, { publicHolidays: new Set(["2031-01-01"]) }) === "open") console.log(hours.week.days[0]?.[0]?.start);
    const catalogue = await CatalogueReplica.open({ server: "https://maps.example", key: "secret", store: stores[1] });
    await catalogue.follow((event) => console.log(event.kind === "synced" ? event.report.gone : event.kind));
    console.log(catalogue.venue("mall")?.levels()[0]?.digest, (await listVenues({ server: "https://maps.example" }))[0]?.levels[0]?.bytes);
    const onEvent = (event: FollowEvent): void => {
        if (event.kind === "failed") console.log(event.error.kind, event.pause, event.error.retryAfter);
        if (event.report) console.log(event.report.to);
    };
    try {
        await replica.follow(onEvent, { adding: "ordinal:0" });
    } catch (error) {
        if (error instanceof SyncError && error.kind === "unauthorized") console.log(error.status, error.isRetryable);
        if (error instanceof OpeningHoursError) console.log(error.offset);
    }
    const route = await replica.route({ from: { feature: "a" }, to: { feature: "b" }, at: new Date(), closed: ["c"] });
    console.log(route.status, route.revision, route.hours, (await replica.nearest({ from: { feature: "a" }, features: ["b"] }))[0]?.seconds);
    const { revision, egress, units: shares } = await replica.reachability({ egress: true, signal: new AbortController().signal });
    console.log(revision, egress?.units[0]?.exits[0]?.distance, shares["step-free"].reached, (await reachabilityReport(WayfindingMap.of(replica))).mend[0]?.code);
    replica.discardRoutes();
    const routes = WayfindingMap.of(replica);
    const [near] = routes.nearest({ from: { longitude: 139.7, latitude: 35.6, ordinal: 0 }, features: ["a", "b"], closed: [["c", null]] });
    const answer = routes.route({ from: { feature: near?.feature ?? "a" }, to: { feature: "b" }, profile: "step-free", languages: ["ja"] });
    console.log(answer.status, answer.legs[0]?.geometry.coordinates[0]?.[0], answer.alternative?.profile, routes.timetables[0]?.hours);
    await followEvents({ server: "https://maps.example", key: "secret", onRevision: ({ venue, revision }) => console.log(venue, revision + 1) });
    await replica.close();
    // @ts-expect-error: the constructor is not public.
    new VenueReplica();
    // @ts-expect-error: there is no such kind.
    new SyncError("lost", "x");
}
