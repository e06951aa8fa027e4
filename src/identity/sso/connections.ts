import { randomUUIDv7 } from 'node:crypto';
import { endChallengesThrough, endSessionsThrough, forgetIdentities, requireRecentSignIn, unlinkFederated } from '#accounts';
import { newToken } from '../../platform/crypto/tokens.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { connectionCreated, connectionDeleted, connectionUpdated } from './events.ts';
import { secretPurpose, type Sso } from './context.ts';
import type { SealedColumn } from '../../platform/database/reencrypt.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { cleanDomains, recordName, recordValue } from './domains.ts';
import { ssoProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Connection, CreateConnection, UpdateConnection } from './schemas.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

const maxConnections = 10;

const place = (id: string) => `sso_connection ${id}`;

/** The encrypted column with the client secrets of connections. */
export const sealedConnections: SealedColumn = {
  table: 'sso_connection',
  column: 'client_secret',
  key: { team_id: 'uuid', id: 'uuid' },
  purpose: secretPurpose,
  boundTo: ({ id = '' }) => place(id),
};

export const openSecret = (sso: Sso, { id, client_secret: sealed }: queries.ConnectionRow): string =>
  sso.keys.secrets.open(sealed, place(id)).toString();

/**
 * The redirect address of a connection. Each connection has a separate address, so that
 * a response of one provider is never accepted for another (mix-up, RFC 9700 §4.4.2).
 */
export const redirectUri = (sso: Sso, id: string): string => `${sso.accounts.settings.baseUrl}/api/v1/security/auth/sso/callback/${id}`;

