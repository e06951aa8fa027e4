import { assignVote, emergencyAccessReads, lockRound, lockWorkflow, requireMembers, taskProblems } from '#tasks';
import type { ListPage } from '../../../platform/database/json-page.ts';
import type { Cursor } from '../../../platform/database/sorted-page.ts';
import { isUuid, notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import { type ReadScope, type Scope, userIdOf } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { listedFor, mayManage } from './access.ts';
import { candidateReplaced } from './events.ts';
import { roundProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { ReplaceCandidate, Round, RoundFilters } from './schemas.ts';
import { voidRound } from './votes.ts';

/** Lists the rounds that the actor may see, by age. A malformed identifier matches nothing. */
export async function listRounds(
  scope: ReadScope,
  { status, subject, workflowId }: RoundFilters,
  { sort, after, limit }: Cursor & { sort: queries.RoundSort; limit: number },
): Promise<ListPage | undefined> {
  if (workflowId !== undefined && !isUuid(workflowId)) return undefined;
  return scope.db.first(queries.listRounds[sort], {
    team: scope.team,
    principalId: listedFor(scope.actor),
    user: userIdOf(scope.actor),
    status: status ?? null,
    subject: subject ?? null,
    workflow: workflowId ?? null,
    after,
    limit,
  });
}

/** Finds a round that the actor may see. Errors: 404. */
export async function visibleRound({ db, team, actor }: ReadScope | Scope, id: string) {
  const row = await db.first(queries.visibleRound, {
    team,
    id: pathId(id, 'approval'),
    principalId: listedFor(actor),
    user: userIdOf(actor),
  });
  if (!row) throw notFound('approval');
  return row;
}

/** Returns a round that the actor may see, with its candidates and votes. Errors: 404. */
export async function getRound(scope: ReadScope | Scope, id: string): Promise<Versioned<Round>> {
  const { body, version } = await visibleRound(scope, id);
  return { value: JSON.parse(body) as Round, version };
}

/** Locks an open round that the actor may manage, after its workflow. Errors: 403, 404, 409 `round_over`, 412. */
async function lockManageableRound(scope: Scope, id: string, expect: VersionCheck): Promise<queries.RoundRow> {
  const { db, team, actor } = scope;
  const { workflow_id: workflow, outsider } = await visibleRound(scope, id);
  if (!mayManage(actor, outsider)) {
    if (outsider && mayManage(actor, false)) throw emergencyAccessReads();
    throw problems.forbidden('Only the owner and administrators of the team can restart rounds and replace candidates. Ask one of them.');
  }
  const round = id.toLowerCase();
  if (workflow !== null) await db.first(lockWorkflow, { team, workflow });
  const locked = await db.first(lockRound, { team, round });
  const row = await db.first(queries.findRound, { team, id: round });
  if (!row) throw notFound('approval');
  expect(row.version);
  if (!locked?.open) throw taskProblems.round_over('The approval round has ended or expired. Read it to see its result.');
  return row;
}

/**
 * Voids an open round and begins another about the same subject, by the current rules. Votes are not carried over.
 * Returns the new round. Errors: 403, 404, 409 `round_over`, 412, and the reason why the new round cannot begin. After
 * an error the old round stays.
 */
export async function restartRound(scope: Scope, id: string, expect: VersionCheck): Promise<Versioned<Round>> {
  const row = await lockManageableRound(scope, id, expect);
  // The domain of the subject hears this and begins the new round.
  await voidRound(scope, row.id, 'restarted');
  const { team } = scope;
  const next = await scope.db.first(queries.latestRound, { team, subjectType: row.subject_type, subjectId: row.subject_id });
  return getRound(scope, next?.id ?? row.id);
}

/**
 * Replaces a candidate who has not voted by another member, who fills the same places. Errors: 403 `excluded_from_round`, 404 `candidate_not_found`, 409
 * `round_over`, 412, 422 `assignee_not_found`, `assignee_is_viewer`, `outside_barrier`.
 */
export async function replaceCandidate(
  scope: Scope,
  id: string,
  { userId, by, reason }: ReplaceCandidate,
  expect: VersionCheck,
): Promise<Versioned<Round>> {
  const { db, team, now: at } = scope;
  const [from, to] = [userId.toLowerCase(), by.toLowerCase()];
  // Before the locks of the members, so that a caller without access locks nothing.
  await visibleRound(scope, id);
  const viewers = await requireMembers(scope, [to]);
  const row = await lockManageableRound(scope, id, expect);
  const candidates = await db.all(queries.candidatesOf, { team, id: row.id });
  const replaced = candidates.find((one) => one.account_id === from && one.status === 'open');
  if (!replaced)
    throw roundProblems.candidate_not_found(
      'This user is not a candidate of the round, or has voted already. Read the round, then choose a candidate.',
    );
  await assignVote(scope, replaced.task_id, to, { viewers, reason });
  // A delegate of another candidate who is a candidate too would vote twice.
  if (candidates.some((one) => one.account_id === to))
    throw taskProblems.excluded_from_round('This member is a candidate of the round already. Choose another member.');
  db.send(queries.replaceCandidate, { team, id: row.id, from, to });
  db.send(queries.touchRound, { team, id: row.id, at });
  await recordAudit(scope, candidateReplaced, row.id, { from, to, taskId: replaced.task_id, reason }, row.barred);
  return getRound(scope, row.id);
}
