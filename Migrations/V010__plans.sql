-- Every statement has one good plan whatever the planner knows of the tables: right after the first import it knows nothing, and
-- guesses that a whole venue is a few rows. So the indexes below are partial, by conditions that hold for every row and follow from
-- nothing else that a statement says. Only a statement that repeats the condition can be planned with the index; one that looks
-- features up by their ids has nothing but the primary key.
DROP INDEX feature_version_begun;
CREATE INDEX feature_version_begun ON feature_version (venue_id, from_revision) WHERE to_revision > from_revision;
DROP INDEX feature_version_ended;
CREATE INDEX feature_version_ended ON feature_version (venue_id, to_revision, level_id) WHERE generation >= 0;
DROP INDEX level_state_by_revision;
CREATE INDEX level_state_by_revision ON level_state (venue_id, revision) WHERE revision > 0;
DROP INDEX revision_of_venue_by_position;
CREATE INDEX revision_of_venue_by_position ON revision (venue_id, position) WHERE position > 0;

-- An import of one venue is few rows among those of a thousand, and yet most of what is asked for next.
ALTER TABLE feature_version SET (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE level_state SET (autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE revision SET (autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE feature_alias SET (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE staged_change SET (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE upload SET (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);

-- The advisory lock that the worker of an upload holds as long as its process lives. NULL: only its lease says whether it does.
ALTER TABLE upload
    ADD COLUMN lease_session bigint,
    ADD COLUMN renewed_at    timestamptz;
