import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';

type TeamKey = { team: string };
type DueParams = { limit: number; ofEachTeam: number };

/** Whether the policy allows guests of a domain, and whether the team has verified it. */
export const guestDomain = sqlStatement<TeamKey & { domain: string }, { is_own: boolean; is_allowed: boolean }>(
  `SELECT is_team_domain($team, $domain) AS is_own,
     NOT EXISTS (SELECT FROM team_policy y WHERE y.team_id = $team AND y.guest_domains <> '{}' AND $domain <> ALL (y.guest_domains)) AS is_allowed`,
);

const maxDays = 'coalesce((SELECT y.guest_days_max FROM team_policy y WHERE y.team_id = $team), 180)';
/** Whether an end is in the future and within the limit of the policy. */
export const guestEnd = sqlStatement<TeamKey & { endsAt: string }, { is_later: boolean; is_within: boolean; max_days: number }>(
  `SELECT $endsAt::timestamptz > now() AS is_later, $endsAt::timestamptz <= now() + make_interval(days => limits.days) AS is_within,
     limits.days AS max_days FROM (SELECT ${maxDays} AS days) AS limits`,
);

/** Whether the end of an auditor is in the future and within 400 days. */
export const auditorEnd = sqlStatement<{ endsAt: string }, { is_later: boolean; is_within: boolean }>(
  "SELECT $endsAt::timestamptz > now() AS is_later, $endsAt::timestamptz <= now() + interval '400 days' AS is_within",
);

const canSponsor = "a.role IN ('owner', 'admin', 'member')";
/** A member who can be a sponsor. */
export const sponsor = sqlStatement<TeamScopedId, { id: string }>(
  `SELECT a.id FROM member a WHERE a.team_id = $team AND a.id = $id AND ${canSponsor}`,
);

/** Returns the sponsor if they still can be one, else the owner. */
export const sponsorNow = sqlStatement<TeamKey & { sponsor: string | null }, { id: string }>(
  `SELECT a.id FROM account a WHERE a.team_id = $team AND a.deleted_at IS NULL AND (a.role = 'owner' OR (a.id = $sponsor::uuid AND a.status = 'active' AND ${canSponsor}))
   ORDER BY a.id IS NOT DISTINCT FROM $sponsor DESC LIMIT 1`,
);

/** Gives the guests of a member another sponsor. */
export const passSponsorship = sqlStatement<
  TeamKey & { from: string; to: string | null; at: Date },
  { id: string; sponsor_id: string | null }
>(
  `WITH heir AS (
     SELECT a.id FROM account a WHERE a.team_id = $team AND a.deleted_at IS NULL AND a.id <> $from
       AND (a.role = 'owner' OR (a.id = $to::uuid AND a.status = 'active' AND ${canSponsor}))
     ORDER BY a.id IS NOT DISTINCT FROM $to DESC LIMIT 1
   ), held AS MATERIALIZED (
     SELECT g.id FROM account g WHERE g.team_id = $team AND g.sponsor_id = $from AND g.deleted_at IS NULL ORDER BY g.id FOR NO KEY UPDATE
   )
   UPDATE account g SET sponsor_id = heir.id, sponsor_extended = false, version = g.version + 1, updated_at = $at FROM heir, held
   WHERE g.team_id = $team AND g.id = held.id RETURNING g.id, g.sponsor_id`,
);

/** The person who invited, with the current role. Returns no row if the person has left. */
export const inviter = sqlStatement<TeamScopedId, { id: string; role: string }>(
  'SELECT a.id, a.role FROM member a WHERE a.team_id = $team AND a.id = $id',
);

/** Whether members may invite guests. */
export const membersMaySponsor = sqlStatement<TeamKey, { may: boolean }>(
  'SELECT EXISTS (SELECT FROM team_policy y WHERE y.team_id = $team AND y.members_may_sponsor) AS may',
);

const due = (job: string, condition: string) =>
  sqlStatement<DueParams, { team: string; id: string }>(
    `SELECT team, id FROM (
       SELECT a.team_id AS team, a.id, a.ends_at, row_number() OVER (PARTITION BY a.team_id ORDER BY a.ends_at) AS place FROM account a
       WHERE a.ends_at IS NOT NULL AND a.deleted_at IS NULL AND ${condition} AND NOT job_waits('${job}', a.team_id, a.id::text)
         AND team_active(a.team_id)
     ) due WHERE place <= $ofEachTeam ORDER BY ends_at LIMIT $limit`,
  );

/** The memberships whose end has passed by the time of the database, oldest first. */
export const dueEnds = (job: string) => due(job, 'a.ends_at <= now()');

const isDue = `a.ends_at > now() AND (
       (a.ends_at <= now() + interval '14 days' AND a.end_reminded IS NULL)
       OR (a.ends_at <= now() + interval '3 days' AND a.end_reminded IS DISTINCT FROM 3))`;
/** The guests who get a reminder now. */
export const dueReminders = (job: string) => due(job, `a.role = 'guest' AND a.status = 'active' AND ${isDue}`);

type Reminded = {
  email: string;
  locale: string;
  first_name: string;
  last_name: string;
  timezone: string;
  ends_at: string;
  name: string;
  time_zone: string;
  sponsor_email: string;
  sponsor_locale: string;
};
/** Records the reminder of a guest and returns both addresses. Returns no row if it is no longer due. */
export const storeReminder = sqlStatement<TeamScopedId, Reminded>(
  `UPDATE account a SET end_reminded = reminded_before(a.ends_at) FROM account s, team t
   WHERE a.team_id = $team AND a.id = $id AND a.deleted_at IS NULL AND a.status = 'active' AND ${isDue}
     AND s.team_id = $team AND s.id = a.sponsor_id AND t.team_id = $team
   RETURNING a.email, a.locale, a.first_name, a.last_name, a.timezone, a.ends_at, t.name, t.time_zone, s.email AS sponsor_email,
     s.locale AS sponsor_locale`,
);
