-- Notifies of every upload that leaves the queue or is staged, for requests that wait for it. The payload is the id of the upload.
CREATE FUNCTION notify_upload_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('venue_upload_state', NEW.id::text);
    RETURN NULL;
END
$$;

CREATE TRIGGER upload_state AFTER UPDATE OF state ON upload FOR EACH ROW
    WHEN (NEW.state IS DISTINCT FROM OLD.state AND NEW.state NOT IN ('received', 'processing'))
    EXECUTE FUNCTION notify_upload_state();
