import { type Acts, type ActWorld, alone, on } from './kit.ts';

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';

const file = () => {
  const form = new FormData();
  form.set('title', 'A file');
  form.set('file', new Blob(['An act'], { type: 'text/plain' }), 'a.txt');
  return form;
};
const folder = ({ chancery, owner }: ActWorld) => chancery.folder(owner);
const document = ({ chancery, owner }: ActWorld) => chancery.document(owner);
const barred = async (world: ActWorld) => {
  const made = await folder(world);
  await world.made('PUT', `${folders}/${made.id}/barrier`, { userIds: [] });
  return made;
};
const barredByMember = async ({ chancery, member }: ActWorld) => {
  const made = await chancery.folder(member);
  const answer = await chancery.call('PUT', `${folders}/${made.id}/barrier`, { token: member.token, body: { userIds: [] } });
  if (answer.status !== 200) throw new Error(answer.text);
  return made;
};

/** Actions on folders and documents. */
export const contentActs: Acts = {
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
  [`DELETE ${folders}/{id}/access/{grantId}`]: {
    entries: ['folder.unshared'],
    async prepare(world) {
      const { id } = await folder(world);
      const share = await world.made('POST', `${folders}/${id}/shares`, { team: true, access: 'read' });
      return () => world.send('DELETE', `${folders}/${id}/access/${share.id}`);
    },
  },
  [`PUT ${folders}/{id}/barrier`]: on(folder, 'PUT', ({ id }) => `${folders}/${id}/barrier`, { userIds: [] }, 'folder.barrier_set'),
  [`DELETE ${folders}/{id}/barrier`]: on(barred, 'DELETE', ({ id }) => `${folders}/${id}/barrier`, undefined, 'folder.barrier_lifted'),
  'POST /api/v1/barriers/{id}/emergency-access': {
    entries: ['folder.emergency_access_requested'],
    async prepare(world) {
      const { id } = await barredByMember(world);
      return () => world.send('POST', `/api/v1/barriers/${id}/emergency-access`, { reason: 'An erasure request' });
    },
  },
  'POST /api/v1/barriers/{id}/emergency-access/{emergencyAccessId}/approve': {
    entries: ['folder.emergency_access_granted'],
    async prepare(world) {
      const { id } = await barredByMember(world);
      const admin = await world.chancery.user(world.owner.team, { role: 'admin' });
      const accessRequest = await world.made(
        'POST',
        `/api/v1/barriers/${id}/emergency-access`,
        { reason: 'Discovery' },
        { token: admin.token },
      );
      return () => world.send('POST', `/api/v1/barriers/${id}/emergency-access/${accessRequest.id}/approve`);
    },
  },

  [`POST ${documents}/download`]: on(
    ({ made }: ActWorld) => made('POST', `${documents}/`, file()),
    'POST',
    () => `${documents}/download`,
    (_: ActWorld, { id }: { id: string }) => ({ documentIds: [id] }),
    'document.content_read',
  ),
  [`POST ${documents}/{id}/restore`]: {
    entries: ['document.restored'],
    async prepare(world) {
      const { id } = await document(world);
      await world.made('DELETE', `${documents}/${id}`);
      return () => world.send('POST', `${documents}/${id}/restore`);
    },
  },
  [`POST ${documents}/{id}/access`]: on(
    document,
    'POST',
    ({ id }) => `${documents}/${id}/access`,
    ({ member }: ActWorld) => ({ userId: member.id, access: 'write' }),
    'access.granted',
    'document.shared',
  ),
  [`DELETE ${documents}/{id}/access/{grantId}`]: {
    entries: ['access.ended'],
    async prepare(world) {
      const { id } = await document(world);
      const grant = await world.made('POST', `${documents}/${id}/access`, { userId: world.member.id, access: 'read' });
      return () => world.send('DELETE', `${documents}/${id}/access/${grant.id}`);
    },
  },

  [`POST ${documents}/`]: alone('POST', `${documents}/`, { title: 'Walked' }, 'document.created'),
  [`POST ${documents}/label`]: {
    entries: ['document.updated', 'document.updated'],
    async prepare(world: ActWorld) {
      const items = [await document(world), await document(world)].map(({ id }) => ({ id, labels: ['walked'] }));
      return () => world.send('POST', `${documents}/label`, { items });
    },
  },
  [`POST ${documents}/delete`]: {
    entries: ['document.deleted', 'document.deleted'],
    async prepare(world: ActWorld) {
      const items = [await document(world), await document(world)].map(({ id }) => ({ id }));
      return () => world.send('POST', `${documents}/delete`, { items });
    },
  },
  [`POST ${documents}/{id}/comments`]: on(
    document,
    'POST',
    ({ id }) => `${documents}/${id}/comments`,
    { text: 'Seen' },
    'document.commented',
  ),
  [`DELETE ${documents}/{id}/comments/{commentId}`]: {
    entries: ['document.comment_deleted'],
    async prepare(world: ActWorld) {
      const { id } = await document(world);
      const comment = await world.made('POST', `${documents}/${id}/comments`, { text: 'Seen' });
      return () => world.send('DELETE', `${documents}/${id}/comments/${comment.id}`);
    },
  },
  [`PUT ${documents}/{id}`]: on(document, 'PUT', ({ id }) => `${documents}/${id}`, { title: 'New' }, 'document.updated'),
  [`DELETE ${documents}/{id}`]: on(document, 'DELETE', ({ id }) => `${documents}/${id}`, undefined, 'document.deleted'),
  [`PATCH ${documents}/{id}/move`]: {
    entries: ['document.moved'],
    async prepare(world) {
      const [moved, target] = [await document(world), await folder(world)];
      return () => world.send('PATCH', `${documents}/${moved.id}/move`, { folderId: target.id });
    },
  },
  [`POST ${documents}/move`]: {
    entries: ['document.moved'],
    async prepare(world) {
      const [moved, target] = [await document(world), await folder(world)];
      return () => world.send('POST', `${documents}/move`, { documentIds: [moved.id], folderId: target.id });
    },
  },
  [`POST ${documents}/{id}/versions`]: on(document, 'POST', ({ id }) => `${documents}/${id}/versions`, file, 'document.version_added'),
  // Reading content is an audit action too.
  [`GET ${documents}/{id}/content`]: on(
    (world) => world.made('POST', `${documents}/`, file()),
    'GET',
    ({ id }) => `${documents}/${id}/content`,
    undefined,
    'document.content_read',
  ),
};
