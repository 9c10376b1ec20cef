-- The schema of the revision store.
--
-- Indexes. Every statement has one good plan, whatever statistics the planner has: right after the first import it has none, and
-- estimates a whole venue at a few rows. So some indexes are partial, with a condition that holds for every row and that the
-- planner cannot derive from anything else in a statement. Only a statement that repeats the condition can be planned with the
-- index; a statement that looks features up by their ids is left with the primary key.
--
-- Autovacuum. An import of one venue adds few rows to tables that hold a thousand venues, yet most of the following requests read
-- these rows. So the tables are analysed after smaller changes than by default.

-- Venues and keys ------------------------------------------------------------------------------------------------------------

-- A venue, under the key that its operator chose. A deleted venue keeps its row, so that its clients learn that it is gone.
CREATE TABLE venue (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key            text        NOT NULL UNIQUE,
    head           bigint      NOT NULL DEFAULT 0,      -- the newest revision; 0: there is none yet
    first_revision bigint      NOT NULL DEFAULT 1,      -- older revisions are pruned: nobody reads them, and they are being deleted
    epoch          bigint      NOT NULL,                -- renewed whenever the database has another lineage
    -- The epochs before promotions, each followed by the newest revision of that time, oldest first. Up to this revision the present
    -- history and every other one that continued the former epoch are the same, so cursors of it stay valid.
    former_epochs  bigint[]    NOT NULL DEFAULT '{}',
    public         boolean     NOT NULL DEFAULT false,
    validation     text        NOT NULL DEFAULT 'report' CHECK (validation IN ('report', 'strict')),
    identity       text        NOT NULL DEFAULT 'repair' CHECK (identity IN ('repair', 'trust')),
    removal_guard  boolean     NOT NULL DEFAULT true,
    time_zone      text,
    -- Who or what determined time_zone; NULL: nothing yet. An operator may also have removed it.
    time_zone_source text      CHECK (time_zone_source IN ('operator', 'country', 'position')),
    keep_revisions integer     CHECK (keep_revisions > 0),
    overrides      text        NOT NULL DEFAULT 'keep' CHECK (overrides IN ('keep', 'ask', 'yield')),
    appearance     text        CHECK (octet_length(appearance) <= 16384),       -- canonical JSON: colours, hidden categories
    embed_origins  text        CHECK (octet_length(embed_origins) <= 32768),    -- canonical JSON: a list of origins
    basemap        text        CHECK (octet_length(basemap) <= 8192),           -- canonical JSON: addresses and an attribution
    -- Raised with every change of an override, so that what was computed from older overrides is not written.
    override_number bigint     NOT NULL DEFAULT 0,
    -- Uploads that ended in `published` or `unchanged`. The age of an alias is counted in them.
    imports        bigint      NOT NULL DEFAULT 0,
    -- The venue's number in cursors: 1, 2, 3 … without gaps, given with the first revision and never changed.
    catalogue_index bigint     UNIQUE,
    change_number  bigint      NOT NULL DEFAULT 0,      -- of the last change of this row; see catalogue
    created_at     timestamptz NOT NULL DEFAULT now(),
    deleted_at     timestamptz
);
CREATE INDEX venue_by_change_number ON venue (change_number);
CREATE INDEX venue_to_prune ON venue (id) WHERE keep_revisions IS NOT NULL OR first_revision > 1;

