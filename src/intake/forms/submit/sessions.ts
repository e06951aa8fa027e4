import { randomUUIDv7 } from 'node:crypto';
import { isToken, newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Visited } from '../visitor.ts';
import * as queries from './queries.ts';

/** How long a session shows what became of what was sent. */
const hours = 24;

/** The session that a token names at this interface, while it lasts. */
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

/** A session for who has none yet. It is kept by {@link keepSession}, if something comes of what they sent. */
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

/** Has a session show what is sent now for as long as what began it; what it kept as a draft is used up. */
export function goOnWithSession({ db, team, now: at }: Pick<Scope, 'db' | 'team' | 'now'>, id: string): void {
  db.send(queries.prolongSession, { team, id, at, expires: endOf(at) });
  db.send(queries.useDraftUp, { team, session: id });
}
