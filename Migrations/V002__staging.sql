-- What a staged upload would change, and against what it was shown. A time in `publish_at` says that it is published then;
-- with a reason against it an upload has none.
ALTER TABLE upload
    ADD COLUMN facts           jsonb,                   -- what its change log would be told from
    ADD COLUMN shown           bytea,                   -- digest of the difference as it was shown; NULL: nothing was yet
    ADD COLUMN published_by    text,                    -- who asked for it to be published, once it was staged
    ADD COLUMN publish_base    bigint,                  -- the revision that they believe to be the newest
    ADD COLUMN publish_confirm text[];                  -- reasons that do not stop it; NULL: nobody asked

-- One row for every change of a staged upload, as long as it is staged or may be so again.
CREATE TABLE staged_change (
    upload_id    uuid   NOT NULL REFERENCES upload ON DELETE CASCADE,
    feature_id   uuid   NOT NULL,
    kind         text   NOT NULL CHECK (kind IN ('added', 'changed', 'removed')),
    feature_type text   NOT NULL,
    level_before uuid,                                  -- NULL: the venue-wide part, or not there
    level_after  uuid,
    classes      text[] NOT NULL,
    body         text,                                  -- after the change; NULL for what is removed
    PRIMARY KEY (upload_id, feature_id)
);

-- The sentences about a staged upload need the names of its levels, whatever else would change.
CREATE INDEX staged_change_levels ON staged_change (upload_id) WHERE feature_type = 'level' AND body IS NOT NULL;

-- Workers look for staged uploads too, whose time may have come.
DROP INDEX upload_waiting;
CREATE INDEX upload_unfinished ON upload (place) WHERE state IN ('received', 'processing', 'staged');

-- Whether the chunks are there. They go when nobody needs them any more; hash and size stay.
ALTER TABLE archive ADD COLUMN stored boolean NOT NULL DEFAULT true;
CREATE INDEX archive_stored ON archive (id) WHERE stored;
CREATE INDEX upload_by_archive ON upload (archive_id);

DO $$
BEGIN
    ALTER TABLE staged_change ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    NULL;
END
$$;
