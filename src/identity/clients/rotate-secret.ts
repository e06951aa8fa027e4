import { requireRecentSignIn } from '#accounts';
import { notFound } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { clientSecretRotated, clientTakenOver } from './events.ts';
import type { Clients } from './context.ts';
import { changeable, forgetAfterCommit, type Grantor, scopeNotGranted, present, storeSecret, takeoverNeeded } from './client-mapper.ts';
import { scopesBeyond } from './policy.ts';
import * as queries from './queries.ts';
import type { RotatedClient, RotateSecret, TakenOverClient, TakeOver } from './schemas.ts';
import { newClientSecret } from './secrets.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

const defaultOverlapHours = 24;

/**
 * Creates a new secret of a client, shown only in the response. The previous secret works for another `overlapHours`. An earlier one ends now, so at
 * most two exist. Tokens end with their secret. The caller must have all scopes of the client, because the secret grants them. Throws 403
 * `scope_not_held`, 404 or 412.
 */
export async function rotateSecret(
  scope: Scope,
  clients: Clients,
  { grantorScopes, session }: Grantor,
  id: string,
  input: RotateSecret,
  expect: VersionCheck,
): Promise<Versioned<RotatedClient>> {
  await requireRecentSignIn(scope, session);
  const kept = await changeable(scope, id, expect);
  if (kept.awaiting_since !== null) throw takeoverNeeded();
  const beyond = scopesBeyond(kept.scopes, grantorScopes);
  if (beyond.length > 0) throw scopeNotGranted(beyond);
  const hours = input.overlapHours ?? defaultOverlapHours;
  const secret = newClientSecret();
  const client = kept.id;
  const ended = scope.db.all(queries.endSecrets, { team: scope.team, client, replaced: hours > 0 });
  const ending = hours > 0 ? scope.db.all(queries.endSecretLater, { team: scope.team, client, hours }) : Promise.resolve([]);
  await pipelined([() => forgetAfterCommit(scope, clients, ended), () => forgetAfterCommit(scope, clients, ending)]);
  const [before] = await ending;
  const { row } = await pipelined({
    row: () => scope.db.first(queries.touchClient, { team: scope.team, id: client, at: scope.now }),
    storeSecret: () => storeSecret(scope, clients, client, secret),
    clientSecretRotated: () => recordAudit(scope, clientSecretRotated, client, { overlapHours: hours }),
  });
  if (!row) throw notFound('API client');
  const previous = before ? { previousSecretExpiresAt: before.expires_at } : {};
  return { value: { ...present(row), clientSecret: secret, ...previous }, version: row.version };
}

/**
 * Makes the caller the responsible user of a client and reactivates it if it waits for a takeover. It
 * replaces the secrets and ends their tokens, because the previous responsible user may know them,
 * unless `keepSecret` is true. Throws 401 `reauthentication_required`, 403 `scope_not_held`, 404 or 412.
 */
export async function takeOverClient(
  scope: Scope,
  clients: Clients,
  { grantorScopes, session }: Grantor,
  id: string,
  { keepSecret = false }: TakeOver,
  expect: VersionCheck,
): Promise<Versioned<TakenOverClient>> {
  const { account_id: by } = await requireRecentSignIn(scope, session);
  const kept = await changeable(scope, id, expect);
  const beyond = scopesBeyond(kept.scopes, grantorScopes);
  if (beyond.length > 0) throw scopeNotGranted(beyond);
  const client = kept.id;
  const secret = keepSecret ? undefined : newClientSecret();
  const tokens = { team: scope.team, client };
  await forgetAfterCommit(
    scope,
    clients,
    secret ? scope.db.all(queries.endSecrets, { ...tokens, replaced: false }) : scope.db.all(queries.recheckTokens, tokens),
  );
  const { row } = await pipelined({
    row: () => scope.db.first(queries.takeOver, { team: scope.team, id: client, by, at: scope.now }),
    storeSecret: () => (secret ? storeSecret(scope, clients, client, secret) : undefined),
    clientTakenOver: () =>
      recordAudit(scope, clientTakenOver, client, { from: kept.responsible_id ?? kept.created_by, newSecret: !keepSecret }),
  });
  if (!row) throw notFound('API client');
  return { value: { ...present(row), ...(secret ? { clientSecret: secret } : {}) }, version: row.version };
}
