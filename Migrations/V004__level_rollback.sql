-- The levels that a rollback took back; NULL says the whole venue, or no rollback.
ALTER TABLE revision ADD COLUMN levels uuid[];
