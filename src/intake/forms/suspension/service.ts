import { notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { endReports } from '../reports/index.ts';
import { interfaceResumed, interfaceSuspended } from './events.ts';
import { suspensionProblems } from './problems.ts';
import * as queries from './queries.ts';

type SuspensionRequest = { suspended: boolean; reason: string };

/**
 * Suspends an interface, or lets it go on, for staff. Its links lead nowhere meanwhile; what it is and what was submitted stays, and
 * the reason is shown to whoever may see it. Errors: 404, 409.
 */
export async function suspendInterface(scope: Scope, given: string, { suspended, reason }: SuspensionRequest) {
  const id = pathId(given, 'interface');
  const one = { team: scope.team, id };
  const kept = await scope.db.first(queries.lockSuspendable, one);
  if (!kept) throw notFound('interface');
  if (kept.suspended === suspended)
    throw suspended
      ? suspensionProblems.interface_suspended('This interface is already suspended. The journal of the team has the reason.')
      : suspensionProblems.interface_not_suspended('This interface is not suspended. Look at its identifier.');
  scope.db.send(queries.setSuspended, { ...one, reason: suspended ? reason : null, at: scope.now });
  // What was told of it has led to this.
  if (suspended) await endReports(scope, id);
  await recordAudit(scope, suspended ? interfaceSuspended : interfaceResumed, id, { reason });
  return { id, teamId: scope.team, suspended };
}
