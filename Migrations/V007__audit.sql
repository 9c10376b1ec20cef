-- The audit log: changes of settings and keys. An entry is inserted in the transaction of its change, and never changed or deleted; also those
-- of a deleted venue and of a revoked key remain.
CREATE TABLE audit_entry (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    author      text        NOT NULL,                   -- the name of the key
    author_key  uuid,                                   -- the key; NULL: that of the configuration, or the program itself
    venue       text,                                   -- a venue key; NULL: the change is of no single venue
    action      text        NOT NULL,
    detail      text        NOT NULL                    -- JSON: what was changed
);
CREATE INDEX audit_entry_by_venue ON audit_entry (venue, id) WHERE venue IS NOT NULL;