-- The secret of a key is never stored, only its hash.
CREATE TABLE api_key (
    id            uuid        PRIMARY KEY,
    name          text        NOT NULL,
    role          text        NOT NULL CHECK (role IN ('read', 'publish', 'admin')),
    venues        text[]      NOT NULL,                 -- venue keys, or '*' alone
    secret_sha256 bytea       NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- Uploads --------------------------------------------------------------------------------------------------------------------

-- An uploaded zip file, byte for byte, in chunks of at most 1 MiB. Without a hash it is still being received, or was abandoned.
CREATE TABLE archive (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sha256      bytea       UNIQUE,
    bytes       bigint      NOT NULL DEFAULT 0,
    stored      boolean     NOT NULL DEFAULT true,      -- whether the chunks exist; they are deleted when no upload needs them
    updated_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX archive_stored ON archive (id) WHERE stored;

CREATE TABLE archive_chunk (
    archive_id bigint  NOT NULL REFERENCES archive ON DELETE CASCADE,
    number     integer NOT NULL,
    content    bytea   NOT NULL,
    PRIMARY KEY (archive_id, number)
);
ALTER TABLE archive_chunk ALTER COLUMN content SET STORAGE EXTERNAL;    -- a zip file does not compress further

-- One attempt to change a venue with an archive.
CREATE TABLE upload (
    id                uuid        PRIMARY KEY,
    -- The order of a venue's uploads, given when the archive is complete.
    sequence_number   bigint      GENERATED ALWAYS AS IDENTITY UNIQUE,
    venue_id          bigint      NOT NULL REFERENCES venue,
    created_venue     boolean     NOT NULL,
    archive_id        bigint      NOT NULL REFERENCES archive,
    archive_created   text,                             -- `created` in the manifest of the archive
    options           jsonb       NOT NULL,
    author            text        NOT NULL,
    message           text,
    -- The key on whose behalf the upload is published; a worker checks that it still exists. NULL: the key of the configuration,
    -- which cannot be revoked. No foreign key, because a key can always be revoked.
    authorized_by     uuid,

    state             text        NOT NULL DEFAULT 'received' CHECK (state IN
                          ('received', 'processing', 'staged', 'published', 'unchanged', 'rejected', 'failed', 'discarded')),
    reasons           text[]      NOT NULL DEFAULT '{}',    -- why a staged upload was not published
    base              bigint,                           -- the revision that the archive was compared with
    revision          bigint,
    identity          jsonb,
    changes           jsonb,
    overrides         jsonb,                            -- the number of overrides by what became of them
    failure           text,
    received_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at       timestamptz,

    -- The worker, and how far it is.
    attempts          integer     NOT NULL DEFAULT 0,
    validations       integer     NOT NULL DEFAULT 0,   -- how often the rule book was started
    lease             uuid,                             -- of the worker that has the job; only it may finish the job
    lease_until       timestamptz,
    lease_session     bigint,                           -- the advisory lock that the worker's process holds; NULL: none
    renewed_at        timestamptz,
    claimed_at        timestamptz,                      -- NULL: never claimed
    phase             text,
    done              integer     NOT NULL DEFAULT 0,
    total             integer     NOT NULL DEFAULT 0,

    -- Findings. The rule book runs after the publication, under the same lease.
    findings_complete boolean     NOT NULL DEFAULT false,
    finding_counts    jsonb       NOT NULL DEFAULT '{}',    -- by rule; exact, also where not every finding is stored
    severity_counts   jsonb       NOT NULL DEFAULT '{}',
    rule_set          text,                             -- the edition of the rule book; NULL: only the checks on reading were made
    checked_at        timestamptz,
    skipped           jsonb       NOT NULL DEFAULT '[]',    -- rules that did not check everything

    -- A staged upload: what it would change, and the request to publish it.
    facts             jsonb,                            -- what its change log would be written from
    contested         text,                             -- the first overrides that it newly contests, as JSON; NULL: none
    difference_digest bytea,                            -- of the difference that was shown; NULL: none was yet
    publish_at        timestamptz,                      -- when it is published by itself; NULL while there is a reason against it
    published_by      text,                             -- who requested its publication
    publish_base      bigint,                           -- the revision that they believe to be the newest
    publish_confirm   text[],                           -- reasons that do not prevent it; NULL: nobody requested it

    -- Whose turn in the queue it takes: the key, because names of keys are not unique, or the author where there is no key.
    submitter         text        NOT NULL GENERATED ALWAYS AS (COALESCE(authorized_by::text, author)) STORED
) WITH (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX upload_by_venue ON upload (venue_id, sequence_number);

-- Notifies of every upload that leaves the queue or is staged, for requests that wait for it. The payload is the id of the upload.
CREATE FUNCTION notify_upload_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('venue_upload_state', NEW.id::text);
    RETURN NULL;
END
$$;

CREATE TRIGGER upload_state AFTER UPDATE OF state ON upload FOR EACH ROW
    WHEN (NEW.state IS DISTINCT FROM OLD.state AND NEW.state NOT IN ('received', 'processing'))
    EXECUTE FUNCTION notify_upload_state();
-- At most one upload of a venue is processed at a time, whatever the workers believe.
CREATE UNIQUE INDEX upload_processing ON upload (venue_id) WHERE state = 'processing';
-- Staged uploads are included because they may be due.
CREATE INDEX upload_unfinished ON upload (sequence_number) WHERE state IN ('received', 'processing', 'staged');
CREATE INDEX upload_by_archive ON upload (archive_id);
-- Workers validate when nothing waits to be published.
CREATE INDEX upload_unvalidated ON upload (sequence_number) WHERE state IN ('published', 'unchanged') AND NOT findings_complete;
-- Uploads are claimed in turns: first of the submitter who was served longest ago, then of the venue.
CREATE INDEX upload_claimed_by_submitter ON upload (submitter, claimed_at) WHERE claimed_at IS NOT NULL;
CREATE INDEX upload_claimed_by_venue ON upload (venue_id, claimed_at) WHERE claimed_at IS NOT NULL;
-- The unfinished uploads of one venue in their order, and how many uploads of a submitter wait.
CREATE INDEX upload_unfinished_by_venue ON upload (venue_id, sequence_number) WHERE state IN ('received', 'processing', 'staged');
CREATE INDEX upload_received_by_submitter ON upload (submitter) WHERE state = 'received';

CREATE TABLE finding (
    upload_id    uuid     NOT NULL REFERENCES upload ON DELETE CASCADE,
    number       integer  NOT NULL,
    rule         text     NOT NULL,
    severity     text     NOT NULL,
    message      text     NOT NULL,
    feature_id   uuid,
    feature_type text,
    file         text,
    pointer      text,
    at           double precision[],                    -- longitude and latitude
    PRIMARY KEY (upload_id, number)
);

-- How the ids of an archive were matched with stored features, in blocks: every feature of an archive may have a new id.
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

-- The changes of a staged upload, as long as it is staged or may be staged again.
CREATE TABLE staged_change (
    upload_id    uuid   NOT NULL REFERENCES upload ON DELETE CASCADE,
    feature_id   uuid   NOT NULL,
    kind         text   NOT NULL CHECK (kind IN ('added', 'changed', 'removed')),
    feature_type text   NOT NULL,
    level_before uuid,                                  -- NULL: the venue-wide part, or the feature did not exist
    level_after  uuid,
    classes      text[] NOT NULL,
    body         text,                                  -- after the change; NULL for a removed feature
    PRIMARY KEY (upload_id, feature_id)
) WITH (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05);
-- The description of a staged upload needs the names of its levels, whatever else would change.
CREATE INDEX staged_change_levels ON staged_change (upload_id) WHERE feature_type = 'level' AND body IS NOT NULL;

-- Revisions ------------------------------------------------------------------------------------------------------------------

-- An immutable state of a venue, numbered 1, 2, 3 … without gaps.
CREATE TABLE revision (
    venue_id         bigint      NOT NULL REFERENCES venue,
    number           bigint      NOT NULL,
    kind             text        NOT NULL CHECK (kind IN ('upload', 'rollback', 'edit')),
    restores         bigint,                            -- of a rollback: the earlier revision
    levels           uuid[],                            -- of a rollback: the levels that it restored; NULL: the whole venue
    upload_id        uuid        REFERENCES upload,
    author           text        NOT NULL,
    message          text,
    published_at     timestamptz NOT NULL,
    features         integer     NOT NULL,
    digest           bytea       NOT NULL,
    manifest         text,                              -- canonical, without `created` and `generated_by`
    file_names       jsonb       NOT NULL,              -- the files that contained features of undeclared types, by type
    venue_feature_id uuid,
    language         text,
    country          text,
    facts            jsonb       NOT NULL,              -- what the change log is written from
    changes          jsonb       NOT NULL,              -- counts
    position         bigint      NOT NULL UNIQUE,       -- in the common order of the revisions of all venues
    chain_hash       bytea       NOT NULL,              -- SHA-256 over the previous value, the venue, the number and the digest
    PRIMARY KEY (venue_id, number)
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX revision_by_venue ON revision (venue_id, position) WHERE position > 0;

-- What the operator's key signs about a revision: a signed statement as it is sent. The keys are not in the database.
CREATE TABLE revision_statement (
    venue_id bigint NOT NULL,
    revision bigint NOT NULL,
    document text   NOT NULL,                           -- canonical JSON with the signature
    PRIMARY KEY (venue_id, revision),
    FOREIGN KEY (venue_id, revision) REFERENCES revision ON DELETE CASCADE
);

-- Every state that a feature was ever in, with the range of revisions in which it holds: from_revision <= r < to_revision.
-- No foreign key to revision: versions are written before it is certain that their revision gets its number.
CREATE TABLE feature_version (
    venue_id      bigint   NOT NULL,
    feature_id    uuid     NOT NULL,
    from_revision bigint   NOT NULL,
    to_revision   bigint   NOT NULL DEFAULT 9223372036854775807,
    feature_type  text     NOT NULL,
    level_id      uuid,                                 -- NULL: the venue-wide part
    touches       uuid[]   NOT NULL,                    -- the levels that a venue-wide feature spans
    depth         integer  NOT NULL,                    -- the length of its chain of parents
    ordinal       integer,                              -- of a level feature
    body_sha256   bytea    NOT NULL,
    body          text     NOT NULL,
    PRIMARY KEY (venue_id, feature_id, from_revision)
) WITH (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX feature_version_levels ON feature_version (venue_id, to_revision) WHERE feature_type = 'level';
-- Versions of a first revision are not looked for by their beginning.
CREATE INDEX feature_version_by_from_revision ON feature_version (venue_id, from_revision) WHERE from_revision > 1;
CREATE INDEX feature_version_by_to_revision ON feature_version (venue_id, to_revision, level_id) WHERE depth >= 0;

-- The digest of a level at every revision that changed it; it holds until the next one.
CREATE TABLE level_state (
    venue_id bigint  NOT NULL,
    revision bigint  NOT NULL,
    level_id uuid,                                      -- NULL: the venue-wide part
    digest   bytea   NOT NULL,
    features integer NOT NULL,
    bytes    bigint  NOT NULL
) WITH (autovacuum_analyze_scale_factor = 0.02);
CREATE UNIQUE INDEX level_state_by_level ON level_state (venue_id, level_id, revision DESC) NULLS NOT DISTINCT;
CREATE INDEX level_state_by_revision ON level_state (venue_id, revision) WHERE revision > 0;

-- Ids under which archives delivered features that are stored under another id. No foreign key, which would be checked for every
-- row.
CREATE TABLE feature_alias (
    venue_id   bigint NOT NULL,
    alias      uuid   NOT NULL,
    feature_id uuid   NOT NULL,
    last_import bigint NOT NULL,                        -- the last import that contained the alias, counted by venue.imports
    PRIMARY KEY (venue_id, alias)
) WITH (fillfactor = 50,                                -- so that an update of `last_import` rewrites the row within its page
    autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);

-- Edits ----------------------------------------------------------------------------------------------------------------------

-- What edits changed of features, with the range of revisions in which it holds, like feature_version. Values are canonical JSON; NULL
-- stands for a member that does not exist. An upload that changes no feature, and a decision about an override, replace the rows of
-- the newest revision.
CREATE TABLE feature_override (
    venue_id      bigint      NOT NULL,
    id            uuid        NOT NULL,
    from_revision bigint      NOT NULL,
    to_revision   bigint      NOT NULL DEFAULT 9223372036854775807,
    feature_id    uuid        NOT NULL,
    pointer       text        NOT NULL,                 -- an RFC 6901 pointer; empty for the existence of the feature
    feature_type  text        NOT NULL,                 -- with feature_name: what the feature was when the override was made
    feature_name  text,
    level_id      uuid,                                 -- NULL: the venue-wide part
    base          text,                                 -- what the source said when the override was made
    value         text,                                 -- NULL with an empty pointer: the feature is hidden
    source        text,                                 -- what the source says in these revisions
    state         text        NOT NULL CHECK (state IN ('quiet', 'contested', 'orphaned')),
    orphaned_at   bigint,                               -- the number of the import in which the feature was missing first
    author        text        NOT NULL,
    message       text,
    made_at       timestamptz NOT NULL,
    expires_at    timestamptz,
    covered       text,                                 -- the overrides that hold again after expires_at, as JSON; NULL: none
    PRIMARY KEY (venue_id, id, from_revision)
) WITH (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX feature_override_by_feature ON feature_override (venue_id, feature_id, from_revision);
CREATE INDEX feature_override_by_to_revision ON feature_override (venue_id, to_revision) WHERE octet_length(pointer) >= 0;
-- One override of a value holds at a time.
CREATE UNIQUE INDEX feature_override_current ON feature_override (venue_id, feature_id, pointer)
    WHERE to_revision = 9223372036854775807;
CREATE INDEX feature_override_expiring ON feature_override (expires_at)
    WHERE expires_at IS NOT NULL AND to_revision = 9223372036854775807;

-- The outcomes of edits that have an id, so that a repeated request is answered with the first one.
CREATE TABLE edit_request (
    venue_id    bigint      NOT NULL,
    id          uuid        NOT NULL,
    body_sha256 bytea       NOT NULL,
    outcome     text        NOT NULL,                   -- the body of the response
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (venue_id, id)
);
CREATE INDEX edit_request_by_age ON edit_request (recorded_at);

-- All venues together --------------------------------------------------------------------------------------------------------

-- The single row that orders the revisions of all venues, and all changes of venues and keys. It is locked last and briefly.
--
-- Every change of a venue or of a key raises `change_number` by one. A node that knows everything up to a number reads only what has a
-- greater one, and a node that finds the number that it knows has nothing to read.
CREATE TABLE catalogue (
    only_row          boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    position          bigint  NOT NULL,                 -- of the newest revision
    chain_hash        bytea   NOT NULL,                 -- of the newest revision
    change_number     bigint  NOT NULL DEFAULT 0,
    key_change_number bigint  NOT NULL DEFAULT 0,       -- of the last change of a key
    -- Authenticates cursors: a catalogue cursor names venues, and the server answers with the keys of those that are gone.
    cursor_secret     bytea   NOT NULL DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);
INSERT INTO catalogue (position, chain_hash) VALUES (0, '\x');

-- The hash chain at every position, which catalogue cursors are checked with. It outlives the revision at that position.
CREATE TABLE catalogue_position (
    position   bigint PRIMARY KEY,
    chain_hash bytea  NOT NULL
);
INSERT INTO catalogue_position (position, chain_hash) VALUES (0, '\x');

-- The server and the timeline on which this database was last seen. A copy that is served elsewhere continues with a history of
-- its own, and so its venues get other epochs. NULL: not known.
CREATE TABLE lineage (
    only_row          boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    system_identifier bigint,
    timeline          integer,
    database_id       bigint,
    -- The transaction that wrote this row. If it differs from xmin, the row was loaded from a dump: the database was restored on the
    -- same server, timeline and name.
    writer_xid        xid
);
INSERT INTO lineage DEFAULT VALUES;

-- The timeline to which the server writes; NULL on a standby, and for a role that may not read it. It is that of the WAL file, because
-- the control file has a new timeline only after a checkpoint.
CREATE FUNCTION server_timeline() RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
    IF pg_is_in_recovery() THEN
        RETURN NULL;
    END IF;
    RETURN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
EXCEPTION WHEN insufficient_privilege OR object_not_in_prerequisite_state THEN
    RETURN NULL;
END
$$;

-- A server that was built without lz4 keeps its default compression.
DO $$
BEGIN
    ALTER TABLE feature_version ALTER COLUMN body SET COMPRESSION lz4;
    ALTER TABLE staged_change ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    NULL;
END
$$;
