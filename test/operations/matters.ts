import { randomUUIDv7 } from 'node:crypto';
import { rows, thing } from '../access/rows.ts';
import { type Acts, type ActWorld, alone, on } from '../suites/acts/kit.ts';

/* Access rows and actions of matters for the walks. */

const matters = '/api/v1/matters';
const clients = '/api/v1/matter-clients';
const body = () => ({ name: `Matter ${randomUUIDv7()}` });
const deadlineBody = { title: 'Statement of defence', dueDate: '2099-04-01' };

const whoReads = 'y y y y y · 404 y 404 y y 403';
const whoWrites = 'y y y y 403 · 404 403 403 y 403 403';
const whoManages = 'y y y 403 403 · 404 403 403 403 403 403';
const everyone = 'y y y · · · y · y y 403 403';
const writers = 'y y y · · · y · 403 y 403 403';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
const matterRows = rows(matters, {
  'GET /': thing('matter', 's s s s s · u s u s s 403'),
  'GET / behind a barrier': thing('barredMatter', 'u u s u s · u u u u u 403'),
  'POST /': thing('matter', writers, body),
  'GET /{id}': thing('matter', whoReads),
  'GET /{id} behind a barrier': thing('barredMatter', '404 404 y 404 y · 404 404 404 404 404 403'),
  'PATCH /{id}': thing('matter', whoWrites, () => ({ practice: 'Tax' })),
  'PATCH /{id} for another responsible person': thing('matter', whoManages, ({ people }) => ({ responsibleId: people.member.id })),
  'DELETE /{id}': thing('matter', whoManages),
  'POST /{id}/close': thing('matter', whoManages, () => ({})),
  'POST /{id}/reopen': thing('closedMatter', whoManages),
  'GET /{id}/contents': thing('matter', whoReads),
  'POST /{id}/contents': thing('matterAndDocument', 'y y y 404 403 · 404 403 403 403 403 403', (_, { document = '' }) => ({
    items: [{ type: 'document', id: document }],
    confirm: true,
  })),
  'POST /{id}/contents/remove': thing('matterWithDocument', whoManages, (_, { document = '' }) => ({
    items: [{ type: 'document', id: document }],
  })),
  'GET /{id}/access': thing('matter', 'y y y 403 403 · 404 403 404 403 403 403'),
  'POST /{id}/access': thing('matter', whoManages, ({ people }) => ({ userId: people.member.id, access: 'read' })),
  'DELETE /{id}/access/{grantId}': thing('matter', whoManages),
  'GET /{id}/barrier': thing('barredMatter', '404 404 y 404 y · 404 404 404 403 404 403'),
  'PUT /{id}/barrier': thing('matter', whoManages, ({ people }) => ({ userIds: [people.reader.id] })),
  'DELETE /{id}/barrier': thing('barredMatter', '404 404 y 404 403 · 404 403 403 403 403 403'),
  'GET /{id}/deadlines': thing('matterDeadline', whoReads),
  'POST /{id}/deadlines': thing('matter', whoWrites, () => deadlineBody),
  'GET /{id}/deadlines/{deadlineId}': thing('matterDeadline', whoReads),
  'PATCH /{id}/deadlines/{deadlineId}': thing('matterDeadline', whoWrites, () => ({ remindDays: 3 })),
  'DELETE /{id}/deadlines/{deadlineId}': thing('matterDeadline', whoWrites),
});
const clientRows = rows(clients, {
  'GET /': thing('matterClient', 's s s · · · s · s s 403 403'),
  'POST /': thing('matterClient', writers, body),
  'GET /{id}': thing('matterClient', everyone),
  'PATCH /{id}': thing('matterClient', writers, () => ({ reference: 'K-1' })),
});
export const matterAccess = { ...matterRows, ...clientRows };

const matter = (world: ActWorld) => world.made('POST', `${matters}/`, body());
const closed = async (world: ActWorld) => {
  const made = await matter(world);
  await world.made('POST', `${matters}/${made.id}/close`, {});
  return made;
};
const documentIn = async (world: ActWorld, more: object) =>
  world.made('POST', '/api/v1/smartdoc/documents/', { title: `Deed ${randomUUIDv7()}`, ...more });
