import { rows, thing } from '../access/rows.ts';
import { type Acts, type ActWorld, on } from '../suites/acts/kit.ts';

/* Access rows and actions of approval rounds for the walks. */

const approvals = '/api/v1/approvals';
const workflows = '/api/v1/workflows';

const whoReads = 'y y y 404 404 y 404 404 404 y 404 403';
const whoManages = 'y y 403 403 403 403 403 403 403 403 403 403';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const approvalAccess = rows(approvals, {
  'GET /': thing('approvalRound', 's s s u u s u u u s u 403'),
  'GET / behind a barrier': thing('barredApprovalRound', 'u u s u u u u u u u u 403'),
  'GET /{id}': thing('approvalRound', whoReads),
  'GET /{id} behind a barrier': thing('barredApprovalRound', '404 404 y 404 404 404 404 404 404 404 404 403'),
  'POST /{id}/restart': thing('approvalRound', whoManages),
  'POST /{id}/restart behind a barrier': thing('barredApprovalRound', '404 404 403 403 403 403 403 403 403 403 403 403'),
  'POST /{id}/replace': thing('approvalRound', whoManages, ({ people }) => ({
    userId: people.assignee.id,
    by: people.member.id,
    reason: 'On leave',
  })),
});

async function round(world: ActWorld): Promise<{ id: string }> {
  const need = [{ count: 1, from: [`user:${world.member.id}`] }];
  const steps = [{ id: 'a', type: 'approval', config: { approval: { rules: [{ id: 'one', need }] } } }];
  const { id } = await world.made('POST', `${workflows}/`, { name: 'Approved', documentId: 'DMS-1', steps });
  await world.made('POST', `${workflows}/${id}/start`);
  const [made] = await world.made('GET', `${approvals}?workflowId=${id}`);
  return made;
}

export const approvalActs: Acts = {
  [`POST ${approvals}/{id}/restart`]: on(
    round,
    'POST',
    ({ id }) => `${approvals}/${id}/restart`,
    undefined,
    'approval.requested',
    'approval.voided',
    'task.created',
  ),
  [`POST ${approvals}/{id}/replace`]: {
    entries: ['approval.candidate_replaced', 'task.assigned'],
    async prepare(world) {
      const { id } = await round(world);
      const other = await world.chancery.user(world.owner.team);
      const body = { userId: world.member.id, by: other.id, reason: 'On leave' };
      return () => world.send('POST', `${approvals}/${id}/replace`, body);
    },
  },
};