function present(sso: Sso, row: queries.ConnectionRow): Versioned<Connection> {
  const value = {
    id: row.id,
    issuer: row.issuer,
    clientId: row.client_id,
    redirectUri: redirectUri(sso, row.id),
    domains: row.domains.map(({ domain, proof, verifiedAt }) => ({
      name: domain,
      verified: verifiedAt !== undefined,
      ...(verifiedAt === undefined ? {} : { verifiedAt }),
      record: { type: 'TXT', name: recordName(domain), value: recordValue(proof) },
    })),
    defaultRole: row.default_role,
    enforce: row.is_enforced,
    trustMfa: row.trusts_mfa,
    emailTrust: row.email_trust,
    jit: row.jit,
    isActive: row.is_active,
    ...(row.created_by === null ? {} : { createdBy: row.created_by, createdByType: 'user' as const }),
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { value, version: row.version };
}

/** Lists a page of the team’s connections, oldest first. */
export async function listConnections(sso: Sso, scope: ReadScope, page: { after: string; limit: number }): Promise<Connection[]> {
  return (await scope.db.all(queries.listConnections, { team: scope.team, ...page })).map((row) => present(sso, row).value);
}

/** Returns a connection. Throws 404. */
export async function getConnection(sso: Sso, scope: ReadScope | Scope, given: string): Promise<Versioned<Connection>> {
  const row = await scope.db.first(queries.findConnection, { team: scope.team, id: pathId(given, 'connection') });
  if (!row) throw notFound('connection');
  return present(sso, row);
}

/**
 * Creates a connection. Users cannot sign in by address until a domain is verified.
 * Throws 400, 401 `reauthentication_required` or 409 `sso_connection_limit`.
 */
export async function createConnection(sso: Sso, scope: Scope, session: string, input: CreateConnection): Promise<Versioned<Connection>> {
  const { account_id: by } = await requireRecentSignIn(scope, session);
  const id = randomUUIDv7();
  const issuer = cleanIssuer(sso, input.issuer);
  const domains = cleanDomains(input.domains ?? []);
  const row = await scope.db.locked(queries.lockConnectionCount, { team: scope.team }, () =>
    scope.db.first(queries.insertConnection, {
      team: scope.team,
      id,
      issuer,
      clientId: input.clientId,
      secret: sso.keys.secrets.seal(input.clientSecret, place(id)),
      role: input.defaultRole ?? 'member',
      enforced: input.enforce ?? false,
      trustsMfa: input.trustMfa ?? false,
      emailTrust: input.emailTrust ?? (isEntra(issuer) ? 'domain' : 'claim'),
      jit: input.jit ?? true,
      active: input.isActive ?? true,
      by,
      at: scope.now,
      most: maxConnections,
    }),
  );
  if (!row) throw ssoProblems.sso_connection_limit(`Your team has ${maxConnections} connections, which is the maximum. Delete one first.`);
  await pipelined([() => putDomains(scope, id, domains), () => recordAudit(scope, connectionCreated, id, { issuer, domains })]);
  return getConnection(sso, scope, id);
}

const changeableMembers = [
  'clientId',
  'clientSecret',
  'domains',
  'defaultRole',
  'enforce',
  'trustMfa',
  'emailTrust',
  'jit',
  'isActive',
] as const;

/** Settings with which `false` admits fewer users. Setting them to `false` needs no recent sign-in. */
const isSwitch = (member: (typeof changeableMembers)[number]) => member === 'isActive' || member === 'trustMfa' || member === 'jit';

/**
 * Changes the given members, except the issuer. Changes that admit more users
 * need a recent sign-in. Throws 400, 401 `reauthentication_required`, 404 or 412.
 */
export async function updateConnection(
  sso: Sso,
  scope: Scope,
  session: string,
  given: string,
  input: UpdateConnection,
  expect: VersionCheck,
): Promise<Versioned<Connection>> {
  const changed = changeableMembers.filter((member) => input[member] !== undefined);
  if (changed.length === 0) {
    throw problems.validation_failed(
      'The body has no member that can be changed. The issuer cannot change: create another connection for another provider.',
      {
        errors: [{ name: 'body', pointer: '', reason: 'has no member that can be changed', rule: 'minProperties' }],
      },
    );
  }
  if (changed.some((member) => !isSwitch(member) || input[member] === true)) await requireRecentSignIn(scope, session);
  const domains = input.domains && cleanDomains(input.domains);
  const kept = await changeable(scope, given, expect);
  await pipelined([
    () =>
      scope.db.all(queries.updateConnection, {
        team: scope.team,
        id: kept.id,
        clientId: input.clientId ?? kept.client_id,
        secret: input.clientSecret === undefined ? kept.client_secret : sso.keys.secrets.seal(input.clientSecret, place(kept.id)),
        role: input.defaultRole ?? kept.default_role,
        enforced: input.enforce ?? kept.is_enforced,
        trustsMfa: input.trustMfa ?? kept.trusts_mfa,
        emailTrust: input.emailTrust ?? kept.email_trust,
        jit: input.jit ?? kept.jit,
        active: input.isActive ?? kept.is_active,
        at: scope.now,
      }),
    () => (domains ? putDomains(scope, kept.id, domains) : undefined),
    // Pending sign-ins through it must start again with the new settings.
    () => endChallengesThrough(scope, kept.id),
    () => recordAudit(scope, connectionUpdated, kept.id, { changed }),
  ]);
  return getConnection(sso, scope, kept.id);
}

/** Deletes a connection with its identities and ends the sessions that began through it. Throws 404 or 412. */
export async function deleteConnection(sso: Sso, scope: Scope, given: string, expect: VersionCheck): Promise<void> {
  const kept = await changeable(scope, given, expect);
  await pipelined([
    () => endSessionsThrough(sso.accounts, scope, kept.id),
    () => scope.db.all(forgetIdentities, { team: scope.team, connection: kept.id }),
    () => scope.db.all(queries.deleteConnection, { team: scope.team, id: kept.id }),
    () => recordAudit(scope, connectionDeleted, kept.id, { issuer: kept.issuer }),
  ]);
}

/** Unlinks a member from the provider of a connection and ends their sessions. Throws 401 `reauthentication_required` or 404. */
export async function unlinkMember(sso: Sso, scope: Scope, session: string, given: { id: string; userId: string }): Promise<void> {
  await requireRecentSignIn(scope, session);
  const account = pathId(given.userId, 'member');
  const row = await scope.db.first(queries.findConnection, { team: scope.team, id: pathId(given.id, 'connection') });
  if (!row) throw notFound('connection');
  if (!(await unlinkFederated(sso.accounts, scope, { account, issuer: row.issuer, connectionId: row.id }))) throw notFound('identity');
}

/** Locks and returns a connection of the team. `expect` compares `If-Match`. */
export async function changeable(scope: Scope, given: string, expect: VersionCheck): Promise<queries.ConnectionRow> {
  const row = await scope.db.first(queries.lockConnection, { team: scope.team, id: pathId(given, 'connection') });
  if (!row) throw notFound('connection');
  expect(row.version);
  return row;
}

async function putDomains(scope: Scope, id: string, domains: string[]): Promise<void> {
  const one = { team: scope.team, id, domains };
  scope.db.send(queries.dropOtherDomains, one);
  scope.db.send(queries.addDomains, { ...one, proofs: domains.map(() => newToken()) });
}

/** Entra ID omits `email_verified`. */
const isEntra = (issuer: string): boolean => new URL(issuer).hostname === 'login.microsoftonline.com';
/** Issuers of Entra ID for many tenants. With such an issuer, any tenant could claim addresses of the team. */
const severalTenants = /^\/(?:common|organizations|consumers|%7btenantid%7d)(?:\/|$)/i;

function issuerErrorOf(url: URL): { reason: string; rule: string } | undefined {
  if (url.search !== '') return { reason: 'must not have a query (?…)', rule: 'query' };
  if (isEntra(url.href) && severalTenants.test(url.pathname))
    return {
      reason: 'must name your tenant by its identifier, as https://login.microsoftonline.com/<tenant id>/v2.0',
      rule: 'single_tenant',
    };
  return undefined;
}

/** Returns a valid issuer exactly as written, because ID tokens contain it in this form (OpenID Connect Core §3.1.3.7). */
function cleanIssuer(sso: Sso, given: string): string {
  const issuer = given.trim();
  const checked = sso.checkUrl(issuer);
  const error = checked.ok ? issuerErrorOf(new URL(issuer)) : checked;
  if (!error) return issuer;
  const { reason, rule } = error;
  throw problems.validation_failed(`\`issuer\` ${reason}.`, { errors: [{ name: 'issuer', pointer: '/issuer', reason, rule }] });
}
