-- Uploads are claimed in turns: first of the key that was served longest ago, then of the venue that was.
ALTER TABLE upload ADD COLUMN claimed_at timestamptz;   -- NULL: no worker has had it

CREATE INDEX upload_claimed_by_author ON upload (author, claimed_at) WHERE claimed_at IS NOT NULL;
CREATE INDEX upload_claimed_by_venue ON upload (venue_id, claimed_at) WHERE claimed_at IS NOT NULL;

-- The unfinished uploads of one venue in their order, and what a venue or a key has waiting.
CREATE INDEX upload_queue ON upload (venue_id, place) WHERE state IN ('received', 'processing', 'staged');
CREATE INDEX upload_waiting_by_author ON upload (author) WHERE state = 'received';
