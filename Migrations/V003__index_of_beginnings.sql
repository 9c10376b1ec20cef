-- Versions by their beginning are looked for only after some revision, so those of first revisions need no entry: a first import writes
-- one index less.
DROP INDEX feature_version_by_from_revision;
CREATE INDEX feature_version_by_from_revision ON feature_version (venue_id, from_revision) WHERE from_revision > 1;
