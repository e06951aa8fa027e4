import type { RowWithout } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { NameIdFormat } from './saml/xml.ts';

type Domain = { domain: string; proof: string; verifiedAt?: string };

/** The basis for trusting an address: the claims of the provider, or the verified domain of the connection. */
export type EmailTrust = 'claim' | 'domain';

/** The settings of a SAML provider. `certificate` is DER in base64, `endsAt` its end. */
export type SamlSettings = {
  ssoUrl: string;
  nameIdFormat: NameIdFormat;
  allowsIdpInitiated: boolean;
  metadataUrl?: string;
  readAt?: string;
  certificates: { certificate: string; endsAt: string }[];
};

export type ConnectionRow = RowWithout<'sso_connection', 'team_id'> & {
  domains: Domain[];
  last_used_at: string | null;
  saml: SamlSettings | null;
};

const isoTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const columns = `c.id, c.kind, c.issuer, c.client_id, c.client_secret, c.default_role, c.is_enforced, c.trusts_mfa, c.trusts_home, c.email_trust,
  c.subject_claim, c.jit, c.is_active, c.created_by, c.version,
  (SELECT jsonb_strip_nulls(jsonb_build_object('ssoUrl', s.sso_url, 'nameIdFormat', s.name_id_format, 'allowsIdpInitiated', s.allows_idp_initiated,
      'metadataUrl', s.metadata_url, 'readAt', ${isoTime('s.read_at')}, 'certificates', coalesce((
        SELECT jsonb_agg(jsonb_build_object('certificate', translate(encode(x.certificate, 'base64'), E'\\n', ''), 'endsAt', ${isoTime('x.ends_at')})
          ORDER BY x.ends_at, x.fingerprint)
        FROM saml_certificate x WHERE x.team_id = $team AND x.connection_id = s.id), '[]')))
    FROM saml_connection s WHERE s.team_id = $team AND s.id = c.id) AS saml,
  c.created_at, last_sign_in_through($team, c.id) AS last_used_at,
  c.updated_at, coalesce((SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('domain', d.domain, 'proof', d.proof, 'verifiedAt',
    ${isoTime('d.verified_at')})) ORDER BY d.domain)
    FROM sso_domain d WHERE d.team_id = $team AND d.connection_id = c.id), '[]') AS domains`;

export const listConnections = sqlStatement<{ team: string; after: string; limit: number }, ConnectionRow>(
  `SELECT ${columns} FROM sso_connection c WHERE c.team_id = $team AND c.id > $after ORDER BY c.id LIMIT $limit + 1`,
);

export const findConnection = sqlStatement<TeamScopedId, ConnectionRow>(
  `SELECT ${columns} FROM sso_connection c WHERE c.team_id = $team AND c.id = $id`,
);

export const lockConnection = sqlStatement<TeamScopedId, ConnectionRow>(
  `SELECT ${columns} FROM sso_connection c WHERE c.team_id = $team AND c.id = $id FOR UPDATE OF c`,
);

/** Keeps a connection and its domains unchanged during a sign-in through it, because every change locks the connection first. */
export const lockConnectionShared = sqlStatement<TeamScopedId, never>(
  'SELECT id FROM sso_connection WHERE team_id = $team AND id = $id FOR SHARE',
);

/** Serializes the creation of connections in a team, so that each creation counts all earlier ones. */
export const lockConnectionCount = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('sso connections ' || $team, 0)) AS locked",
);

type ConnectionSettings = TeamScopedId & {
  clientId: string | null;
  secret: Buffer | null;
  role: string;
  enforced: boolean;
  trustsMfa: boolean;
  trustsHome: boolean;
  emailTrust: EmailTrust;
  subjectClaim: string | null;
  jit: boolean;
  active: boolean;
  at: Date;
};

/**
 * Whether another connection of the team has the issuer. Issuer and subject identify a user, and a SAML provider states its entity ID without a proof.
 */
export const issuerTaken = sqlStatement<{ team: string; issuer: string; kind: string }, { taken: boolean }>(
  `SELECT EXISTS (SELECT FROM sso_connection WHERE team_id = $team AND issuer = $issuer AND 'saml' IN (kind, $kind)) AS taken`,
);

/** Inserts a connection. Returns no row if the team already has `most`. */
export const insertConnection = sqlStatement<
  ConnectionSettings & { kind: string; issuer: string; by: string; most: number },
  { id: string }
>(
  `INSERT INTO sso_connection (team_id, id, kind, issuer, client_id, client_secret, default_role, is_enforced, trusts_mfa, trusts_home, email_trust,
     subject_claim, jit, is_active, created_by, created_at, updated_at)
   SELECT $team, $id, $kind, $issuer, $clientId, $secret, $role, $enforced, $trustsMfa, $trustsHome, $emailTrust, $subjectClaim, $jit, $active, $by, $at,
     $at
   WHERE (SELECT count(*) FROM sso_connection WHERE team_id = $team) < $most RETURNING id`,
);

export const updateConnection = sqlStatement<ConnectionSettings, { id: string }>(
  `UPDATE sso_connection SET client_id = $clientId, client_secret = $secret, default_role = $role, is_enforced = $enforced,
     trusts_mfa = $trustsMfa, trusts_home = $trustsHome, email_trust = $emailTrust, subject_claim = $subjectClaim, jit = $jit, is_active = $active,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id RETURNING id`,
);

