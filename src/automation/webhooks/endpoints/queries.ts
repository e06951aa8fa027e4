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

type EndpointKey = { team: string; id: string };
/** One endpoint: any of the team if `owner` is null, otherwise only of that API client. */
type AccessibleEndpointKey = EndpointKey & { owner: string | null };
const seen = '($owner::uuid IS NULL OR client_id = $owner)';

const columnsSql = 'team_id, id, name, url, events, is_active, client_id, created_by, version, created_at, updated_at';

/** Selects the endpoints of a team in one order. `sort_time` and the identifier are the cursor. */
export const listEndpoints = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'webhook_endpoint');
  return sqlStatement<
    { team: string; owner: string | null } & Cursor & { since: string | null; limit: number },
    EndpointRow & { sort_time: string }
  >(
    `SELECT ${columnsSql}, ${key[0]} AS sort_time FROM webhook_endpoint
     WHERE team_id = $team AND deleted_at IS NULL AND ${after} AND ($since::timestamptz IS NULL OR updated_at >= $since) AND ${seen}
     ORDER BY ${order} LIMIT $limit + 1`,
  );
});

export const findEndpoint = sqlStatement<AccessibleEndpointKey, EndpointRow>(
  `SELECT ${columnsSql} FROM webhook_endpoint WHERE team_id = $team AND id = $id AND deleted_at IS NULL AND ${seen}`,
);

export const endpointNames = sqlStatement<{ team: string; owner: string | null }, Pick<EndpointRow, 'id' | 'name' | 'events'>>(
  `SELECT id, name, events FROM webhook_endpoint WHERE team_id = $team AND deleted_at IS NULL AND is_active AND ${seen} ORDER BY name, id LIMIT 100`,
);

/** Locks an endpoint before a change. */
export const lockEndpoint = sqlStatement<AccessibleEndpointKey, EndpointRow>(
  `SELECT ${columnsSql} FROM webhook_endpoint WHERE team_id = $team AND id = $id AND deleted_at IS NULL AND ${seen} FOR NO KEY UPDATE`,
);

/** Serializes the creations of a team, so that the limit is exact. */
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

/** Inserts an endpoint. Returns no row if the team already has `most`. Uses the database clock, like the times of events. */
export const insertEndpoint = sqlStatement<NewEndpoint, EndpointRow>(
  `INSERT INTO webhook_endpoint (team_id, id, name, url, events, client_id, created_by, secret, scopes, created_at, updated_at)
   SELECT $team, $id, $name, $url, $events, $client, $by, $secret, $scopes, now(), now()
   WHERE (SELECT count(*) FROM webhook_endpoint WHERE team_id = $team AND deleted_at IS NULL) < $most
   RETURNING ${columnsSql}`,
);

