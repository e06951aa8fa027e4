import { workingClientText } from '#clients';
import { memberText } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';

/** What somebody acts as now: their role while they are an active member, or `client` for an API client that is switched on. */
const actorText = (id: string) => `${memberText('a.role, NULL::uuid[] AS folder_ids, NULL::text[] AS scopes', id)}
   UNION ALL
   ${workingClientText("'client', c.folder_ids, c.scopes", id)}`;

export type ActorNow = { role: string; folder_ids: string[] | null; scopes: string[] | null };
export const actorNow = sqlStatement<{ team: string; id: string }, ActorNow>(actorText('$id'));
