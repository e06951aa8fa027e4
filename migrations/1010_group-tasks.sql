-- Decides in one place whether a team is open to a sign-in. A member who was suspended signs in again after the reactivation.
-- Tasks of groups: members see and claim them.

-- The end of the last suspension. A sign-in from before does not open the team.
ALTER TABLE account ADD COLUMN reactivated_at timestamptz;
CREATE FUNCTION note_reactivation() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.reactivated_at := now();
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION note_reactivation() FROM PUBLIC;
CREATE TRIGGER note_reactivation BEFORE UPDATE OF status ON account FOR EACH ROW
  WHEN (OLD.status = 'disabled' AND NEW.status = 'active') EXECUTE FUNCTION note_reactivation();

-- The reason for which a team is closed to a sign-in, the first in this order; null if it is open. PostgreSQL inlines the expression, so each argument
-- is used once. `unchanged`: the person has the epoch of the sign-in. `through_provider`: the sign-in used a provider connection of the team, or the
-- team was opened already. `provider_required`: the team enforces a provider for the person.
CREATE FUNCTION team_closed_because(
  member_active boolean, team_status text, unchanged boolean, reactivated_at timestamptz, signed_in_at timestamptz, session_hours integer,
  auth_time timestamptz, through_provider boolean, provider_required boolean, own_proof_at timestamptz
) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN NOT member_active OR team_status <> 'active' THEN 'disabled'
    WHEN NOT unchanged THEN 'credentials_changed'
    WHEN signed_in_at <= reactivated_at THEN 'reactivated'
    WHEN auth_time <= now() - make_interval(hours => session_hours) THEN 'proof_too_old'
    WHEN through_provider THEN NULL
    WHEN provider_required THEN 'provider_required'
    WHEN own_proof_at IS NULL THEN 'own_proof_required'
  END
$$;

-- Valid sessions: neither the sign-in nor the session has ended, and the team is still open to the sign-in. For functions of the owner.
CREATE OR REPLACE VIEW live_session AS
  SELECT s.team_id, s.id, s.account_id, s.connection_id, a.role, i.auth_time, i.amr, i.acr, i.app_id, i.app_scopes,
    i.refresh_counter, i.rotations, i.last_used_at, y.second_factor
  FROM session s
  JOIN sign_in i ON i.id = s.id
  JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
  JOIN person p ON p.id = s.account_id
  JOIN team t ON t.team_id = s.team_id
  LEFT JOIN team_policy y ON y.team_id = s.team_id
  WHERE s.revoked_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now() AND s.epoch = a.credential_epoch
    -- The session itself shows that the team was opened.
    AND team_closed_because(a.status = 'active', t.status, i.epoch = p.credential_epoch, NULL, NULL, y.session_hours, i.auth_time, true, NULL, NULL) IS NULL;

-- Group tasks. A task of a group waits until one member claims it, and is then theirs until they release it. The group is no foreign key: an ended
-- task keeps it after the deletion of the group.
ALTER TABLE task ADD COLUMN assigned_group_id uuid;
CREATE INDEX task_of_group ON task (team_id, assigned_group_id, id) WHERE assigned_group_id IS NOT NULL AND status = 'open';
-- The groups of a step. With the mode `any` each has one task; with `all` its members become assignees when the step begins, and it is removed here.
ALTER TABLE workflow_step ADD COLUMN groups uuid[] NOT NULL DEFAULT '{}';
CREATE INDEX workflow_step_of_groups ON workflow_step (team_id, workflow_id) WHERE groups <> '{}';

-- Whether a person is a member of a group now.
CREATE FUNCTION access_in_group(team uuid, of_group uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM access_group_member m WHERE m.team_id = team AND m.group_id = of_group AND m.user_id = person);
END $$;
-- The active members of a group.
CREATE FUNCTION access_group_members(team uuid, of_group uuid) RETURNS SETOF uuid LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 20 AS $$
BEGIN
  RETURN QUERY SELECT a.id FROM access_group_member m JOIN member a ON a.team_id = team AND a.id = m.user_id
    WHERE m.team_id = team AND m.group_id = of_group;
END $$;
-- Whether a person may claim an open task of a group, or could before another member did. PostgreSQL inlines this function.
CREATE FUNCTION is_candidate(team uuid, of_group uuid, status text, person uuid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT of_group IS NOT NULL AND status = 'open' AND access_in_group(team, of_group, person)
$$;
-- The uses of a group: shares, barriers, open tasks, steps of unfinished workflows, and templates.
CREATE FUNCTION group_uses(team uuid, of_group uuid) RETURNS TABLE (shares integer, barriers integer, tasks integer, steps integer, templates integer)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1 AS $$
BEGIN
  RETURN QUERY SELECT
    (SELECT count(*)::int FROM access_grant g WHERE g.team_id = team AND g.group_id = of_group AND g.source = 'share'),
    (SELECT count(*)::int FROM access_barrier_member m WHERE m.team_id = team AND m.group_id = of_group),
    (SELECT count(*)::int FROM task t WHERE t.team_id = team AND t.assigned_group_id = of_group AND t.status = 'open'),
    (SELECT count(*)::int FROM workflow_step s JOIN workflow w ON w.team_id = team AND w.id = s.workflow_id
      WHERE s.team_id = team AND s.groups <> '{}' AND of_group = ANY (s.groups) AND s.status IN ('pending', 'active')
        AND w.status IN ('draft', 'active', 'paused')),
    (SELECT count(*)::int FROM workflow_template t WHERE t.team_id = team
      AND t.steps @> jsonb_build_array(jsonb_build_object('groups', jsonb_build_array(of_group::text))));
END $$;
REVOKE EXECUTE ON FUNCTION access_in_group(uuid, uuid, uuid), access_group_members(uuid, uuid), is_candidate(uuid, uuid, text, uuid),
  group_uses(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION access_in_group(uuid, uuid, uuid), access_group_members(uuid, uuid), is_candidate(uuid, uuid, text, uuid),
  group_uses(uuid, uuid) TO chancery_app, chancery_system;

-- A task of a group gives its document to the group.
DROP FUNCTION access_task_grants(uuid, text, uuid[]);
CREATE FUNCTION access_task_grants(team uuid, of_type text, by uuid[])
RETURNS TABLE (id uuid, resource_id uuid, user_id uuid, group_id uuid, task_id uuid, granted_by uuid, created_at timestamptz)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 10 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT g.id, g.resource_id, g.user_id, g.group_id, g.source_id, g.granted_by, g.created_at FROM access_grant g
    WHERE g.team_id = team AND g.source = 'task' AND g.resource_type = of_type AND (by IS NULL OR g.granted_by = ANY (by));
END $$;
