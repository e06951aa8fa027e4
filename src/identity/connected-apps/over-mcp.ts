import type { Reader } from '../../platform/database/database.ts';
import { actingApp } from './queries.ts';

/** A connected app that calls a tool for a user. */
export type AppOverMcp = { connection: string; name: string; account: string; policy: string | null };

/** Returns the connected app of a connection. */
export async function appOverMcp({ db, team }: { db: Reader; team: string }, connection: string): Promise<AppOverMcp> {
  const found = await db.first(actingApp, { team, session: connection });
  if (!found) throw new Error('the connection of an app that acts for a user over MCP does not exist');
  return { connection, name: found.name, account: found.account_id, policy: found.approval_policy };
}
