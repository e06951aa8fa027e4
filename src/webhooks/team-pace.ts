import type { Transaction } from '../platform/database/database.ts';
import { endTeamPace, keepTeamPace, wakeWorkers } from './queries.ts';

/**
 * Lets a team's deliveries go out at so many an hour, attempts counted, over all workers, from the next claim on: for a team
 * that has announced more than it may. What is above that waits, in its order; nothing is dropped. Undefined ends it.
 */
export async function paceTeam(tx: Transaction, team: string, perHour: number | undefined): Promise<void> {
  if (perHour === undefined) await tx.all(endTeamPace, { team });
  else await tx.all(keepTeamPace, { team, perHour });
  await tx.all(wakeWorkers, { team });
}
