import { randomUUIDv7 } from 'node:crypto';
import { requireRecentSignIn } from '#accounts';
import { endInvitationsBy } from '#teams';
import { deleteEndpointsOf } from '#webhooks';
import type { ChangePage, Placed } from '../../platform/database/sorted-page.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { knownPolicy } from './approval-policy.ts';
import { clientCreated, clientDeleted, clientUpdated } from './events.ts';
import type { Clients } from './context.ts';
import { confinement, grantable } from './grantable-scopes.ts';
import { gives } from './policy.ts';
import { changeable, forgetAfterCommit, type Grantor, present, storeSecret, takeoverNeeded } from './client-mapper.ts';
import { clientProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Client, CreateClient, CreatedClient, UpdateClient } from './schemas.ts';
import { newClientSecret } from './secrets.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

const maxClients = 100;

/** Lists a page of the team’s clients, oldest first. */
export async function listClients(scope: ReadScope, { sort, ...page }: ChangePage): Promise<Placed<Client>[]> {
  const rows = await scope.db.all(queries.listClients[sort], { team: scope.team, ...page });
  return rows.map((row) => ({ thing: present(row), place: [row.sort_time, row.id] }));
}

/** Returns a client. Throws 404. */
export async function getClient(scope: ReadScope, id: string): Promise<Versioned<Client>> {
  const row = await scope.db.first(queries.findClient, { team: scope.team, id: pathId(id, 'API client') });
  if (!row) throw notFound('API client');
  return { value: present(row), version: row.version };
}

/**
 * Creates a client. Only this response shows its secret. Throws 400, 401 `reauthentication_required`,
 * 403 `scope_not_held`, 404 `approval_policy_not_found`, 409 `client_limit`, 422 `unknown_scope` or `expiry_in_past`.
 */
export async function createClient(
  scope: Scope,
  clients: Clients,
  { grantorScopes, session }: Grantor,
  input: CreateClient,
): Promise<Versioned<CreatedClient>> {
  const { account_id: by } = await requireRecentSignIn(scope, session);
  const id = randomUUIDv7();
  const name = clientName(input.name);
  const scopes = grantable(input.scopes, [], grantorScopes);
  const folderIds = await confinement(scope, { wanted: input.folderIds ?? null, kept: [] }, scopes);
  const expiresAt = endOf(scope, input.expiresAt);
  const approvalPolicy = await knownPolicy(scope, input.approvalPolicy ?? null);
  const secret = newClientSecret();
  const row = await scope.db.locked(queries.lockClientCount, { team: scope.team }, () =>
    scope.db.first(queries.insertClient, {
      team: scope.team,
      id,
      name,
      scopes,
      folderIds,
      by,
      expiresAt,
      mcpApproval: input.mcpApproval ?? 'mutating',
      approvalPolicy,
      at: scope.now,
      most: maxClients,
    }),
  );
  if (!row) {
    throw clientProblems.client_limit(`Your team has ${maxClients} API clients, which is the maximum. Delete an unused one.`);
  }
  await pipelined([
    () => storeSecret(scope, clients, id, secret),
    () => recordAudit(scope, clientCreated, id, { name, scopes, ...confined(folderIds, approvalPolicy) }),
  ]);
  return { value: { ...present(row), clientSecret: secret }, version: row.version };
}

/**
 * Changes the given members. The caller needs every added scope. Removed scopes and a deactivation
 * apply at the client’s next request. Throws the errors of `createClient`, 404 or 412.
 */
