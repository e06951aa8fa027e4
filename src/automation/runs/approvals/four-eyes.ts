import type { AgentRow } from '#agents';
import { actorToday } from '#documents';
import { managersOf, ownerOfTeam } from '#teams';
import type { Reader, Transaction } from '../../../platform/database/database.ts';
import type { Actor } from '../../../platform/scope.ts';

type Looking = { db: Reader | Transaction; team: string };
type OfRun = { on_behalf_of: string; requested_by: string | null };
type Eyes = Pick<AgentRow, 'four_eyes'>;

/** Whether somebody would approve a call of a run that is theirs, where its agent is set so that another does. */
export const isOwnRequest = ({ four_eyes: fourEyes }: Eyes, run: OfRun, by: string | null): boolean =>
  fourEyes && by !== null && (by === run.on_behalf_of || by === run.requested_by);

/**
 * Who is asked about a call of a run: whoever it is for, or where its agent takes four eyes the owner, or else an administrator, who has not
 * asked for it and reads what it would change. Nothing where there is nobody.
 */
export async function whoIsAsked(
  { db, team }: Looking,
  agent: Eyes,
  run: OfRun,
  reads: (actor: Actor) => Promise<boolean> = async () => true,
): Promise<string | undefined> {
  if (!agent.four_eyes) return run.on_behalf_of;
  const owner = await db.first(ownerOfTeam, { team });
  const managers = await db.all(managersOf, { team });
  for (const id of new Set([...(owner ? [owner.id] : []), ...managers.map((one) => one.id)].slice(0, maxLookedAt))) {
    const actor = isOwnRequest(agent, run, id) ? undefined : await actorToday({ db, team }, id);
    if (actor && (await reads(actor))) return id;
  }
  return undefined;
}

const maxLookedAt = 20;
