-- Guests and auditors: memberships with an end. A guest has a sponsor, and access by grants only. An auditor reads the resources of a seat.

ALTER TABLE account
  -- The person in the team who answers for a guest.
  ADD COLUMN sponsor_id uuid,
  ADD COLUMN ends_at timestamptz,
  -- Whether the sponsor has used the one extension.
  ADD COLUMN sponsor_extended boolean NOT NULL DEFAULT false,
  -- The days before the end of the last reminder: 14 or 3.
  ADD COLUMN end_reminded integer CHECK (end_reminded IN (14, 3)),
  DROP CONSTRAINT account_role_check,
  ADD CONSTRAINT account_role_check CHECK (role IN ('owner', 'admin', 'member', 'viewer', 'guest', 'auditor')),
  ADD CONSTRAINT account_has_end CHECK ((role IN ('guest', 'auditor')) = (ends_at IS NOT NULL)),
  ADD CONSTRAINT account_has_sponsor CHECK ((role = 'guest') = (sponsor_id IS NOT NULL)),
  ADD CONSTRAINT account_sponsor FOREIGN KEY (team_id, sponsor_id) REFERENCES account (team_id, id);
CREATE INDEX account_by_end ON account (ends_at) WHERE ends_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX account_by_sponsor ON account (team_id, sponsor_id) WHERE sponsor_id IS NOT NULL;

