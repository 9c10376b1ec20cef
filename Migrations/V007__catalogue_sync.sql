-- The chain at every position, for cursors over all venues: it outlives the revision that stood there.
CREATE TABLE catalogue_mark (
    position bigint PRIMARY KEY,
    chain    bytea  NOT NULL
);
INSERT INTO catalogue_mark (position, chain)
SELECT position, chain FROM revision
UNION SELECT position, chain FROM catalogue
UNION SELECT 0, '\x'::bytea;

-- Such cursors name the venues that are held, and the server tells the keys of those that are gone: nobody else may write one.
ALTER TABLE catalogue
    ADD COLUMN secret bytea NOT NULL DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- A number without gaps that a venue gets with its first revision and keeps for good: what a cursor calls it.
ALTER TABLE venue ADD COLUMN place bigint UNIQUE;
UPDATE venue SET place = numbered.place
FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM venue WHERE head > 0) AS numbered
WHERE numbered.id = venue.id;

-- The revision of a venue at a position.
CREATE INDEX revision_of_venue_by_position ON revision (venue_id, position);
