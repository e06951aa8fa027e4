import type { AgentRow } from '#agents';
import { actorToday } from '#documents';
import { managersOf, ownerOfTeam } from '#teams';
import type { Reader, Transaction } from '../../../platform/database/database.ts';
import type { Actor } from '../../../platform/scope.ts';

type TeamReader = { db: Reader | Transaction; team: string };
type OfRun = { on_behalf_of: string; requested_by: string | null };
type Eyes = Pick<AgentRow, 'four_eyes'>;

/** Whether the agent requires a second person for the approval, and the person owns or requested the run. */
export const isOwnRequest = ({ four_eyes: fourEyes }: Eyes, run: OfRun, by: string | null): boolean =>
  fourEyes && by !== null && (by === run.on_behalf_of || by === run.requested_by);

/**
 * Returns the approver of a call: the owner of the run. With `four_eyes`, it is the owner or an administrator of the team who did not request the run
 * and can read the target. Returns nothing if there is no such person.
 */
export async function findApprover(
  { db, team }: TeamReader,
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
