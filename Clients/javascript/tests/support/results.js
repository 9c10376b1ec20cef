// The classes of errors in Tests/Conformance.

const results = {
    unreachable: "unreachable", unavailable: "unavailable", unauthorized: "unauthorized", unknownVenue: "unknown", venueGone: "gone",
    refused: "wrong", malformed: "wrong", contradiction: "wrong", wrongDigest: "wrong", untrusted: "untrusted", diskFull: "disk-full", busy: "file", file: "file",
};

export const resultOf = (error) => results[error.kind];

/** Whether an error is a `SyncError` of a kind. */
export const kindOf = (kind) => (error) => error.name === "SyncError" && error.kind === kind;
