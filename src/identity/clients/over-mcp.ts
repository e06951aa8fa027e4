import type { Reader } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Actor } from '../../platform/scope.ts';
import { approvalOfClient } from './queries.ts';

/** What is to be known of a client that calls a tool over MCP which changes something. */
export type ClientOverMcp = Row<'api_client', 'id' | 'name' | 'created_by' | 'mcp_approval'>;

/** The client that acts; nothing where it is none. `mcp_approval` says whether a person approves what it calls to change something. */
export async function clientOverMcp({ db, team, actor }: { db: Reader; team: string; actor: Actor }): Promise<ClientOverMcp | undefined> {
  return actor.type === 'client' ? db.first(approvalOfClient, { team, id: actor.id }) : undefined;
}
