import type { Reader } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Actor } from '../../platform/scope.ts';
import { approvalOfClient } from './queries.ts';

/** An API client that calls a tool over MCP. */
export type ClientOverMcp = Row<'api_client', 'id' | 'name' | 'created_by' | 'mcp_approval'>;

/** Returns the acting client, or undefined for other actors. `mcp_approval` tells whether a user approves its calls that change data. */
export async function clientOverMcp({ db, team, actor }: { db: Reader; team: string; actor: Actor }): Promise<ClientOverMcp | undefined> {
  return actor.type === 'client' ? db.first(approvalOfClient, { team, id: actor.id }) : undefined;
}
