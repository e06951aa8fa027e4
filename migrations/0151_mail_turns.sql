-- Teams take turns with their mails: what is queued is found by team, and within it by time. Mails of no team take turns with
-- them as one more, the last.
DROP INDEX mail_message_due;
CREATE FUNCTION mail_lane(team_id uuid) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(team_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
CREATE INDEX mail_message_due ON mail_message (mail_lane(team_id), next_at) WHERE status = 'queued';
