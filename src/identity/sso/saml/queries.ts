import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';

type SamlInput = TeamScopedId & {
  ssoUrl: string;
  nameIdFormat: string;
  allowsIdpInitiated: boolean;
  metadataUrl: string | null;
  readAt: Date | null;
};

export const putSaml = sqlStatement<SamlInput, never>(
  `INSERT INTO saml_connection (team_id, id, sso_url, name_id_format, allows_idp_initiated, metadata_url, read_at)
   VALUES ($team, $id, $ssoUrl, $nameIdFormat, $allowsIdpInitiated, $metadataUrl, $readAt)
   ON CONFLICT (team_id, id) DO UPDATE SET sso_url = excluded.sso_url, name_id_format = excluded.name_id_format,
     allows_idp_initiated = excluded.allows_idp_initiated, metadata_url = excluded.metadata_url, read_at = excluded.read_at`,
);

/** Deletes all certificates of a connection except the given ones. */
export const dropOtherCertificates = sqlStatement<TeamScopedId & { fingerprints: Buffer[] }, never>(
  'DELETE FROM saml_certificate WHERE team_id = $team AND connection_id = $id AND NOT (fingerprint = ANY ($fingerprints::bytea[]))',
);
export const addCertificates = sqlStatement<
  TeamScopedId & { fingerprints: Buffer[]; certificates: Buffer[]; ends: Date[]; at: Date },
  never
>(
  `INSERT INTO saml_certificate (team_id, connection_id, fingerprint, certificate, ends_at, added_at)
   SELECT $team, $id, x.fingerprint, x.certificate, x.ends_at, $at
   FROM unnest($fingerprints::bytea[], $certificates::bytea[], $ends::timestamptz[]) AS x(fingerprint, certificate, ends_at) ON CONFLICT DO NOTHING`,
);

export const putRequest = sqlStatement<{ hash: Buffer; connection: string; seconds: number }, never>(
  'INSERT INTO saml_request (id_hash, connection_id, expires_at) VALUES ($hash, $connection, now() + make_interval(secs => $seconds))',
);
/** Ends an open request of a connection. Returns no row if there is none. */
export const takeRequest = sqlStatement<{ hash: Buffer; connection: string }, { taken: boolean }>(
  'DELETE FROM saml_request WHERE id_hash = $hash AND connection_id = $connection AND expires_at > now() RETURNING true AS taken',
);
export const putResponse = sqlStatement<{ hash: Buffer; sealed: Buffer; seconds: number }, never>(
  'INSERT INTO saml_response (handle_hash, sealed, expires_at) VALUES ($hash, $sealed, now() + make_interval(secs => $seconds))',
);
/** Deletes and returns a verified response by its handle. */
export const takeResponse = sqlStatement<{ hash: Buffer }, Row<'saml_response', 'sealed'>>(
  'DELETE FROM saml_response WHERE handle_hash = $hash AND expires_at > now() RETURNING sealed',
);
export const dropRequests = sqlStatement<object, never>('DELETE FROM saml_request WHERE expires_at < now()');
export const dropResponses = sqlStatement<object, never>('DELETE FROM saml_response WHERE expires_at < now()');

type DueConnection = { team: string; id: string };
/** Lists active connections whose metadata were last read before a time, oldest first. */
export const metadataToRead = sqlStatement<{ before: Date; limit: number }, DueConnection>(
  `SELECT c.team_id AS team, c.id FROM saml_connection s JOIN sso_connection c ON c.team_id = s.team_id AND c.id = s.id
   WHERE s.metadata_url IS NOT NULL AND s.read_at < $before AND c.is_active AND team_active(c.team_id)
     AND NOT job_waits('saml-metadata', c.team_id, c.id::text)
   ORDER BY s.read_at, c.id LIMIT $limit`,
);
/** Lists active connections whose last certificate ends before a time. */
export const connectionsEnding = sqlStatement<{ before: Date; limit: number }, DueConnection>(
  `SELECT c.team_id AS team, c.id FROM saml_certificate x JOIN sso_connection c ON c.team_id = x.team_id AND c.id = x.connection_id
   WHERE c.is_active AND team_active(c.team_id) AND NOT job_waits('saml-certificates', c.team_id, c.id::text)
   GROUP BY c.team_id, c.id HAVING max(x.ends_at) < $before ORDER BY max(x.ends_at), c.id LIMIT $limit`,
);
export const noteRead = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE saml_connection SET read_at = $at WHERE team_id = $team AND id = $id',
);
/** Records the mail that is due `days` before the end. Returns no row if it, or a later one, was sent. */
export const noteEnding = sqlStatement<TeamScopedId & { days: number }, { noted: boolean }>(
  `UPDATE saml_connection SET noticed_days = $days WHERE team_id = $team AND id = $id AND (noticed_days IS NULL OR noticed_days > $days)
   RETURNING true AS noted`,
);
export const forgetEnding = sqlStatement<TeamScopedId, never>(
  'UPDATE saml_connection SET noticed_days = NULL WHERE team_id = $team AND id = $id',
);
