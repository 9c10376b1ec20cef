-- Where a venue's history begins. What lies before was pruned: first this is raised, and from then on nobody is answered about it;
-- then it is deleted.
ALTER TABLE venue ADD COLUMN first_revision bigint NOT NULL DEFAULT 1;
CREATE INDEX venue_to_prune ON venue (id) WHERE keep_revisions IS NOT NULL OR first_revision > 1;

-- On which server this database was when somebody looked last, and in which of its histories. A copy that is served elsewhere
-- goes on from there in a way of its own. NULL: not known.
CREATE TABLE lineage (
    only_row          boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    system_identifier bigint,
    timeline          integer,
    database_id       bigint
);
INSERT INTO lineage DEFAULT VALUES;
