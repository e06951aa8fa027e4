import { timingSafeEqual } from 'node:crypto';
import type { Reader, Transaction } from '../../../platform/database/database.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { type Actor, isTeamManager } from '../../../platform/scope.ts';
import { standardSignature } from '../verify.ts';
import * as queries from './queries.ts';
import type { EndpointSecrets } from './secrets.ts';

/**
 * Whether somebody may have an endpoint asked something: one of the team's, for who runs the team, or an API client's own, that is active
 * and gets what a scope opens. `actor` is undefined where nobody is left who asks: then any of the team's will do.
 */
export async function mayAsk(
  { db, team }: { db: Reader | Transaction; team: string },
  actor: Actor | undefined,
  { endpoint: id, scope }: { endpoint: string; scope: string },
): Promise<boolean> {
  const owner = askerOf(actor);
  if (owner === false || !isUuid(id)) return false;
  return (await db.first(queries.askable, { team, id, owner, scope })) !== undefined;
}

/** The same, and the endpoint is neither deleted nor switched off before this transaction ends. */
export async function holdToAsk(
  { db, team }: { db: Transaction; team: string },
  actor: Actor | undefined,
  { endpoint: id, scope }: { endpoint: string; scope: string },
): Promise<boolean> {
  const owner = askerOf(actor);
  if (owner === false || !isUuid(id)) return false;
  return (await db.first(queries.holdAskable, { team, id, owner, scope })) !== undefined;
}

/** Whose endpoints somebody may use: the team's (null), or their own; none. Reading of them takes the scope, of whoever has scopes. */
function askerOf(actor: Actor | undefined): string | null | false {
  if (actor === undefined) return null;
  if ('scopes' in actor && !actor.scopes.has('webhooks:read')) return false;
  if (actor.type === 'client') return actor.id;
  return isTeamManager(actor) ? null : false;
}

/** An answer to what an endpoint was asked, as it came. */
export type SignedAnswer = { id: string; timestamp: string; signatures: string; body: Buffer };

/** Whether an answer is signed by the secret of an endpoint, or by the one before it while that signs as well. */
export async function isSignedBy(
  { db, team }: { db: Transaction; team: string },
  secrets: EndpointSecrets,
  endpoint: string,
  { id, timestamp, signatures, body }: SignedAnswer,
): Promise<boolean> {
  const row = isUuid(endpoint) ? await db.first(queries.secretsOf, { team, id: endpoint }) : undefined;
  if (!row) return false;
  const expected = [row.secret, row.previous_secret].flatMap((sealed) =>
    sealed === null ? [] : [Buffer.from(standardSignature(secrets.open(endpoint, sealed), id, timestamp, body))],
  );
  const given = signatures.split(' ', maxSignatures).map((one) => Buffer.from(one));
  return given.some((one) => expected.some((other) => one.length === other.length && timingSafeEqual(one, other)));
}

/** Signatures that are compared at most: one for each secret is enough, and some standards add others. */
const maxSignatures = 8;
