-- A row that was on its way into the rest of the log while its day was made was refused by the rest, which holds that day no
-- more: whoever writes to the log now waits at its parent until the day is there, and finds it.
CREATE OR REPLACE FUNCTION make_webhook_log_day(day date) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  low uuid := uuidv7_from(day::timestamp AT TIME ZONE 'UTC');
  high uuid := uuidv7_from((day + 1)::timestamp AT TIME ZONE 'UTC');
  part record;
  made boolean := false;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('webhook log', 0));
  FOR part IN SELECT * FROM (VALUES ('webhook_delivery', 'id', 85), ('webhook_attempt', 'delivery_id', 100)) AS t (parent, key, fill) LOOP
    CONTINUE WHEN to_regclass(part.parent || to_char(day, '_YYYYMMDD')) IS NOT NULL;
    EXECUTE format('LOCK TABLE ONLY %I IN SHARE ROW EXCLUSIVE MODE', part.parent);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) WITH (fillfactor = %s)', part.parent || to_char(day, '_YYYYMMDD'), part.parent, part.fill);
    EXECUTE format('WITH moved AS (DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *) INSERT INTO %5$I (%6$s) SELECT %6$s FROM moved',
      part.parent || '_rest', part.key, low, high, part.parent || to_char(day, '_YYYYMMDD'), webhook_log_columns(part.parent::regclass));
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part.parent, part.parent || to_char(day, '_YYYYMMDD'), low, high);
    made := true;
  END LOOP;
  RETURN made;
END $$;
