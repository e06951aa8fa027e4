import { randomUUIDv7 } from 'node:crypto';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { beforeEnding, type Scope } from '../../platform/scope.ts';
import type { VersionCheck } from '../../platform/versioned.ts';
import type { Clients } from './context.ts';
import type { GrantorScopes } from './policy.ts';
import { clientProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Client } from './schemas.ts';
import { secretHash } from './secrets.ts';

/** The scopes of the caller, and the caller’s session. To grant rights, the session needs a recent sign-in. */
export type Grantor = { grantorScopes: GrantorScopes; session: string };

export function present(row: queries.ClientRow): Client {
  return {
    id: row.id,
    clientId: row.id,
    name: row.name,
    scopes: row.scopes,
    ...(row.folder_ids === null ? {} : { folderIds: row.folder_ids }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: row.created_by,
    // Only users create clients, because only they can reauthenticate.
    createdByType: 'user',
    responsibleId: row.responsible_id ?? row.created_by,
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    isActive: row.is_active,
    mcpApproval: row.mcp_approval,
    ...(row.approval_policy === null ? {} : { approvalPolicy: row.approval_policy }),
    ...(row.awaiting_since === null ? {} : { suspendedPendingTakeoverAt: row.awaiting_since }),
  };
}

/** Locks and returns a client of the team. `expect` compares `If-Match`. */
export async function changeable(scope: Scope, id: string, expect: VersionCheck): Promise<queries.ClientRow> {
  const row = await scope.db.first(queries.lockClient, { team: scope.team, id: pathId(id, 'API client') });
  if (!row) throw notFound('API client');
  expect(row.version);
  beforeEnding(scope, row.id);
  return row;
}

export async function storeSecret(scope: Scope, clients: Clients, client: string, secret: string): Promise<void> {
  const hash = secretHash(clients.secretKey, client, secret);
  await scope.db.all(queries.insertSecret, { team: scope.team, id: randomUUIDv7(), client, hash, at: scope.now });
}

/** Removes the tokens of ended secrets from the cache of this node after the commit. The statement itself notifies the other nodes. */
export async function forgetAfterCommit(scope: Scope, clients: Clients, ended: Promise<{ id: string }[]>): Promise<void> {
  const secrets = await ended;
  scope.db.afterCommit(() => {
    for (const { id } of secrets) clients.tokens.forget(id);
  });
}

export function scopeNotGranted(scopes: readonly string[]) {
  return clientProblems.scope_not_held(`You do not have ${scopes.join(', ')}. Omit it, or ask the owner or an administrator of the team.`);
}

export const takeoverNeeded = () =>
  clientProblems.takeover_required(
    'The responsible user has left, or their password was reset. Take the client over with `take-over` first.',
  );
