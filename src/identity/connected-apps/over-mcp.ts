import type { Reader } from '../../platform/database/database.ts';
import { actingProgram } from './queries.ts';

/** What is to be known of a program that calls a tool for a person. */
export type ProgramOverMcp = { connection: string; name: string; account: string };

/** The program that acts by a connection. */
export async function programOverMcp({ db, team }: { db: Reader; team: string }, connection: string): Promise<ProgramOverMcp> {
  const found = await db.first(actingProgram, { team, session: connection });
  if (!found) throw new Error('what acts for a person over MCP does so by a connection');
  return { connection, name: found.name, account: found.account_id };
}
