import { notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { endReports } from '../reports/index.ts';
import { interfaceResumed, interfaceSuspended } from './events.ts';
import { suspensionProblems } from './problems.ts';
import * as queries from './queries.ts';

type SuspensionRequest = { suspended: boolean; reason: string };

/**
 * Suspends or resumes a form for staff. The links of a suspended form do not work, but its content and submissions stay. Members who can see the form
 * see the reason. Throws 404, 409.
 */
export async function suspendInterface(scope: Scope, given: string, { suspended, reason }: SuspensionRequest) {
  const id = pathId(given, 'interface');
  const one = { team: scope.team, id };
  const kept = await scope.db.first(queries.lockSuspendable, one);
  if (!kept) throw notFound('interface');
  if (kept.suspended === suspended)
    throw suspended
      ? suspensionProblems.interface_suspended('This form is already suspended. The journal of the team has the reason.')
      : suspensionProblems.interface_not_suspended('This form is not suspended. Check its identifier.');
  scope.db.send(queries.setSuspended, { ...one, reason: suspended ? reason : null, at: scope.now });
  // The suspension settles the reports about the interface.
  if (suspended) await endReports(scope, id);
  await recordAudit(scope, suspended ? interfaceSuspended : interfaceResumed, id, { reason });
  return { id, teamId: scope.team, suspended };
}
