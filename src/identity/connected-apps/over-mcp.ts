import type { Reader } from '../../platform/database/database.ts';
import { actingApp } from './queries.ts';

/** What is to be known of a program that calls a tool for a person. */
export type AppOverMcp = { connection: string; name: string; account: string };

/** The program that acts by a connection. */
export async function appOverMcp({ db, team }: { db: Reader; team: string }, connection: string): Promise<AppOverMcp> {
  const found = await db.first(actingApp, { team, session: connection });
  if (!found) throw new Error('what acts for a person over MCP does so by a connection');
  return { connection, name: found.name, account: found.account_id };
}
