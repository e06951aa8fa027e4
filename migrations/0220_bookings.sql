-- An exclusion constraint prevents overlapping bookings of one seat, independent of the application code. Any role that may create
-- objects in the database can install this extension.
CREATE SCHEMA IF NOT EXISTS extensions;
CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA extensions;

-- Opening hours and the rules of a booking form. Changes apply at once and are not part of a version. A calendar has the identifier of
-- its interface. Lock its row before you book, and count afterwards.
CREATE TABLE calendar (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  definition jsonb NOT NULL,
  -- The holidays that close the calendar, as [[days since 1970-01-01, name], …], up to `holidays_until`. A job extends the list before
  -- that.
  holidays jsonb NOT NULL DEFAULT '[]',
  holidays_until date,
  accepting boolean NOT NULL DEFAULT true,
  -- The secret address of the feed: the hash for lookups, and the encrypted token to show it again. It works while `feed_by` can read
  -- the bookings.
  feed_hash bytea,
  feed_sealed bytea,
  feed_by uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT calendar_feed_once UNIQUE (team_id, feed_hash),
  CONSTRAINT calendar_feed_whole CHECK ((feed_hash IS NULL) = (feed_sealed IS NULL) AND (feed_hash IS NULL) = (feed_by IS NULL))
);
CREATE INDEX calendar_holidays_end ON calendar (holidays_until) WHERE holidays_until IS NOT NULL;
CALL confine_to_team('calendar', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('calendar', 'SELECT', 'DELETE');
CALL let_system_reseal('calendar', 'feed_sealed');

-- Busy times of an external calendar file. The times of the last read apply until the next successful read.
CREATE TABLE calendar_busy (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  calendar_id uuid NOT NULL,
  name text NOT NULL,
  -- The secret address of the file, encrypted.
  url bytea NOT NULL,
  spans tstzmultirange NOT NULL DEFAULT '{}',
  read_at timestamptz,
  tried_at timestamptz,
  due_at timestamptz NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  error text,
  -- Events of the file that could not be read: [{reason, summary, start}].
  skipped jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (team_id, id),
  CONSTRAINT calendar_busy_of FOREIGN KEY (team_id, calendar_id) REFERENCES calendar (team_id, id) ON DELETE CASCADE
);
CREATE INDEX calendar_busy_of_calendar ON calendar_busy (team_id, calendar_id);
CREATE INDEX calendar_busy_due ON calendar_busy (due_at);
CALL confine_to_team('calendar_busy', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('calendar_busy', 'SELECT', 'DELETE');
CALL let_system_reseal('calendar_busy', 'url');

-- Whether a booking with this status occupies time in the calendar.
CREATE FUNCTION booking_holds_place(status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT status IN ('held', 'pending', 'confirmed')
$$;
REVOKE EXECUTE ON FUNCTION booking_holds_place(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION booking_holds_place(text) TO chancery_app, chancery_system;

-- An appointment of a visitor. It occupies a seat of the calendar from `blocks_from` to `blocks_until`: the appointment with the
-- buffers from when it was made. `held` waits until the visitor follows a mailed link, `pending` until a member confirms it, both at
-- most until `ends_waiting`. `confirmed` is active, and all other statuses are final.
-- A row with `moves` is a reschedule request for that booking. It occupies the requested time until the team decides.
CREATE TABLE booking (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  calendar_id uuid NOT NULL,
  submission_id uuid,
  status text NOT NULL CHECK (status IN ('held', 'pending', 'confirmed', 'cancelled', 'declined', 'expired', 'completed', 'no_show')),
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > starts_at),
  blocks_from timestamptz NOT NULL,
  blocks_until timestamptz NOT NULL,
  during tstzrange NOT NULL GENERATED ALWAYS AS (tstzrange(blocks_from, blocks_until)) STORED CHECK (NOT isempty(during)),
  seat integer NOT NULL CHECK (seat <> 0),
  moves uuid,
  -- The number of moves by the visitor.
  moved integer NOT NULL DEFAULT 0,
  ends_waiting timestamptz,
  token_hash bytea NOT NULL,
  token_sealed bytea NOT NULL,
  -- Data of the visitor, if given. An erasure sets them to NULL.
  email text,
  email_key text,
  visitor_name text,
  locale text NOT NULL,
  visitor_zone text,
  -- When to send reminder mails, in minutes before the start.
  reminders integer[] NOT NULL DEFAULT '{}',
  reminder_at timestamptz,
  ended_via text CHECK (ended_via IN ('visitor', 'team', 'time')),
  reason text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  erased_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT booking_token_once UNIQUE (team_id, token_hash),
  CONSTRAINT booking_of FOREIGN KEY (team_id, calendar_id) REFERENCES calendar (team_id, id),
  CONSTRAINT booking_moves FOREIGN KEY (team_id, moves) REFERENCES booking (team_id, id) ON DELETE CASCADE,
  CONSTRAINT booking_within_its_block CHECK (blocks_from <= starts_at AND ends_at <= blocks_until),
  CONSTRAINT booking_waits_until CHECK ((status IN ('held', 'pending')) = (ends_waiting IS NOT NULL)),
  -- The last safeguard. The code checks the seats under the lock of the calendar first.
  CONSTRAINT booking_no_two_in_a_seat EXCLUDE USING gist (team_id WITH =, calendar_id WITH =, seat WITH =, during WITH &&)
    WHERE (booking_holds_place(status))
);
-- For occupied times around a time. A block is at most 3 days long.
CREATE INDEX booking_taken ON booking (team_id, calendar_id, blocks_until) WHERE booking_holds_place(status);
CREATE INDEX booking_of_calendar ON booking (team_id, calendar_id, starts_at, id);
CREATE INDEX booking_of_submission ON booking (team_id, submission_id) WHERE submission_id IS NOT NULL;
CREATE UNIQUE INDEX booking_one_wish ON booking (team_id, moves) WHERE moves IS NOT NULL;
CREATE INDEX booking_ahead_of_address ON booking (team_id, calendar_id, email_key, ends_at)
  WHERE booking_holds_place(status) AND email_key IS NOT NULL;
CREATE INDEX booking_waiting_ends ON booking (ends_waiting) WHERE ends_waiting IS NOT NULL;
CREATE INDEX booking_reminder_due ON booking (reminder_at) WHERE reminder_at IS NOT NULL;
CREATE INDEX booking_completes ON booking (ends_at) WHERE status = 'confirmed';
CALL confine_to_team('booking', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('booking', 'SELECT', 'DELETE');
CALL let_system_reseal('booking', 'token_sealed');
CREATE POLICY lookup ON booking FOR SELECT TO chancery_owner USING (true);
CREATE POLICY lookup ON calendar FOR SELECT TO chancery_owner USING (true);

-- The calendar of an interface, or NULL without one.
CREATE FUNCTION calendar_definition(of_team uuid, interface uuid) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT c.definition FROM calendar c WHERE c.team_id = of_team AND c.id = interface
$$;
REVOKE EXECUTE ON FUNCTION calendar_definition(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION calendar_definition(uuid, uuid) TO chancery_app;

-- Returns the booking of a visitor link. Returns NULL for a closed team.
CREATE FUNCTION booking_by_token(of_team uuid, wanted bytea) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.id FROM booking b JOIN team t ON t.team_id = b.team_id
  WHERE b.team_id = of_team AND b.token_hash = wanted AND b.moves IS NULL AND t.status = 'active'
$$;
-- Returns the calendar of a feed address.
CREATE FUNCTION calendar_by_feed(of_team uuid, wanted bytea) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.id FROM calendar c JOIN team t ON t.team_id = c.team_id
  WHERE c.team_id = of_team AND c.feed_hash = wanted AND t.status = 'active'
$$;
REVOKE EXECUTE ON FUNCTION booking_by_token(uuid, bytea), calendar_by_feed(uuid, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION booking_by_token(uuid, bytea), calendar_by_feed(uuid, bytea) TO chancery_app;
