import { viewerOf } from '#access';
import { voidRequest } from '#signatures';
import { cancelGivenTasks } from '#tasks';
import { endWorkflow } from '#workflows';
import { record } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { type AccessibleMatter, isBarred, requireRight } from './access.ts';
import { matterClosed, matterUpdated } from './events.ts';
import { presentContent } from './present.ts';
import { matterProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { CloseBody, Matter } from './schemas.ts';
import { getMatter, requireOpen, today, treeLockedMatter } from './service.ts';
import { updateRoot } from '#folders';

/** Maximum open items that one request ends, and that an error lists. */
const [maxEnded, maxListed] = [500, 100];

/**
 * Closes a matter: its content is read-only. Open work must have ended, or `force` ends it. Errors: 400, 403, 404, 409 `matter_closed`, `open_work`,
 * `matter_too_large`, 412.
 */
export async function closeMatter(scope: Scope, id: string, body: CloseBody, expect: VersionCheck): Promise<Versioned<Matter>> {
  const { db, team, now: at } = scope;
  const { force = false, reason, retainUntil = null } = body ?? {};
  if (force && reason === undefined)
    throw problems.validation_failed('`force` ends open work, so it needs a `reason`.', {
      errors: [{ name: 'reason', pointer: '/reason', reason: 'must be given with `force`', rule: 'required' }],
    });
  const found = await treeLockedMatter(scope, id);
  const { matter, root, access } = found;
  requireRight(found, 'manage');
  expect(root.version);
  requireOpen(matter);
  const of = { team, id: root.id, user: viewerOf(scope.actor).user };
  const work = await db.all(queries.openWork, { ...of, limit: maxEnded + 1 });
  if (work.length > 0 && (!force || work.some(({ hidden }) => hidden))) throw openWork(work);
  if (work.length > maxEnded)
    throw matterProblems.matter_too_large(`The matter has more than ${maxEnded} open items. End some of them, then close the matter.`);
  await endAll(scope, work, reason ?? '');
  // OpenWork that began before this lock is seen now. Later work waits for the lock and finds the matter closed.
  const left = await db.locked(queries.lockMatter, of, () => db.all(queries.openWork, { ...of, limit: maxEnded }));
  if (left.length > 0) throw openWork(left);
  db.send(queries.closeMatter, { ...of, closedOn: await today(scope), retainUntil });
  db.send(updateRoot, { team, id: root.id, name: root.name, at });
  const said = {
    ...named(found),
    ...(retainUntil === null ? {} : { retainUntil }),
    ...(work.length === 0 ? {} : { ended: work.length }),
    ...(reason === undefined ? {} : { reason }),
    ...access.byRole('manage'),
  };
  await record(scope, matterClosed, root.id, said, isBarred(found));
  return getMatter(scope, root.id);
}

/** Reopens a closed matter with its former status. Errors: 403, 404, 409 `matter_not_closed`, 412. */
export async function reopenMatter(scope: Scope, id: string, expect: VersionCheck): Promise<Versioned<Matter>> {
  const { db, team, now: at } = scope;
  const found = await treeLockedMatter(scope, id);
  const { root, access } = found;
  requireRight(found, 'manage');
  expect(root.version);
  const reopened = await db.first(queries.reopenMatter, { team, id: root.id });
  if (!reopened) throw matterProblems.matter_not_closed('The matter is not closed, so it cannot be reopened. Read its `status`.');
  db.send(updateRoot, { team, id: root.id, name: root.name, at });
  const changes = { status: { from: 'closed', to: reopened.status } };
  await record(scope, matterUpdated, root.id, { ...named(found), changes, ...access.byRole('manage') }, isBarred(found));
  return getMatter(scope, root.id);
}

const named = ({ matter, root }: AccessibleMatter) => ({
  number: matter.number,
  name: root.name,
  ...(matter.client_id === null ? {} : { clientId: matter.client_id }),
});

type OpenWork = queries.ContentRow & { hidden: boolean };

/** Ends open work in lock order: signature requests, workflows, tasks. Errors: 409 `open_work` for a document that is being sealed. */
async function endAll(scope: Scope, work: readonly OpenWork[], reason: string): Promise<void> {
  const of = (type: OpenWork['type']) => work.filter((one) => one.type === type);
  for (const request of of('signature_request')) if (!(await voidRequest(scope, request.id, reason))) throw openWork([request]);
  for (const { id } of of('workflow')) await endWorkflow(scope, id, reason);
  await cancelGivenTasks(
    scope,
    of('task').map(({ id }) => id),
  );
}

/** The error for open work. It lists the visible work and counts the hidden work. */
function openWork(work: readonly OpenWork[]) {
  const shown = work.filter(({ hidden }) => !hidden);
  const hidden = work.length - shown.length;
  return matterProblems.open_work(
    hidden === 0
      ? 'The matter has open work: see `openWork`. End it, or send `force` with a `reason`.'
      : `The matter has open work, and a barrier hides ${hidden} of it from you. Ask a member of that barrier to end it.`,
    { members: { openWork: shown.slice(0, maxListed).map(presentContent) } },
  );
}
