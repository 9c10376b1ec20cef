-- The rule book runs after the publish, under the same lease: with which edition it judged and when, what it could not look at,
-- how often it was begun, and what the archive says of its making, for the one that follows it.
ALTER TABLE upload
    ADD COLUMN rule_set        text,                    -- NULL: only what is seen at the door
    ADD COLUMN checked_at      timestamptz,
    ADD COLUMN skipped         jsonb   NOT NULL DEFAULT '[]',
    ADD COLUMN validations     integer NOT NULL DEFAULT 0,
    ADD COLUMN archive_created text;

-- Workers look here when nothing waits to be published.
CREATE INDEX upload_unvalidated ON upload (place) WHERE state IN ('published', 'unchanged') AND NOT findings_complete;
