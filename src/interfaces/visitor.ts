import { tokenHash } from '../platform/crypto/tokens.ts';
import type { Database } from '../platform/database/database.ts';
import { enterTeam, type PublicScope, type Scope } from '../platform/scope.ts';
import * as queries from './link-queries.ts';
import { opennessOf } from './policy.ts';
import { interfaceProblems } from './problems.ts';
import type { Channel } from './schemas.ts';

/** A token of a path, and the channel that the path is of. */
export type Link = { channel: Channel; token: string };

/** What a link leads to. `retired`: the link was replaced; it shows those who have answered what became of it, and nothing else. */
export type Visited = queries.VisitedRow & { team: string; linkId: string; retired: boolean };

const noSuch = () =>
  interfaceProblems.interface_not_found('This link leads to no form. Check that it is whole, or ask for the current one.');

/** 32 bytes as base64url: nothing else is looked up. */
export const isLinkToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

type Found = { team: string; interface: string; linkId: string; retired: boolean };

async function findLink(db: Pick<PublicScope['db'], 'first'>, { channel, token }: Link): Promise<Found> {
  const found = isLinkToken(token) ? await db.first(queries.interfaceByLink, { hash: tokenHash(token) }) : undefined;
  if (found?.channel !== channel) throw noSuch();
  return { team: found.team_id, interface: found.interface_id, linkId: found.link_id, retired: found.retired };
}

async function visitedBy(db: Pick<PublicScope['db'], 'first'>, { team, interface: id, linkId, retired }: Found): Promise<Visited> {
  const row = await db.first(queries.visitedInterface, { team, id });
  if (!row) throw noSuch();
  return { ...row, team, linkId, retired };
}

/** What a link leads to, in two exchanges. Errors: 404 `interface_not_found`, whatever the reason. */
export async function visit({ publicReader, reader }: Pick<Database, 'publicReader' | 'reader'>, link: Link): Promise<Visited> {
  const found = await findLink(publicReader, link);
  return visitedBy(reader(found.team), found);
}

/**
 * The same in a transaction that changes something: from now on it is of the team, and the actor is a visitor. `id` names the
 * visitor's session. Errors: 404 `interface_not_found`.
 */
export async function enterByLink(scope: PublicScope, link: Link, id: string): Promise<{ scope: Scope; visited: Visited }> {
  const found = await findLink(scope.db, link);
  const entered = enterTeam(scope, found.team, { type: 'visitor', id });
  return { scope: entered, visited: await visitedBy(entered.db, found) };
}

/** What is new is taken only while the interface is open. Errors: 404, 409 `interface_full`, 410 `interface_closed`. */
export function requireOpen({ status, definition, taken, retired }: Visited, now: Date): void {
  if (retired) throw noSuch();
  const { opensAt, closesAt, maxSubmissions: most } = definition.publicSettings;
  switch (opennessOf(now, { status, opensAt, closesAt, most, taken })) {
    case 'closed':
      throw interfaceProblems.interface_closed('This form was closed.');
    case 'not yet':
      throw interfaceProblems.interface_closed(`This form opens at ${opensAt}.`);
    case 'over':
      throw interfaceProblems.interface_closed(`This form was open until ${closesAt}.`);
    case 'full':
      throw interfaceProblems.interface_full('This form has as many answers as it takes.');
    default:
  }
}