/** `pointed`: whether the change concerns the events or the URL. It then stores these `scopes` of the caller’s token. */
type EndpointChange = EndpointKey & {
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
   WHERE team_id = $team AND id = $id RETURNING ${columnsSql}`,
);

export type SettingsRow = {
  id: string;
  version: number;
  description: string | null;
  headers: Buffer | null;
  signing: string;
  max_per_second: number | null;
};

export const findSettings = sqlStatement<AccessibleEndpointKey, SettingsRow>(
  `SELECT e.id, e.version, e.description, e.headers, e.signing, p.max_per_second
   FROM webhook_endpoint e LEFT JOIN webhook_rate_limit p ON p.team_id = e.team_id AND p.endpoint_id = e.id
   WHERE e.team_id = $team AND e.id = $id AND e.deleted_at IS NULL AND ${seen}`,
);

type SettingsChange = EndpointKey & {
  description: string | null;
  headers: Buffer | null;
  signing: string;
  maxPerSecond: number | null;
  at: Date;
};

/** Writes all settings of an endpoint that the caller has locked. If the rate limit does not change, the used part of its allowance stays. */
export const updateSettings = sqlStatement<SettingsChange, { version: number }>(
  `WITH unlimited AS (
     DELETE FROM webhook_rate_limit WHERE team_id = $team AND endpoint_id = $id AND $maxPerSecond::int IS NULL
   ), limited AS (
     INSERT INTO webhook_rate_limit (team_id, endpoint_id, max_per_second) SELECT $team, $id, $maxPerSecond WHERE $maxPerSecond IS NOT NULL
     ON CONFLICT (team_id, endpoint_id) DO UPDATE SET max_per_second = excluded.max_per_second, free_at = least(webhook_rate_limit.free_at, now() + interval '1 second')
   )
   UPDATE webhook_endpoint SET description = $description, headers = $headers, signing = $signing, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING version`,
);

/** Replaces the secret. The old one also signs for `overlapHours`, by the database clock. */
export const rotateSecret = sqlStatement<
  EndpointKey & { secret: Buffer; overlapHours: number; at: Date },
  EndpointRow & { previous_secret_until: string | null }
>(
  `UPDATE webhook_endpoint SET secret = $secret,
     previous_secret = CASE WHEN $overlapHours::int > 0 THEN secret END,
     previous_secret_until = CASE WHEN $overlapHours > 0 THEN now() + make_interval(hours => $overlapHours) END,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING ${columnsSql}, previous_secret_until`,
);

/** Deletes secrets and custom headers at once. The row stays until its log is dropped. */
export const deleteEndpoint = sqlStatement<EndpointKey & { at: Date }, never>(
  `UPDATE webhook_endpoint SET deleted_at = $at, is_active = false, deactivated_at = coalesce(deactivated_at, now()),
     secret = '', headers = NULL, previous_secret = NULL, previous_secret_until = NULL, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

/** Locks the endpoints of an API client in the order of identifiers. */
export const lockEndpointsOfClient = sqlStatement<{ team: string; client: string }, { id: string; name: string }>(
  'SELECT id, name FROM webhook_endpoint WHERE team_id = $team AND client_id = $client AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE',
);

/** Deletes the failure history of an endpoint, which closes its circuit breaker. */
export const forgetFailures = sqlStatement<EndpointKey, never>(
  'DELETE FROM webhook_endpoint_state WHERE team_id = $team AND endpoint_id = $id',
);

/** Notifies the workers at the commit that a team has due deliveries. */
export const wakeWorkers = sqlStatement<{ team: string }, never>("SELECT pg_notify('webhook_due', $team)");

/** Disables an active endpoint that still has this version. Only one of several concurrent calls returns a row. */
export const disableEndpoint = sqlStatement<EndpointKey & { version: number; at: Date }, { name: string; url: string }>(
  `UPDATE webhook_endpoint SET is_active = false, deactivated_at = now(), version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND version = $version AND is_active AND deleted_at IS NULL RETURNING name, url`,
);

/** Selects the active endpoints that a person created. */
export const endpointsBy = sqlStatement<{ team: string; account: string }, { name: string }>(
  'SELECT name FROM webhook_endpoint WHERE team_id = $team AND created_by = $account AND is_active AND deleted_at IS NULL ORDER BY id LIMIT 100',
);

type CallbackRequest = AccessibleEndpointKey & { scope: string };
const callbackEligibleSql = `SELECT e.id FROM webhook_endpoint e
   WHERE e.team_id = $team AND e.id = $id AND e.deleted_at IS NULL AND e.is_active AND endpoint_gets($team, e.client_id, e.scopes, $scope) AND ${seen.replaceAll('client_id', 'e.client_id')}`;

/** An active endpoint that has `$scope` and that the actor may use. */
export const askable = sqlStatement<CallbackRequest, { id: string }>(callbackEligibleSql);
export const lockCallbackEndpoint = sqlStatement<CallbackRequest, { id: string }>(`${callbackEligibleSql} FOR SHARE OF e`);

/** The secret of an endpoint, and the previous one during its overlap. */
export const secretsOf = sqlStatement<EndpointKey, { secret: Buffer; previous_secret: Buffer | null }>(
  `SELECT secret, CASE WHEN previous_secret_until > now() THEN previous_secret END AS previous_secret
   FROM webhook_endpoint WHERE team_id = $team AND id = $id AND deleted_at IS NULL`,
);
