import { type Acts, type ActWorld, alone, on } from './kit.ts';
import { signAnswer } from '@chancery/webhooks';
import { newName } from './kit.ts';

const workflows = '/api/v1/workflows';

const draft = (world: ActWorld) =>
  world.made('POST', `${workflows}/`, {
    name: 'A workflow',
    documentId: 'DMS-1',
    steps: [{ id: 'a', type: 'task', assignedTo: world.owner.id }],
  });
const started = async (world: ActWorld) => {
  const made = await draft(world);
  await world.made('POST', `${workflows}/${made.id}/start`);
  return made;
};
const paused = async (world: ActWorld) => {
  const made = await started(world);
  await world.made('POST', `${workflows}/${made.id}/pause`, {});
  return made;
};
const template = (world: ActWorld) =>
  world.made('POST', `${workflows}/templates`, { name: newName('own-'), description: 'Own', steps: [{ id: 'a', type: 'task' }] });

export const workflowActs: Acts = {
  [`POST ${workflows}/`]: alone(
    'POST',
    `${workflows}/`,
    { name: 'Walked', documentId: 'DMS-1', steps: [{ id: 'a', type: 'task' }] },
    'workflow.created',
  ),
  [`PUT ${workflows}/{id}`]: on(draft, 'PUT', ({ id }) => `${workflows}/${id}`, { name: 'New' }, 'workflow.updated'),
  [`DELETE ${workflows}/{id}`]: on(draft, 'DELETE', ({ id }) => `${workflows}/${id}`, undefined, 'workflow.deleted'),
  [`POST ${workflows}/{id}/start`]: on(
    draft,
    'POST',
    ({ id }) => `${workflows}/${id}/start`,
    undefined,
    'task.created',
    'workflow.started',
    'workflow.step.activated',
  ),
  [`POST ${workflows}/{id}/pause`]: on(started, 'POST', ({ id }) => `${workflows}/${id}/pause`, {}, 'workflow.paused'),
  [`POST ${workflows}/{id}/resume`]: on(paused, 'POST', ({ id }) => `${workflows}/${id}/resume`, undefined, 'workflow.resumed'),
  [`POST ${workflows}/{id}/cancel`]: on(started, 'POST', ({ id }) => `${workflows}/${id}/cancel`, {}, 'workflow.cancelled'),
  [`POST ${workflows}/{id}/steps/{stepId}/answer`]: {
    entries: ['workflow.completed', 'workflow.step.completed'],
    async prepare(world) {
      const endpoint = await world.made('POST', '/api/v1/webhooks/', {
        name: 'Asked',
        url: 'https://receiver.example/asked',
        events: ['webhook.test'],
      });
      const steps = [{ id: 'ask', type: 'webhook', config: { endpointId: endpoint.id, waitForAnswer: true } }];
      const { id } = await world.made('POST', `${workflows}/`, { name: 'Asks', documentId: 'DMS-1', steps });
      await world.made('POST', `${workflows}/${id}/start`);
      const { rows } = await world.chancery.pool.query('SELECT nonce FROM workflow_step WHERE workflow_id = $1', [id]);
      const body = '{"outcome":"completed"}';
      const headers = signAnswer(body, rows[0].nonce, endpoint.secret);
      return () => world.chancery.call('POST', `${workflows}/${id}/steps/ask/answer`, { headers, body });
    },
  },
  [`POST ${workflows}/{id}/comments`]: on(draft, 'POST', ({ id }) => `${workflows}/${id}/comments`, { text: 'Seen' }, 'workflow.commented'),
  [`POST ${workflows}/templates`]: alone(
    'POST',
    `${workflows}/templates`,
    { name: 'walked', description: 'Walked', steps: [{ id: 'a', type: 'task' }] },
    'workflow_template.created',
  ),
  [`PUT ${workflows}/templates/{name}`]: on(
    template,
    'PUT',
    ({ name }) => `${workflows}/templates/${name}`,
    { description: 'New' },
    'workflow_template.updated',
  ),
  [`DELETE ${workflows}/templates/{name}`]: on(
    template,
    'DELETE',
    ({ name }) => `${workflows}/templates/${name}`,
    undefined,
    'workflow_template.deleted',
  ),
  [`POST ${workflows}/templates/{name}`]: on(
    template,
    'POST',
    ({ name }) => `${workflows}/templates/${name}`,
    { documentId: 'DMS-1' },
    'workflow.created',
  ),
};