-- Whether a membership is active and has not ended. The time is that of the database. PostgreSQL inlines this function.
CREATE FUNCTION membership_is_open(status text, ends_at timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  RETURN status = 'active' AND (ends_at IS NULL OR ends_at > now());
REVOKE EXECUTE ON FUNCTION membership_is_open(text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION membership_is_open(text, timestamptz) TO chancery_app, chancery_system;

-- The reminder that a new end makes unnecessary: a guest invited for ten days gets no mail 14 days before the end.
CREATE FUNCTION reminded_before(ends_at timestamptz) RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
  RETURN CASE WHEN ends_at <= now() + interval '3 days' THEN 3 WHEN ends_at <= now() + interval '14 days' THEN 14 END;
REVOKE EXECUTE ON FUNCTION reminded_before(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reminded_before(timestamptz) TO chancery_app;

CREATE OR REPLACE VIEW member WITH (security_invoker) AS
  SELECT a.team_id, a.id, a.email, a.first_name, a.last_name, a.role, a.locale, a.created_at, a.timezone, a.task_mails FROM account a
  WHERE a.deleted_at IS NULL AND membership_is_open(a.status, a.ends_at);

-- Members without an end, also suspended ones. Only they are in groups.
CREATE VIEW permanent_member WITH (security_invoker) AS SELECT a.team_id, a.id FROM account a WHERE a.deleted_at IS NULL AND a.ends_at IS NULL;
GRANT SELECT ON permanent_member TO chancery_app, chancery_system;

ALTER TABLE team_policy
  ADD COLUMN guest_days_max integer NOT NULL DEFAULT 180 CHECK (guest_days_max BETWEEN 1 AND 730),
  -- The domains of addresses that can be invited as guests. Empty: all except the verified domains of the team.
  ADD COLUMN guest_domains text[] NOT NULL DEFAULT '{}',
  ADD COLUMN members_may_sponsor boolean NOT NULL DEFAULT false;

ALTER TABLE invitation
  ADD COLUMN sponsor_id uuid,
  -- The end of the membership. `expires_at` is that of the link.
  ADD COLUMN ends_at timestamptz,
  -- The resources that the guest gets: type, id and relation of each.
  ADD COLUMN access jsonb NOT NULL DEFAULT '[]',
  -- The seat of an auditor.
  ADD COLUMN seat jsonb,
  DROP CONSTRAINT invitation_role_check,
  ADD CONSTRAINT invitation_role_check CHECK (role IN ('admin', 'member', 'viewer', 'guest', 'auditor')),
  ADD CONSTRAINT invitation_has_end CHECK ((role IN ('guest', 'auditor')) = (ends_at IS NOT NULL)),
  ADD CONSTRAINT invitation_has_seat CHECK ((role = 'auditor') = (seat IS NOT NULL)),
  ADD CONSTRAINT invitation_has_sponsor CHECK ((role = 'guest') = (sponsor_id IS NOT NULL)),
  ADD CONSTRAINT invitation_sponsor FOREIGN KEY (team_id, sponsor_id) REFERENCES account (team_id, id);

-- Whether a connection of the team has verified the domain of an address.
CREATE FUNCTION is_team_domain(team uuid, wanted text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT EXISTS (SELECT FROM sso_domain d WHERE d.team_id = team AND d.domain = wanted AND d.verified_at IS NOT NULL)
$$;
REVOKE EXECUTE ON FUNCTION is_team_domain(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_team_domain(uuid, text) TO chancery_app;

-- Everything that a caller counts as: a person, their groups and the team; an API client counts as itself. Shares with the team include no guests and
-- auditors, which are the members with an end. Nothing is granted after it.
CREATE OR REPLACE FUNCTION access_principals(team uuid, caller uuid, person boolean) RETURNS uuid[] LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE ends timestamptz;
BEGIN
  IF caller IS NULL THEN RETURN '{}'; END IF;
  IF NOT person THEN RETURN ARRAY[caller]; END IF;
  SELECT a.ends_at INTO ends FROM account a WHERE a.team_id = team AND a.id = caller;
  IF ends <= now() THEN RETURN '{}'; END IF;
  RETURN CASE WHEN ends IS NULL THEN ARRAY[caller, team] ELSE ARRAY[caller] END
    || ARRAY(SELECT m.group_id FROM access_group_member m WHERE m.team_id = team AND m.user_id = caller);
END $$;

-- A session ends with the membership. Connected apps act for no guest and no auditor.
CREATE OR REPLACE VIEW live_session AS
  SELECT s.team_id, s.id, s.account_id, s.connection_id, a.role, i.auth_time, i.amr, i.acr, i.app_id, i.app_scopes,
    i.refresh_counter, i.rotations, i.last_used_at, y.second_factor, a.ends_at
  FROM session s
  JOIN sign_in i ON i.id = s.id
  JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
  JOIN person p ON p.id = s.account_id
  JOIN team t ON t.team_id = s.team_id
  LEFT JOIN team_policy y ON y.team_id = s.team_id
  WHERE s.revoked_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now() AND s.epoch = a.credential_epoch
    AND team_closed_because(
      membership_is_open(a.status, a.ends_at), t.status, i.epoch = p.credential_epoch, NULL, NULL, y.session_hours, i.auth_time, true, NULL, NULL
    ) IS NULL
    AND (i.app_id IS NULL OR a.ends_at IS NULL);

-- The person and role of a valid session in a team. `ends_in`: the seconds until the membership ends. The second factor of a provider counts only in
-- sessions that it opened.
DROP FUNCTION find_session(uuid, uuid);
CREATE FUNCTION find_session(wanted uuid, in_team uuid)
RETURNS TABLE (
  account_id uuid, role text, auth_time timestamptz, acr text, lacks_second_factor boolean, app_id text, app_scopes text[], ends_in float8
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.account_id, s.role, s.auth_time, s.acr, 
    coalesce(s.second_factor AND (s.acr = 'aal1' OR s.connection_id IS NULL AND NOT s.amr && '{otp,rc,hwk,swk}'), false), s.app_id, s.app_scopes,
    extract(epoch FROM s.ends_at - now())::float8
  FROM live_session s WHERE s.team_id = in_team AND s.id = wanted
$$;
REVOKE EXECUTE ON FUNCTION find_session(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_session(uuid, uuid) TO chancery_app, chancery_system;

-- The person of an address, with the team that a sign-in opens: the last one if it is open, else the oldest open one.
CREATE OR REPLACE FUNCTION person_by_email(wanted text)
RETURNS TABLE (
  id uuid, email text, locale text, password_hash text, credential_epoch integer, team_id uuid, status text, team_status text
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.id, p.email, p.locale, p.password_hash, p.credential_epoch, m.team_id, m.status, m.team_status
  FROM person p LEFT JOIN LATERAL (
    SELECT a.team_id, CASE WHEN a.ends_at <= now() THEN 'ended' ELSE a.status END AS status, t.status AS team_status
    FROM account a JOIN team t ON t.team_id = a.team_id
    WHERE a.id = p.id AND a.deleted_at IS NULL
    ORDER BY membership_is_open(a.status, a.ends_at) AND t.status = 'active' DESC, a.team_id = p.last_team_id DESC NULLS LAST, a.created_at, a.team_id LIMIT 1
  ) m ON true
  WHERE p.email_key = wanted AND p.deleted_at IS NULL
$$;

DROP FUNCTION teams_of_person();
CREATE FUNCTION teams_of_person()
RETURNS TABLE (
  team_id uuid, name text, team_status text, role text, status text, joined_at timestamptz, connection_id uuid, needs_second_factor boolean,
  ends_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.team_id, t.name, t.status, a.role, CASE WHEN a.ends_at <= now() THEN 'ended' ELSE a.status END, a.created_at,
    (SELECT e.id FROM enforced_connection(a.team_id, a.id) e LIMIT 1),
    NOT a.two_factor_enabled AND EXISTS (SELECT FROM team_policy y WHERE y.team_id = a.team_id AND y.second_factor), a.ends_at
  FROM account a JOIN team t ON t.team_id = a.team_id
  WHERE a.id = (SELECT current_person()) AND a.deleted_at IS NULL ORDER BY a.created_at, a.team_id LIMIT 200
$$;
REVOKE EXECUTE ON FUNCTION teams_of_person() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION teams_of_person() TO chancery_app, chancery_system;

-- The seat of an auditor. Its resources are grants with the source `audit`. The journal is open about them between the two times.
CREATE TABLE audit_seat (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  journal_from timestamptz NOT NULL,
  journal_to timestamptz NOT NULL,
  may_export boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, account_id),
  CONSTRAINT audit_seat_of FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id),
  CONSTRAINT audit_seat_period CHECK (journal_from < journal_to)
);
CALL confine_to_team('audit_seat', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('audit_seat', 'SELECT', 'DELETE');
ALTER TABLE access_grant DROP CONSTRAINT access_grant_source_check,
  ADD CONSTRAINT access_grant_source_check CHECK (source IN ('share', 'confinement', 'task', 'record', 'audit'));

-- The targets of the journal entries that the seat of an auditor opens: its folders and documents that no barrier hides. And the period of the entries.
CREATE FUNCTION seat_targets(team uuid, person uuid) RETURNS SETOF text LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 100 AS $$
DECLARE
  opened uuid[] := ARRAY(SELECT open_barriers(team, person));
  closing uuid[] := ARRAY(SELECT closing_containers(team, person));
  areas uuid[] := ARRAY(
    SELECT c.id FROM access_containers(team, person, NULL, '{viewer}') AS a(id) JOIN access_container c ON c.team_id = team AND c.id = a.id
    WHERE c.barrier_id = ANY (opened) AND c.id <> ALL (closing));
BEGIN
  RETURN QUERY
    SELECT area.id::text FROM unnest(areas) AS area(id)
    UNION SELECT d.id::text FROM document d WHERE d.team_id = team AND d.folder_id = ANY (areas)
    UNION SELECT d.id::text FROM access_resources(team, person, true, 'document', '{viewer}') AS r(id) JOIN document d ON d.team_id = team AND d.id = r.id
      WHERE d.barrier_id = ANY (opened) AND (d.folder_id IS NULL OR d.folder_id <> ALL (closing));
END $$;
CREATE FUNCTION seat_period(of_team uuid, person uuid) RETURNS TABLE (journal_from timestamptz, journal_to timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT s.journal_from, s.journal_to FROM audit_seat s WHERE s.team_id = of_team AND s.account_id = person
$$;
REVOKE EXECUTE ON FUNCTION seat_targets(uuid, uuid), seat_period(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION seat_targets(uuid, uuid), seat_period(uuid, uuid) TO chancery_app;
