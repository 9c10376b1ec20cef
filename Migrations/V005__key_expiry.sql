-- When a key ends by itself; NULL: never.
ALTER TABLE api_key ADD COLUMN expires_at timestamptz;
