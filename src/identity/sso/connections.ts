import { hash, randomUUIDv7 } from 'node:crypto';
import { endChallengesThrough, endSessionsThrough, forgetIdentities, requireRecentSignIn, unlinkFederated } from '#accounts';
import { newToken } from '../../platform/crypto/tokens.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { fieldError, problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { connectionCreated, connectionDeleted, connectionUpdated } from './events.ts';
import { entityId, isSaml, type OidcConnection, redirectUri, type SamlConnection } from './connection-kinds.ts';
import { secretPurpose, type Sso } from './context.ts';
import type { SealedColumn } from '../../platform/database/reencrypt.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { cleanDomains, recordName, recordValue } from './domains.ts';
import { ssoProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Connection, CreateConnection, SamlMembers, UpdateConnection } from './schemas.ts';
import { completeProvider, recordCertificates, type ProviderChange, putSamlSettings } from './saml/index.ts';
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

export const openSecret = (sso: Sso, { id, client_secret: sealed }: OidcConnection): string =>
  sso.keys.secrets.open(sealed, place(id)).toString();

const sealSecret = (sso: Sso, id: string, secret: string): Buffer => sso.keys.secrets.seal(secret, place(id));

function present(sso: Sso, row: queries.ConnectionRow): Versioned<Connection> {
  const value = {
    id: row.id,
    kind: row.kind,
    issuer: row.issuer,
    clientId: row.client_id ?? entityId(sso, row.id),
    redirectUri: redirectUri(sso, row),
    ...(row.saml ? { saml: presentSaml(row.saml) } : {}),
    domains: row.domains.map(({ domain, proof, verifiedAt }) => ({
      name: domain,
      verified: verifiedAt !== undefined,
      ...(verifiedAt === undefined ? {} : { verifiedAt }),
      record: { type: 'TXT', name: recordName(domain), value: recordValue(proof) },
    })),
    defaultRole: row.default_role,
    enforce: row.is_enforced,
    trustMfa: row.trusts_mfa,
    trustHome: row.trusts_home,
    ...(row.subject_claim === null ? {} : { subjectClaim: row.subject_claim }),
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

function presentSaml({ ssoUrl, nameIdFormat, allowsIdpInitiated, metadataUrl, readAt, certificates }: queries.SamlSettings): SamlMembers {
  return {
    ssoUrl,
    nameIdFormat,
    allowIdpInitiated: allowsIdpInitiated,
    ...(metadataUrl === undefined ? {} : { metadataUrl }),
    ...(readAt === undefined ? {} : { metadataReadAt: readAt }),
    certificates: certificates.map(({ certificate, endsAt }) => ({
      sha256: hash('sha256', Buffer.from(certificate, 'base64')),
      expiresAt: endsAt,
    })),
  };
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
 * Creates a connection. Users cannot sign in by address until a domain is verified. `provider` is the description of a SAML provider, already read.
 * Throws 400, 401 `reauthentication_required`, 409 `sso_connection_limit` or `sso_issuer_taken`.
 */
export async function createConnection(
  sso: Sso,
  scope: Scope,
  session: string,
  input: CreateConnection,
  provider: ProviderChange,
): Promise<Versioned<Connection>> {
  const { account_id: by } = await requireRecentSignIn(scope, session);
  const id = randomUUIDv7();
  const kind = input.kind ?? 'oidc';
  const { issuer, ...own } = kind === 'saml' ? samlMembers(input, provider) : oidcMembers(sso, id, input);
  const domains = cleanDomains(input.domains ?? []);
  const { row, other } = await pipelined({
    lock: () => scope.db.all(queries.lockConnectionCount, { team: scope.team }),
    other: () => scope.db.first(queries.issuerTaken, { team: scope.team, issuer, kind }),
    row: () =>
      scope.db.first(queries.insertConnection, {
        ...own,
        team: scope.team,
        id,
        kind,
        issuer,
        role: input.defaultRole ?? 'member',
        enforced: input.enforce ?? false,
        trustsMfa: input.trustMfa ?? false,
        trustsHome: input.trustHome ?? false,
        subjectClaim: input.subjectClaim ?? null,
        jit: input.jit ?? true,
        active: input.isActive ?? true,
        by,
        at: scope.now,
        most: maxConnections,
      }),
  });
  if (!row) throw ssoProblems.sso_connection_limit(`Your team has ${maxConnections} connections, which is the maximum. Delete one first.`);
  if (other?.taken) throw issuerTaken();
  if (kind === 'saml') putSamlSettings(scope, id, { input, provider });
  await pipelined([() => putDomains(scope, id, domains), () => recordAudit(scope, connectionCreated, id, { issuer, domains })]);
  return getConnection(sso, scope, id);
}

const issuerTaken = () =>
  ssoProblems.sso_issuer_taken('Another connection of the team has this issuer. Change that connection, or delete it first.');

/** Returns the members that only connections to OpenID Connect providers have. Throws 400. */
function oidcMembers(sso: Sso, id: string, input: CreateConnection) {
  const { issuer: given, clientId, clientSecret } = input;
  refuseMembers(input, ['ssoUrl', 'certificates', 'metadataXml', 'metadataUrl', 'nameIdFormat', 'allowIdpInitiated'], 'saml');
  if (given === undefined || clientId === undefined || clientSecret === undefined) {
    const missing = Object.entries({ issuer: given, clientId, clientSecret }).filter(([, value]) => value === undefined);
    throw problems.validation_failed('A connection to an OpenID Connect provider needs `issuer`, `clientId` and `clientSecret`.', {
      errors: missing.map(([name]) => fieldError(`/${name}`, 'is required', 'required')),
    });
  }
  const issuer = cleanIssuer(sso, given);
  const emailTrust = input.emailTrust ?? (isEntra(issuer) ? 'domain' : 'claim');
  return { issuer, clientId, secret: sealSecret(sso, id, clientSecret), emailTrust };
}

/** Returns the members that only connections to SAML providers have. Throws 400. */
function samlMembers(input: CreateConnection, provider: ProviderChange) {
  refuseMembers(input, ['clientId', 'clientSecret'], 'oidc');
  refuseClaims(input.emailTrust);
  return { issuer: completeProvider(provider).issuer, clientId: null, secret: null, emailTrust: 'domain' as const };
}

/** Throws 400 for members of the other kind of connection. */
function refuseMembers<Input extends object>(input: Input, names: (keyof Input & string)[], kind: 'oidc' | 'saml'): void {
  const given = names.filter((name) => input[name] !== undefined);
  if (given.length === 0) return;
  throw problems.validation_failed(`\`${given[0]}\` applies only to connections with \`kind: ${kind}\`.`, {
    errors: given.map((name) => fieldError(`/${name}`, `is only for connections with kind ${kind}`, 'kind')),
  });
}

/** SAML has no claim that an address is verified. */
function refuseClaims(emailTrust: queries.EmailTrust | undefined): void {
  if (emailTrust !== 'claim') return;
  throw problems.validation_failed('A SAML connection accepts only `emailTrust: domain`.', {
    errors: [fieldError('/emailTrust', 'must be domain for a SAML connection', 'const')],
  });
}

const samlChanges = ['ssoUrl', 'certificates', 'metadataXml', 'metadataUrl', 'nameIdFormat', 'allowIdpInitiated'] as const;
const changeableMembers = [
  'clientId',
  'clientSecret',
  'domains',
  'defaultRole',
  'enforce',
  'trustMfa',
  'trustHome',
  'subjectClaim',
  'emailTrust',
  'jit',
  'isActive',
  ...samlChanges,
] as const;

/** Settings with which `false` admits fewer users. Setting them to `false` needs no recent sign-in. */
const switches: readonly string[] = ['isActive', 'trustMfa', 'trustHome', 'jit', 'allowIdpInitiated'];

/**
 * Changes the given members, except the issuer and the kind. Changes that admit more users need a recent sign-in. `provider` is the new description of
 * a SAML provider, already read. Throws 400, 401 `reauthentication_required`, 404, 412 or 422 `saml_metadata_invalid`.
 */
export async function updateConnection(
  sso: Sso,
  scope: Scope,
  session: string,
  given: string,
  { input, provider }: { input: UpdateConnection; provider: ProviderChange },
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
  if (changed.some((member) => !switches.includes(member) || input[member] === true)) await requireRecentSignIn(scope, session);
  const domains = input.domains && cleanDomains(input.domains);
  const kept = await changeable(scope, given, expect);
  if (isSaml(kept)) await changeSaml(scope, kept, { input, provider });
  else refuseMembers(input, [...samlChanges], 'saml');
  await pipelined([
    () =>
      scope.db.all(queries.updateConnection, {
        team: scope.team,
        id: kept.id,
        clientId: input.clientId ?? kept.client_id,
        secret: input.clientSecret === undefined ? kept.client_secret : sealSecret(sso, kept.id, input.clientSecret),
        role: input.defaultRole ?? kept.default_role,
        enforced: input.enforce ?? kept.is_enforced,
        trustsMfa: input.trustMfa ?? kept.trusts_mfa,
        trustsHome: input.trustHome ?? kept.trusts_home,
        emailTrust: input.emailTrust ?? kept.email_trust,
        subjectClaim: input.subjectClaim ?? kept.subject_claim,
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

type SamlChange = { input: UpdateConnection; provider: ProviderChange };

/** Changes the settings of a SAML connection. Only the owner sets certificates, which can sign in as any linked member. Managers get a mail. */
async function changeSaml(scope: Scope, kept: SamlConnection, { input, provider }: SamlChange): Promise<void> {
  refuseMembers(input, ['clientId', 'clientSecret'], 'oidc');
  refuseClaims(input.emailTrust);
  if (provider.issuer !== undefined && provider.issuer !== kept.issuer)
    throw ssoProblems.saml_metadata_invalid(
      'The metadata belong to another provider: its entity ID differs. Create another connection for another provider.',
    );
  if (!samlChanges.some((member) => input[member] !== undefined)) return;
  // With a certificate of their own, an administrator could sign in as the owner.
  if (provider.certificates && !(scope.actor.type === 'user' && scope.actor.role === 'owner'))
    throw problems.forbidden('Only the owner of the team can change the metadata and certificates of a provider. Ask the owner.');
  putSamlSettings(scope, kept.id, { kept: kept.saml, input, provider });
  if (provider.certificates) await recordCertificates(scope, kept, { certificates: provider.certificates, by: 'administrator' });
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
