-- A number that every change of a venue or of a key raises by one, under the lock of the catalogue's row: whoever knows all up to
-- a number has only to look at what is newer, and a node that sees the same number again has nothing to look at.
ALTER TABLE catalogue
    ADD COLUMN news     bigint NOT NULL DEFAULT 0,
    ADD COLUMN key_news bigint NOT NULL DEFAULT 0;      -- the number of the last change of a key
ALTER TABLE venue ADD COLUMN news bigint NOT NULL DEFAULT 0;
CREATE INDEX venue_by_news ON venue (news);
