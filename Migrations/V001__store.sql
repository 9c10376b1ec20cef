-- A venue, under the key its operator chose. A deleted one stays as a tombstone, so that its clients can be told.
CREATE TABLE venue (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key            text        NOT NULL UNIQUE,
    head           bigint      NOT NULL DEFAULT 0,      -- the newest revision; 0 says there is none yet
    epoch          bigint      NOT NULL,                -- new whenever the history cannot be continued
    public         boolean     NOT NULL DEFAULT false,
    validation     text        NOT NULL DEFAULT 'report' CHECK (validation IN ('report', 'strict')),
    identity       text        NOT NULL DEFAULT 'repair' CHECK (identity IN ('repair', 'trust')),
    removal_guard  boolean     NOT NULL DEFAULT true,
    time_zone      text,
    keep_revisions integer     CHECK (keep_revisions > 0),
    created_at     timestamptz NOT NULL DEFAULT now(),
    deleted_at     timestamptz
);

-- An uploaded zip, exactly as it came, in chunks of at most 1 MiB. Without a hash it is still on its way, or was left behind.
CREATE TABLE archive (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sha256      bytea       UNIQUE,
    bytes       bigint      NOT NULL DEFAULT 0,
    touched_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE archive_chunk (
    archive_id bigint  NOT NULL REFERENCES archive ON DELETE CASCADE,
    number     integer NOT NULL,
    content    bytea   NOT NULL,
    PRIMARY KEY (archive_id, number)
);
ALTER TABLE archive_chunk ALTER COLUMN content SET STORAGE EXTERNAL;    -- a zip does not compress again

-- One attempt to change a venue. `place` is its turn among the venue's uploads, given when the last byte was stored.
CREATE TABLE upload (
    id                uuid        PRIMARY KEY,
    place             bigint      GENERATED ALWAYS AS IDENTITY UNIQUE,
    venue_id          bigint      NOT NULL REFERENCES venue,
    created_venue     boolean     NOT NULL,
    archive_id        bigint      NOT NULL REFERENCES archive,
    state             text        NOT NULL DEFAULT 'received' CHECK (state IN
                          ('received', 'processing', 'staged', 'published', 'unchanged', 'rejected', 'failed', 'discarded')),
    options           jsonb       NOT NULL,
    reasons           text[]      NOT NULL DEFAULT '{}',
    author            text        NOT NULL,
    message           text,
    base              bigint,
    revision          bigint,
    publish_at        timestamptz,
    attempts          integer     NOT NULL DEFAULT 0,
    lease             uuid,                             -- whose turn it is; nobody else may finish the job
    lease_until       timestamptz,
    phase             text,
    done              integer     NOT NULL DEFAULT 0,
    total             integer     NOT NULL DEFAULT 0,
    findings_complete boolean     NOT NULL DEFAULT false,
    finding_counts    jsonb       NOT NULL DEFAULT '{}', -- by rule; exact, also where not every finding is stored
    severity_counts   jsonb       NOT NULL DEFAULT '{}',
    identity          jsonb,
    changes           jsonb,
    failure           text,
    received_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at       timestamptz
);
CREATE INDEX upload_by_venue ON upload (venue_id, place);
CREATE INDEX upload_waiting ON upload (place) WHERE state IN ('received', 'processing');
-- At most one upload of a venue is being worked on, whatever the workers believe.
CREATE UNIQUE INDEX upload_processing ON upload (venue_id) WHERE state = 'processing';

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
    at           double precision[],
    PRIMARY KEY (upload_id, number)
);

-- An immutable numbered state of a venue: 1, 2, 3 … without gaps.
CREATE TABLE revision (
    venue_id         bigint      NOT NULL REFERENCES venue,
    number           bigint      NOT NULL,
    kind             text        NOT NULL CHECK (kind IN ('upload', 'rollback')),
    restores         bigint,
    upload_id        uuid        REFERENCES upload,
    author           text        NOT NULL,
    message          text,
    published_at     timestamptz NOT NULL,
    features         integer     NOT NULL,
    digest           bytea       NOT NULL,
    manifest         text,                              -- canonical, without `created` and `generated_by`
    file_names       jsonb       NOT NULL,              -- the files that undeclared types came in
    venue_feature_id uuid,
    language         text,
    country          text,
    facts            jsonb       NOT NULL,
    changes          jsonb       NOT NULL,
    position         bigint      NOT NULL UNIQUE,       -- among the revisions of all venues
    chain            bytea       NOT NULL,              -- SHA-256 of the chain before, venue, number and digest
    PRIMARY KEY (venue_id, number)
);

-- Every state a feature ever was in, and the span of revisions in which it holds: from_revision <= r < to_revision.
-- No foreign key to revision: versions are written before their revision has its number for certain.
CREATE TABLE feature_version (
    venue_id      bigint   NOT NULL,
    feature_id    uuid     NOT NULL,
    from_revision bigint   NOT NULL,
    to_revision   bigint   NOT NULL DEFAULT 9223372036854775807,
    feature_type  text     NOT NULL,
    level_id      uuid,                                 -- NULL: the venue-wide part
    touches       uuid[]   NOT NULL,                    -- levels that a venue-wide feature stands on
    generation    integer  NOT NULL,                    -- length of the chain of parents
    ordinal       integer,                              -- of a level feature
    body_sha256   bytea    NOT NULL,
    body          text     NOT NULL,
    PRIMARY KEY (venue_id, feature_id, from_revision)
);
CREATE INDEX feature_version_begun ON feature_version (venue_id, from_revision);
CREATE INDEX feature_version_ended ON feature_version (venue_id, to_revision, level_id);
CREATE INDEX feature_version_levels ON feature_version (venue_id, to_revision) WHERE feature_type = 'level';

-- The digest of a level at every revision that touched it; it holds until the next one.
CREATE TABLE level_state (
    venue_id bigint  NOT NULL,
    revision bigint  NOT NULL,
    level_id uuid,                                      -- NULL: the venue-wide part
    digest   bytea   NOT NULL,
    features integer NOT NULL,
    bytes    bigint  NOT NULL
);
CREATE UNIQUE INDEX level_state_latest ON level_state (venue_id, level_id, revision DESC) NULLS NOT DISTINCT;
CREATE INDEX level_state_by_revision ON level_state (venue_id, revision);

-- The one row that orders the revisions of all venues. It is locked last and briefly.
CREATE TABLE catalogue (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    position bigint  NOT NULL,
    chain    bytea   NOT NULL
);
INSERT INTO catalogue (position, chain) VALUES (0, '\x');

-- A key's secret is never stored, only its hash.
CREATE TABLE api_key (
    id            uuid        PRIMARY KEY,
    name          text        NOT NULL,
    role          text        NOT NULL CHECK (role IN ('read', 'publish', 'admin')),
    venues        text[]      NOT NULL,                 -- venue keys, or '*' alone
    secret_sha256 bytea       NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- Older rows keep their compression; a server built without lz4 keeps its default.
DO $$
BEGIN
    ALTER TABLE feature_version ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    NULL;
END
$$;