export async function updateClient(
  scope: Scope,
  clients: Clients,
  { grantorScopes, session }: Grantor,
  id: string,
  input: UpdateClient,
  expect: VersionCheck,
): Promise<Versioned<Client>> {
  const changed = membersToChange(input);
  const kept = await changeable(scope, id, expect);
  const scopes = input.scopes === undefined ? kept.scopes : grantable(input.scopes, kept.scopes, grantorScopes);
  const wider = input.folderIds !== undefined || scopes.some((one) => !kept.scopes.includes(one));
  const folderIds = wider
    ? await confinement(
        scope,
        { wanted: input.folderIds === undefined ? kept.folder_ids : input.folderIds, kept: kept.folder_ids ?? [] },
        scopes,
      )
    : kept.folder_ids;
  const isActive = input.isActive ?? kept.is_active;
  if (isActive && kept.awaiting_since !== null) throw takeoverNeeded();
  const expiresAt = input.expiresAt === undefined ? kept.expires_at : endOf(scope, input.expiresAt);
  const mcpApproval = input.mcpApproval ?? kept.mcp_approval;
  const approvalPolicy = input.approvalPolicy === undefined ? kept.approval_policy : await knownPolicy(scope, input.approvalPolicy);
  const before = {
    scopes: kept.scopes,
    folderIds: kept.folder_ids,
    expiresAt: kept.expires_at,
    isActive: kept.is_active,
    mcpApproval: kept.mcp_approval,
    approvalPolicy: kept.approval_policy,
  };
  if (gives(before, { scopes, folderIds, expiresAt, isActive, mcpApproval, approvalPolicy })) await requireRecentSignIn(scope, session);
  const { row } = await pipelined({
    row: () =>
      scope.db.first(queries.updateClient, {
        team: scope.team,
        id: kept.id,
        name: input.name === undefined ? kept.name : clientName(input.name),
        scopes,
        folderIds,
        isActive,
        expiresAt,
        mcpApproval,
        approvalPolicy,
        at: scope.now,
      }),
    forgetAfterCommit: () => forgetAfterCommit(scope, clients, scope.db.all(queries.recheckTokens, { team: scope.team, client: kept.id })),
    endInvitations: () => (isActive && scopes.includes('team:write') ? undefined : endInvitationsBy(scope, kept.id)),
    clientUpdated: () => recordAudit(scope, clientUpdated, kept.id, { changed, scopes, isActive, ...confined(folderIds, approvalPolicy) }),
  });
  if (!row) throw notFound('API client');
  return { value: present(row), version: row.version };
}

/** Returns the members to change. Throws 400 if there are none. */
function membersToChange(input: UpdateClient) {
  const changed = (['name', 'scopes', 'folderIds', 'expiresAt', 'isActive', 'mcpApproval', 'approvalPolicy'] as const).filter(
    (member) => input[member] !== undefined,
  );
  if (changed.length > 0) return changed;
  throw problems.validation_failed(
    'The body has no member that can be changed. Send `name`, `scopes`, `folderIds`, `expiresAt`, `isActive`, `mcpApproval` or `approvalPolicy`.',
    { errors: [{ name: 'body', pointer: '', reason: 'has no member that can be changed', rule: 'minProperties' }] },
  );
}

/**
 * Deletes a client with its webhook endpoints and pending invitations. Its
 * secrets and tokens are invalid from the next request on. Throws 404 or 412.
 */
export async function deleteClient(scope: Scope, clients: Clients, id: string, expect: VersionCheck): Promise<void> {
  const kept = await changeable(scope, id, expect);
  // Before the deletion: a listener ends the approval rounds about the calls of the client, which are deleted with it.
  await recordAudit(scope, clientDeleted, kept.id, { name: kept.name });
  await pipelined([
    () => forgetAfterCommit(scope, clients, scope.db.all(queries.endSecrets, { team: scope.team, client: kept.id, replaced: false })),
    () => scope.db.all(queries.deleteClient, { team: scope.team, id: kept.id }),
    // Runs after the deletion of the client: an endpoint that it registered concurrently either exists by now or is rejected.
    () => deleteEndpointsOf(scope, kept.id),
    () => endInvitationsBy(scope, kept.id),
  ]);
}

/** Returns what limits a client, for the journal. */
const confined = (folderIds: string[] | null, approvalPolicy: string | null) => ({
  ...(folderIds === null ? {} : { folderIds }),
  ...(approvalPolicy === null ? {} : { approvalPolicy }),
});

function clientName(value: string): string {
  const name = cleanName(value);
  if (Array.from(name).length > 200) {
    const reason = 'must have at most 200 characters';
    throw problems.validation_failed(`\`name\` ${reason}.`, { errors: [{ name: 'name', pointer: '/name', reason, rule: 'maxLength' }] });
  }
  return name;
}

function endOf(scope: Scope, expiresAt: string | null | undefined): string | null {
  if (expiresAt === undefined || expiresAt === null) return null;
  const end = new Date(expiresAt);
  if (Number.isNaN(end.getTime()) || end <= scope.now)
    throw clientProblems.expiry_in_past('`expiresAt` must be a future time, or null for a client without expiry.');
  return end.toISOString();
}
