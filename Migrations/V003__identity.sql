-- Uploads that ended in `published` or `unchanged`: what the age of an alias is counted in.
ALTER TABLE venue ADD COLUMN imports bigint NOT NULL DEFAULT 0;

-- Ids under which producers sent features that the store knows by another id. Like versions without a foreign key, which would
-- be looked up for every row.
CREATE TABLE feature_alias (
    venue_id   bigint NOT NULL,
    alias      uuid   NOT NULL,
    feature_id uuid   NOT NULL,
    used       bigint NOT NULL,                         -- the last import that it came in
    PRIMARY KEY (venue_id, alias)
) WITH (fillfactor = 50);                               -- so that using an alias again rewrites its row in place

-- What an upload's ids were taken for, in blocks: an archive may have a new id for everything.
CREATE TABLE upload_match (
    upload_id     uuid    NOT NULL REFERENCES upload ON DELETE CASCADE,
    number        integer NOT NULL,                     -- of the first match in the block
    kind          text    NOT NULL CHECK (kind IN ('alias', 'exact', 'near')),
    feature_ids   uuid[]  NOT NULL,
    archive_ids   uuid[]  NOT NULL,
    feature_types text[]  NOT NULL,
    reasons       text[]  NOT NULL,
    scores        double precision[] NOT NULL,
    PRIMARY KEY (upload_id, number)
);
