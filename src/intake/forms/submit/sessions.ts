import { randomUUIDv7 } from 'node:crypto';
import { isToken, newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Visited } from '../visitor.ts';
import * as queries from './queries.ts';

/** The lifetime of a session, in hours. */
const hours = 24;

/** Returns the session of a token for this form, unless it has expired. */
export async function findSession(
  scope: { db: Pick<Scope['db'], 'first'> },
  visited: Visited,
  token: string | undefined,
): Promise<string | undefined> {
  if (token === undefined || !isToken(token)) return undefined;
  const found = await scope.db.first(queries.findSession, { team: visited.team, interface: visited.id, hash: tokenHash(token) });
  return found?.id;
}

const endOf = (at: Date) => new Date(at.getTime() + hours * 3_600_000);

export type NewSession = { id: string; token: string };

/** Creates the data of a session without storing it. {@link keepSession} stores it once the request succeeds. */
export const newSession = (): NewSession => ({ id: randomUUIDv7(), token: newToken() });

export function keepSession({ db, now: at }: Pick<Scope, 'db' | 'now'>, visited: Visited, { id, token }: NewSession): void {
  const expires = endOf(at);
  db.send(queries.insertSession, {
    team: visited.team,
    interface: visited.id,
    link: visited.linkId,
    id,
    hash: tokenHash(token),
    at,
    expires,
  });
}

/** Extends a session after a new submission and deletes its draft. */
export function extendSession({ db, team, now: at }: Pick<Scope, 'db' | 'team' | 'now'>, id: string): void {
  db.send(queries.extendSessionUntil, { team, id, at, expires: endOf(at) });
  db.send(queries.deleteSubmittedDraft, { team, session: id });
}
