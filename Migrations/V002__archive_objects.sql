-- Archives outside of the database: in a folder, or in an S3-compatible store.
--
-- Every object that may exist has a row, which is written before the object and deleted after it. So whatever a process leaves behind
-- when it is killed is found and deleted without a list of the store.
CREATE TABLE archive_object (
    name        text    PRIMARY KEY,                        -- 32 hexadecimal digits, in the path of the object
    archive_id  bigint  REFERENCES archive ON DELETE SET NULL,  -- NULL: no archive needs the object, and it is being deleted
    is_complete boolean NOT NULL DEFAULT false              -- false: it may have been written in part
);
-- An archive has one object at most, or its chunks are in archive_chunk.
CREATE UNIQUE INDEX archive_object_by_archive ON archive_object (archive_id) WHERE archive_id IS NOT NULL;
CREATE INDEX archive_object_unused ON archive_object (name) WHERE archive_id IS NULL;
