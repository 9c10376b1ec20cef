-- The transaction that wrote the row. When it is not the transaction that wrote this version of the row, the row was loaded from a
-- dump: the database was restored where it was, with the same server, timeline and name. NULL: not known.
ALTER TABLE lineage ADD COLUMN written_by xid;

-- The key that asked for the upload to be published. It must still exist when a worker publishes. NULL: the key of the
-- configuration, which nobody can revoke, or an upload from before this column. No foreign key: a key can always be revoked.
ALTER TABLE upload ADD COLUMN authorized_by uuid;
