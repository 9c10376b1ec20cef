-- How fast people walk in a venue, and how long its lifts take; NULL: as usual.
ALTER TABLE venue
    ADD COLUMN wayfinding text CHECK (octet_length(wayfinding) <= 1024);    -- canonical JSON: speeds and seconds
