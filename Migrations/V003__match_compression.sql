-- Blocks of matches are compressed with LZ4 from now on: an archive with new ids writes megabytes of them, and the default takes more than
-- twice the time. Blocks that are stored already stay as they are. A server that was built without LZ4 keeps its default compression.
DO $$
BEGIN
    ALTER TABLE upload_match
        ALTER COLUMN feature_ids SET COMPRESSION lz4, ALTER COLUMN archive_ids SET COMPRESSION lz4,
        ALTER COLUMN feature_types SET COMPRESSION lz4, ALTER COLUMN reasons SET COMPRESSION lz4,
        ALTER COLUMN scores SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    NULL;
END $$;
