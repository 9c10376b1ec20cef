// Replicas with scripted responses.

import { CatalogueReplica, RetryPolicy, VenueReplica } from "@venuesync/client";

import { ScriptedFetch, server } from "./scripted-fetch.js";

/** Does not sleep. `pauses` lists the pauses in milliseconds. */
export function instantPolicy(values = {}) {
    const policy = new RetryPolicy({ attempts: 1, randomFraction: () => 0, ...values });
    policy.pauses = [];
    policy.sleep = async (milliseconds, signal) => {
        signal?.throwIfAborted();
        policy.pauses.push(milliseconds);
    };
    return policy;
}

/** `{replica, network}` */
export async function scriptedReplica(responses, { policy = instantPolicy(), ...options } = {}) {
    const network = new ScriptedFetch(responses);
    const replica = await VenueReplica.open({ server, venue: "mall", key: "secret", fetch: network.fetch, policy, ...options });
    return { replica, network };
}

/** `{catalogue, network}` */
export async function scriptedCatalogue(responses, options = {}) {
    const network = new ScriptedFetch(responses);
    const catalogue = await CatalogueReplica.open({ server, key: "secret", fetch: network.fetch, policy: instantPolicy(), ...options });
    return { catalogue, network };
}

/** The bodies of a venue by level. */
export function bodiesOf(reader) {
    return Object.fromEntries(reader.levels().filter(({ isHeld }) => isHeld)
        .map(({ level }) => [level ?? "-", reader.features({ level }).map(({ body }) => body)]));
}