export const deleteConnection = sqlStatement<TeamScopedId, never>('DELETE FROM sso_connection WHERE team_id = $team AND id = $id');

/** Deletes all domains except the given ones, which keep their proof and verification. */
export const dropOtherDomains = sqlStatement<TeamScopedId & { domains: string[] }, never>(
  'DELETE FROM sso_domain WHERE team_id = $team AND connection_id = $id AND NOT (domain = ANY ($domains::text[]))',
);
export const addDomains = sqlStatement<TeamScopedId & { domains: string[]; proofs: string[] }, never>(
  `INSERT INTO sso_domain (team_id, connection_id, domain, proof)
   SELECT $team, $id, domain, proof FROM unnest($domains::text[], $proofs::text[]) AS x(domain, proof) ON CONFLICT DO NOTHING`,
);

/** Verifies a domain if it is still unverified and has the found proof. */
export const verifyDomain = sqlStatement<TeamScopedId & { domain: string; proof: string; at: Date }, { domain: string }>(
  `UPDATE sso_domain SET verified_at = $at, checked_at = $at, missing_since = NULL
   WHERE team_id = $team AND connection_id = $id AND domain = $domain AND proof = $proof AND verified_at IS NULL RETURNING domain`,
);
export const touchConnection = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE sso_connection SET version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);
/** Lists connections with a verified domain whose last check was before this time, oldest checks first. */
export const connectionsToCheck = sqlStatement<{ before: Date; limit: number }, { team: string; id: string }>(
  `SELECT c.team_id AS team, c.id FROM sso_connection c JOIN sso_domain d ON d.team_id = c.team_id AND d.connection_id = c.id
   WHERE c.is_active AND d.verified_at IS NOT NULL AND d.checked_at < $before
     AND NOT job_waits('sso-domain-check', c.team_id, c.id::text) AND team_active(c.team_id)
   GROUP BY c.team_id, c.id ORDER BY min(d.checked_at), c.id LIMIT $limit`,
);
export type CheckedDomain = TeamScopedId & { domain: string; proof: string; at: Date };
const checkedDomain = 'team_id = $team AND connection_id = $id AND domain = $domain AND proof = $proof AND verified_at IS NOT NULL';
/** Records that no name server responded, so that the next check decides. */
export const recordUnansweredCheck = sqlStatement<CheckedDomain, never>(`UPDATE sso_domain SET checked_at = $at WHERE ${checkedDomain}`);
export const recordProofFound = sqlStatement<CheckedDomain, never>(
  `UPDATE sso_domain SET checked_at = $at, missing_since = NULL WHERE ${checkedDomain}`,
);
/** Records a missing record. A domain whose record is missing since `expiry` or earlier becomes unverified. */
export const recordProofMissing = sqlStatement<CheckedDomain & { expiry: Date }, { since: string; first: boolean; expired: boolean }>(
  `WITH before AS (
     SELECT coalesce(missing_since, $at) AS since, missing_since IS NULL AS first, coalesce(missing_since <= $expiry, false) AS expired
     FROM sso_domain WHERE ${checkedDomain} FOR UPDATE
   ), recorded AS (
     UPDATE sso_domain SET checked_at = $at, missing_since = CASE WHEN NOT expired THEN since END,
       verified_at = CASE WHEN NOT expired THEN verified_at END
     FROM before WHERE ${checkedDomain} RETURNING since, first, expired
   ) SELECT since, first, expired FROM recorded`,
);
/** Returns a row if the team has verified a domain for any of its connections. */
export const domainOfTeam = sqlStatement<{ team: string; domain: string }, { domain: string }>(
  'SELECT domain FROM sso_domain WHERE team_id = $team AND domain = $domain AND verified_at IS NOT NULL LIMIT 1',
);

export const connectionExists = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM sso_connection WHERE team_id = $team AND id = $id',
);

/** The claim with the identifier of a user in the team’s directory; null for the default of the kind. */
export const subjectClaimOf = sqlStatement<TeamScopedId, { subject_claim: string | null }>(
  'SELECT subject_claim FROM sso_connection WHERE team_id = $team AND id = $id',
);

export const releaseDomain = sqlStatement<{ domain: string }, never>('SELECT release_sso_domain($domain)');

export const connectionById = sqlStatement<{ id: string }, { team_id: string; id: string }>('SELECT * FROM sso_connection_by_id($id)');
/** The team of a connection, active or not. */
export const teamOfConnection = sqlStatement<{ id: string }, { team_id: string }>('SELECT * FROM sso_connection_team($id)');
export const connectionByDomain = sqlStatement<{ domain: string }, { team_id: string; id: string }>(
  'SELECT * FROM sso_connection_by_domain($domain)',
);

/** Lists the active connections that a user created. */
export const connectionsBy = sqlStatement<{ team: string; account: string }, { issuer: string }>(
  'SELECT issuer FROM sso_connection WHERE team_id = $team AND created_by = $account AND is_active ORDER BY id',
);

/** Marks the state of a sign-in, an assertion or a logout token as used. Returns no row if it was already used. */
export const spendState = sqlStatement<{ hash: Buffer; seconds: number }, { spent: boolean }>(
  `INSERT INTO sso_state_spent (hash, expires_at) VALUES ($hash, now() + make_interval(secs => $seconds))
   ON CONFLICT DO NOTHING RETURNING true AS spent`,
);

export const dropSpent = sqlStatement<object, never>('DELETE FROM sso_state_spent WHERE expires_at < now()');
