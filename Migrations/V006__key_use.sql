-- When a key was last used, to about an hour; NULL: it was not used since this column exists.
ALTER TABLE api_key ADD COLUMN last_used_at timestamptz;
