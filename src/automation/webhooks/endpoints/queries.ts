import { bySort, changeSorts, type Cursor, sortedBy } from '../../../platform/database/sorted-page.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

export type EndpointRow = {
  team_id: string;
  id: string;
  name: string;
  url: string;
  events: string[];
  is_active: boolean;
  client_id: string | null;
  created_by: string;
  version: number;
  created_at: string;
  updated_at: string;
};

type One = { team: string; id: string };
/** One endpoint, for who sees all of the team's (`owner` null), or for the API client whose own it must be. */
type Seen = One & { owner: string | null };
const seen = '($owner::uuid IS NULL OR client_id = $owner)';

const columnText = 'team_id, id, name, url, events, is_active, client_id, created_by, version, created_at, updated_at';

/** The endpoints of a team in an order; `sort_time` is where each stands in it, with its id. */
export const listEndpoints = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'webhook_endpoint');
  return sqlStatement<
    { team: string; owner: string | null } & Cursor & { since: string | null; limit: number },
    EndpointRow & { sort_time: string }
  >(
    `SELECT ${columnText}, ${key[0]} AS sort_time FROM webhook_endpoint
     WHERE team_id = $team AND deleted_at IS NULL AND ${after} AND ($since::timestamptz IS NULL OR updated_at >= $since) AND ${seen}
     ORDER BY ${order} LIMIT $limit + 1`,
  );
});

export const findEndpoint = sqlStatement<Seen, EndpointRow>(
  `SELECT ${columnText} FROM webhook_endpoint WHERE team_id = $team AND id = $id AND deleted_at IS NULL AND ${seen}`,
);

/** Locks an endpoint that is to be changed. */
export const lockEndpoint = sqlStatement<Seen, EndpointRow>(
  `SELECT ${columnText} FROM webhook_endpoint WHERE team_id = $team AND id = $id AND deleted_at IS NULL AND ${seen} FOR NO KEY UPDATE`,
);

/** Puts creations of a team one after another, so that each counts what the one before made. */
export const lockEndpointCount = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('webhook endpoints ' || $team, 0)) AS locked",
);

type NewEndpoint = {
  team: string;
  id: string;
  name: string;
  url: string;
  events: string[];
  client: string | null;
  by: string;
  secret: Buffer;
  scopes: string[] | null;
  most: number;
};

/** Inserts unless the team has `most` already: then no row comes back. By the database's clock, as events are dated. */
export const insertEndpoint = sqlStatement<NewEndpoint, EndpointRow>(
  `INSERT INTO webhook_endpoint (team_id, id, name, url, events, client_id, created_by, secret, scopes, created_at, updated_at)
   SELECT $team, $id, $name, $url, $events, $client, $by, $secret, $scopes, now(), now()
   WHERE (SELECT count(*) FROM webhook_endpoint WHERE team_id = $team AND deleted_at IS NULL) < $most
   RETURNING ${columnText}`,
);

/** `pointed`: whether the change says what the endpoint gets or where that leads, by somebody with these `scopes`. */
type EndpointChange = One & {
  name: string;
  url: string;
  events: string[];
  isActive: boolean;
  pointed: boolean;
  scopes: string[] | null;
  at: Date;
};

export const updateEndpoint = sqlStatement<EndpointChange, EndpointRow>(
  `UPDATE webhook_endpoint SET name = $name, url = $url, events = $events, is_active = $isActive,
     scopes = CASE WHEN $pointed::boolean THEN $scopes::text[] ELSE scopes END,
     deactivated_at = CASE WHEN NOT $isActive THEN coalesce(deactivated_at, now()) END,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING ${columnText}`,
);

export type SettingsRow = {
  id: string;
  version: number;
  description: string | null;
  headers: Buffer | null;
  signing: string;
  max_per_second: number | null;
};

export const findSettings = sqlStatement<Seen, SettingsRow>(
  `SELECT e.id, e.version, e.description, e.headers, e.signing, p.max_per_second
   FROM webhook_endpoint e LEFT JOIN webhook_pace p ON p.team_id = e.team_id AND p.endpoint_id = e.id
   WHERE e.team_id = $team AND e.id = $id AND e.deleted_at IS NULL AND ${seen}`,
);

type SettingsChange = One & { description: string | null; headers: Buffer | null; signing: string; maxPerSecond: number | null; at: Date };

