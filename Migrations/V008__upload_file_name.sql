-- What the file of the archive was called where it was uploaded; NULL: the client did not say.
ALTER TABLE upload ADD COLUMN file_name text;
