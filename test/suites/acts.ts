import assert from 'node:assert/strict';
import type { Answer, CallOptions, Chancery, User } from '../harness.ts';
import { passkeyActs } from './acts-passkeys.ts';

export type ActWorld = {
  chancery: Chancery;
  owner: User;
  member: User;
  /** As the owner of the team. */
  send(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** The same, for what must succeed before the act. */
  made(method: string, path: string, body?: unknown): Promise<any>;
};

/** What an operation writes into the journal: the types of its entries, and how it is called once what it needs is there. */
export type ActEntry = { entries: string[]; prepare(world: ActWorld): Promise<() => Promise<Answer>> };

const auth = '/api/v1/security/auth';
const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
const workflows = '/api/v1/workflows';
const webhooks = '/api/v1/webhooks';
const password = 'CorrectHorse9Battery';
let people = 0;

/** An operation on a thing that `make` makes. */
const on = (
  make: (world: ActWorld) => Promise<any>,
  method: string,
  path: (thing: any) => string,
  body?: unknown,
  ...entries: string[]
): ActEntry => ({
  entries,
  async prepare(world) {
    const thing = await make(world);
    return () => world.send(method, path(thing), typeof body === 'function' ? body(world, thing) : body);
  },
});
const alone = (method: string, path: string, body: unknown, ...entries: string[]) =>
  on(
    async () => undefined,
    method,
    () => path,
    body,
    ...entries,
  );

const file = () => {
  const form = new FormData();
  form.set('title', 'A file');
  form.set('file', new Blob(['%PDF-1.7'], { type: 'application/pdf' }), 'a.pdf');
  return form;
};
const folder = ({ chancery, owner }: ActWorld) => chancery.folder(owner);
const document = ({ chancery, owner }: ActWorld) => chancery.document(owner);
const task = (world: ActWorld) => world.made('POST', '/api/v1/tasks/', { title: 'A task', assignedTo: world.owner.id });
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
  world.made('POST', `${workflows}/templates`, { name: `own-${(people += 1)}`, description: 'Own', steps: [{ id: 'a', type: 'task' }] });
const endpoint = (world: ActWorld) =>
  world.made('POST', `${webhooks}/`, { name: 'A', url: 'https://receiver.example/hook', events: ['webhook.test'] });
const failed = async (world: ActWorld) => {
  const made = await endpoint(world);
  await world.made('POST', `${webhooks}/${made.id}/test`);
  const [delivery] = await world.made('GET', `${webhooks}/${made.id}/deliveries`);
  await world.chancery.pool.query("UPDATE webhook_delivery SET status = 'failed' WHERE id = $1", [delivery.id]);
  await world.chancery.pool.query('DELETE FROM webhook_queue WHERE delivery_id = $1', [delivery.id]);
  return { id: made.id, deliveryId: delivery.id };
};

async function mailed({ chancery }: ActWorld, email: string, what: RegExp): Promise<string> {
  const { body } = await chancery.call('GET', `/dev/mail.json?to=${encodeURIComponent(email)}`);
  return what.exec(`${body[0]?.subject}\n${body[0]?.text}`)?.[1] ?? '';
}
async function registered(world: ActWorld): Promise<string> {
  const email = `walker${(people += 1)}@example.org`;
  await world.made('POST', `${auth}/register`, { email, firstName: 'Ada', lastName: 'Walker', password });
  return email;
}
async function person(world: ActWorld): Promise<{ email: string; token: string; refreshToken: string }> {
  const email = await registered(world);
  const answer = await world.send('POST', `${auth}/verify-email`, { email, code: await mailed(world, email, /(\d{6})/) });
  assert.equal(answer.status, 200, answer.text);
  const refreshToken = /refresh_token=([^;]*)/.exec(answer.headers.getSetCookie().join('\n'))?.[1] ?? '';
  return { email, token: answer.body.accessToken, refreshToken };
}

/**
 * Every operation that changes something, by what it writes into the journal. The walk fails for one that is described and
 * not named here. An operation without an entry says why.
 */
export const acts: Record<string, ActEntry> = {
  ...passkeyActs,
  // No account and no team yet: the acts are written when the address is confirmed.
  [`POST ${auth}/register`]: alone('POST', `${auth}/register`, {
    email: 'first@example.org',
    firstName: 'Ada',
    lastName: 'First',
    password,
  }),
  [`POST ${auth}/resend-verification`]: {
    entries: [],
    async prepare(world) {
      const email = await registered(world);
      return () => world.send('POST', `${auth}/resend-verification`, { email });
    },
  },
  [`POST ${auth}/verify-email`]: {
    entries: ['login.succeeded', 'member.joined', 'user.email_verified', 'user.registered'],
    async prepare(world) {
      const email = await registered(world);
      const code = await mailed(world, email, /(\d{6})/);
      return () => world.send('POST', `${auth}/verify-email`, { email, code });
    },
  },
  [`POST ${auth}/login`]: {
    entries: ['login.succeeded'],
    async prepare(world) {
      const { email } = await person(world);
      return () => world.send('POST', `${auth}/login`, { email, password });
    },
  },
  // A rotation is no act of a person: the session it belongs to has its entries.
  [`POST ${auth}/refresh`]: {
    entries: [],
    async prepare(world) {
      const { refreshToken } = await person(world);
      return () => world.send('POST', `${auth}/refresh`, { refreshToken });
    },
  },
  [`POST ${auth}/logout`]: {
    entries: ['logout'],
    async prepare(world) {
      const { token } = await person(world);
      return () => world.send('POST', `${auth}/logout`, undefined, { token });
    },
  },
  [`DELETE ${auth}/sessions/{id}`]: {
    entries: ['session.revoked'],
    async prepare(world) {
      const { email, token } = await person(world);
      await world.made('POST', `${auth}/login`, { email, password });
      const { body } = await world.send('GET', `${auth}/sessions`, undefined, { token });
      const other = body.find(({ current }: { current: boolean }) => !current);
      return () => world.send('DELETE', `${auth}/sessions/${other.id}`, undefined, { token });
    },
  },
  [`POST ${auth}/request-password-reset`]: {
    entries: ['password.reset_requested'],
    async prepare(world) {
      const { email } = await person(world);
      return () => world.send('POST', `${auth}/request-password-reset`, { email });
    },
  },
  [`POST ${auth}/reset-password`]: {
    entries: ['password.reset'],
    async prepare(world) {
      const { email } = await person(world);
      await world.made('POST', `${auth}/request-password-reset`, { email });
      const token = await mailed(world, email, /token=([\w-]+)/);
      return () => world.send('POST', `${auth}/reset-password`, { token, password: 'AnotherGood1Horse' });
    },
  },
  [`PUT ${auth}/change-password`]: {
    entries: ['login.succeeded', 'password.changed', 'session.revoked'],
    async prepare(world) {
      const { token } = await person(world);
      return () => world.send('PUT', `${auth}/change-password`, { currentPassword: password, newPassword: 'AnotherGood1Horse' }, { token });
    },
  },
  [`PUT ${auth}/profile`]: alone('PUT', `${auth}/profile`, { firstName: 'Grace' }, 'profile.updated'),

  [`POST ${folders}/`]: alone('POST', `${folders}/`, { name: 'Walked' }, 'folder.created'),
  [`PUT ${folders}/{id}`]: on(folder, 'PUT', ({ id }) => `${folders}/${id}`, { description: 'New' }, 'folder.updated'),
  [`DELETE ${folders}/{id}`]: on(folder, 'DELETE', ({ id }) => `${folders}/${id}`, undefined, 'folder.deleted'),
  [`PATCH ${folders}/{id}/move`]: {
    entries: ['folder.moved'],
    async prepare(world) {
      const [moved, target] = [await folder(world), await folder(world)];
      return () => world.send('PATCH', `${folders}/${moved.id}/move`, { parentId: target.id });
    },
  },
  [`POST ${folders}/{id}/restore`]: {
    entries: ['folder.restored'],
    async prepare(world) {
      const { id } = await folder(world);
      await world.made('DELETE', `${folders}/${id}`);
      return () => world.send('POST', `${folders}/${id}/restore`);
    },
  },
  [`POST ${folders}/{id}/shares`]: on(
    folder,
    'POST',
    ({ id }) => `${folders}/${id}/shares`,
    ({ member }: ActWorld) => ({ userId: member.id, access: 'read' }),
    'folder.shared',
  ),
  [`DELETE ${folders}/{id}/shares/{shareId}`]: {
    entries: ['folder.unshared'],
    async prepare(world) {
      const { id } = await folder(world);
      const share = await world.made('POST', `${folders}/${id}/shares`, { userId: world.member.id, access: 'read' });
      return () => world.send('DELETE', `${folders}/${id}/shares/${share.id}`);
    },
  },

  [`POST ${documents}/`]: alone('POST', `${documents}/`, { title: 'Walked' }, 'document.created'),
  [`PUT ${documents}/{id}`]: on(document, 'PUT', ({ id }) => `${documents}/${id}`, { title: 'New' }, 'document.updated'),
  [`DELETE ${documents}/{id}`]: on(document, 'DELETE', ({ id }) => `${documents}/${id}`, undefined, 'document.deleted'),
  [`PATCH ${documents}/{id}/move`]: {
    entries: ['document.moved'],
    async prepare(world) {
      const [moved, target] = [await document(world), await folder(world)];
      return () => world.send('PATCH', `${documents}/${moved.id}/move`, { folderId: target.id });
    },
  },
  [`POST ${documents}/{id}/versions`]: on(document, 'POST', ({ id }) => `${documents}/${id}/versions`, file, 'document.version_added'),
  // Reading contents is an act too.
  [`GET ${documents}/{id}/content`]: on(
    (world) => world.made('POST', `${documents}/`, file()),
    'GET',
    ({ id }) => `${documents}/${id}/content`,
    undefined,
    'document.content_read',
  ),

  'POST /api/v1/tasks/': alone('POST', '/api/v1/tasks/', { title: 'Walked' }, 'task.created'),
  'POST /api/v1/tasks/{id}/complete': on(task, 'POST', ({ id }) => `/api/v1/tasks/${id}/complete`, { outcome: 'done' }, 'task.completed'),
  'POST /api/v1/tasks/{id}/reassign': on(
    task,
    'POST',
    ({ id }) => `/api/v1/tasks/${id}/reassign`,
    ({ member }: ActWorld) => ({ userId: member.id }),
    'task.assigned',
  ),
  'POST /api/v1/tasks/{id}/comments': on(task, 'POST', ({ id }) => `/api/v1/tasks/${id}/comments`, { text: 'Seen' }, 'task.commented'),

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

  [`POST ${webhooks}/`]: alone(
    'POST',
    `${webhooks}/`,
    { name: 'Walked', url: 'https://receiver.example/hook', events: ['webhook.test'] },
    'webhook.endpoint.created',
  ),
  [`PATCH ${webhooks}/{id}`]: on(endpoint, 'PATCH', ({ id }) => `${webhooks}/${id}`, { name: 'New' }, 'webhook.endpoint.updated'),
  [`DELETE ${webhooks}/{id}`]: on(endpoint, 'DELETE', ({ id }) => `${webhooks}/${id}`, undefined, 'webhook.endpoint.deleted'),
  [`POST ${webhooks}/{id}/rotate-secret`]: on(
    endpoint,
    'POST',
    ({ id }) => `${webhooks}/${id}/rotate-secret`,
    {},
    'webhook.secret_rotated',
  ),
  [`POST ${webhooks}/{id}/test`]: on(endpoint, 'POST', ({ id }) => `${webhooks}/${id}/test`, undefined, 'webhook.test'),
  [`POST ${webhooks}/{id}/deliveries/{deliveryId}/retry`]: on(
    failed,
    'POST',
    ({ id, deliveryId }) => `${webhooks}/${id}/deliveries/${deliveryId}/retry`,
    undefined,
    'webhook.delivery.retried',
  ),
  [`POST ${webhooks}/{id}/recover`]: on(
    failed,
    'POST',
    ({ id }) => `${webhooks}/${id}/recover`,
    { since: new Date(Date.now() - 3_600_000).toISOString() },
    'webhook.endpoint.recovered',
  ),

  'GET /api/v1/security/audit/export': alone('GET', '/api/v1/security/audit/export', undefined, 'audit.exported'),
};