/** Writes all settings of an endpoint that the caller has locked. A limit that stays keeps what was used of it. */
export const updateSettings = sqlStatement<SettingsChange, { version: number }>(
  `WITH unlimited AS (
     DELETE FROM webhook_pace WHERE team_id = $team AND endpoint_id = $id AND $maxPerSecond::int IS NULL
   ), limited AS (
     INSERT INTO webhook_pace (team_id, endpoint_id, max_per_second) SELECT $team, $id, $maxPerSecond WHERE $maxPerSecond IS NOT NULL
     ON CONFLICT (team_id, endpoint_id) DO UPDATE SET max_per_second = excluded.max_per_second, free_at = least(webhook_pace.free_at, now() + interval '1 second')
   )
   UPDATE webhook_endpoint SET description = $description, headers = $headers, signing = $signing, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING version`,
);

/** The new secret signs at once; the old one beside it for so many hours, by the clock that judges it. */
export const rotateSecret = sqlStatement<
  One & { secret: Buffer; overlapHours: number; at: Date },
  EndpointRow & { previous_secret_until: string | null }
>(
  `UPDATE webhook_endpoint SET secret = $secret,
     previous_secret = CASE WHEN $overlapHours::int > 0 THEN secret END,
     previous_secret_until = CASE WHEN $overlapHours > 0 THEN now() + make_interval(hours => $overlapHours) END,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING ${columnText}, previous_secret_until`,
);

/** Secrets go at once, own headers among them; the row when its log is dropped. */
export const deleteEndpoint = sqlStatement<One & { at: Date }, never>(
  `UPDATE webhook_endpoint SET deleted_at = $at, is_active = false, deactivated_at = coalesce(deactivated_at, now()),
     secret = '', headers = NULL, previous_secret = NULL, previous_secret_until = NULL, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

/** The endpoints that an API client has registered, locked in the order of their ids. */
export const lockEndpointsOfClient = sqlStatement<{ team: string; client: string }, { id: string; name: string }>(
  'SELECT id, name FROM webhook_endpoint WHERE team_id = $team AND client_id = $client AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE',
);

/** Forgets that an endpoint failed: it begins anew with the breaker closed. */
export const forgetFailures = sqlStatement<One, never>('DELETE FROM webhook_endpoint_state WHERE team_id = $team AND endpoint_id = $id');

/** Tells the workers, when the transaction commits, that a team has something due. */
export const wakeWorkers = sqlStatement<{ team: string }, never>("SELECT pg_notify('webhook_due', $team)");

/** Switches an active endpoint off that is still of this version; of several that try, one gets the row back. */
export const disableEndpoint = sqlStatement<One & { version: number; at: Date }, { name: string; url: string }>(
  `UPDATE webhook_endpoint SET is_active = false, deactivated_at = now(), version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND version = $version AND is_active AND deleted_at IS NULL RETURNING name, url`,
);

/** The endpoints that a person has made and that get events. */
export const endpointsBy = sqlStatement<{ team: string; account: string }, { name: string }>(
  'SELECT name FROM webhook_endpoint WHERE team_id = $team AND created_by = $account AND is_active AND deleted_at IS NULL ORDER BY id LIMIT 100',
);

type Asked = Seen & { scope: string };
const askableText = `SELECT e.id FROM webhook_endpoint e
   WHERE e.team_id = $team AND e.id = $id AND e.deleted_at IS NULL AND e.is_active AND endpoint_gets($team, e.client_id, e.scopes, $scope) AND ${seen.replaceAll('client_id', 'e.client_id')}`;

/** An endpoint that is active, may get what `$scope` opens, and is one of those that somebody may use. */
export const askable = sqlStatement<Asked, { id: string }>(askableText);
export const holdAskable = sqlStatement<Asked, { id: string }>(`${askableText} FOR SHARE OF e`);

/** What an endpoint signs with, and signed with before while that still counts. */
export const secretsOf = sqlStatement<One, { secret: Buffer; previous_secret: Buffer | null }>(
  `SELECT secret, CASE WHEN previous_secret_until > now() THEN previous_secret END AS previous_secret
   FROM webhook_endpoint WHERE team_id = $team AND id = $id AND deleted_at IS NULL`,
);