const barred = async (world: ActWorld) => {
  const made = await matter(world);
  await world.made('PUT', `${matters}/${made.id}/barrier`, { userIds: [] });
  return made;
};
const shared = async (world: ActWorld) => {
  const { id } = await matter(world);
  const { id: grantId } = await world.made('POST', `${matters}/${id}/access`, { userId: world.member.id, access: 'read' });
  return { id, grantId };
};
const deadline = async (world: ActWorld) => {
  const { id } = await matter(world);
  const made = await world.made('POST', `${matters}/${id}/deadlines`, deadlineBody);
  return { id, deadlineId: made.id };
};
const client = (world: ActWorld) => world.made('POST', `${clients}/`, body());
const pathOf =
  (rest = '') =>
  ({ id }: { id: string }) =>
    `${matters}/${id}${rest}`;
const deadlinePath = ({ id, deadlineId }: { id: string; deadlineId: string }) => `${matters}/${id}/deadlines/${deadlineId}`;
const items = (_: ActWorld, { documentId }: { documentId: string }) => ({ items: [{ type: 'document', id: documentId }] });

/** The journal entries of each operation that changes something, and its call. */
export const matterActs: Acts = {
  [`POST ${matters}/`]: alone('POST', `${matters}/`, body(), 'matter.created'),
  [`PATCH ${matters}/{id}`]: on(matter, 'PATCH', pathOf(), { practice: 'Tax' }, 'matter.updated'),
  [`DELETE ${matters}/{id}`]: on(matter, 'DELETE', pathOf(), undefined, 'matter.deleted'),
  [`POST ${matters}/{id}/close`]: on(matter, 'POST', pathOf('/close'), {}, 'matter.closed'),
  [`POST ${matters}/{id}/reopen`]: on(closed, 'POST', pathOf('/reopen'), undefined, 'matter.updated'),
  [`POST ${matters}/{id}/contents`]: on(
    async (world) => ({ id: (await matter(world)).id, documentId: (await documentIn(world, {})).id }),
    'POST',
    pathOf('/contents'),
    items,
    'document.moved',
    'matter.content_added',
  ),
  [`POST ${matters}/{id}/contents/remove`]: on(
    async (world) => {
      const { id } = await matter(world);
      return { id, documentId: (await documentIn(world, { matterId: id })).id };
    },
    'POST',
    pathOf('/contents/remove'),
    items,
    'document.moved',
    'matter.content_removed',
  ),
  [`POST ${matters}/{id}/access`]: on(
    matter,
    'POST',
    pathOf('/access'),
    ({ member }: ActWorld) => ({ userId: member.id, access: 'read' }),
    'matter.shared',
  ),
  [`DELETE ${matters}/{id}/access/{grantId}`]: on(
    shared,
    'DELETE',
    ({ id, grantId }) => `${matters}/${id}/access/${grantId}`,
    undefined,
    'matter.unshared',
  ),
  [`PUT ${matters}/{id}/barrier`]: on(matter, 'PUT', pathOf('/barrier'), { userIds: [] }, 'folder.barrier_set'),
  [`DELETE ${matters}/{id}/barrier`]: on(barred, 'DELETE', pathOf('/barrier'), undefined, 'folder.barrier_lifted'),
  [`POST ${matters}/{id}/deadlines`]: on(matter, 'POST', pathOf('/deadlines'), deadlineBody, 'matter.deadline_created'),
  [`PATCH ${matters}/{id}/deadlines/{deadlineId}`]: on(deadline, 'PATCH', deadlinePath, { remindDays: 3 }, 'matter.deadline_updated'),
  [`DELETE ${matters}/{id}/deadlines/{deadlineId}`]: on(deadline, 'DELETE', deadlinePath, undefined, 'matter.deadline_deleted'),
  [`POST ${clients}/`]: alone('POST', `${clients}/`, body(), 'matter_client.created'),
  [`PATCH ${clients}/{id}`]: on(client, 'PATCH', ({ id }) => `${clients}/${id}`, { reference: 'K-1' }, 'matter_client.updated'),
};
