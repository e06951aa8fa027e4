import { type Acts, type ActWorld, alone, on } from './kit.ts';

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';

const file = () => {
  const form = new FormData();
  form.set('title', 'A file');
  form.set('file', new Blob(['%PDF-1.7'], { type: 'application/pdf' }), 'a.pdf');
  return form;
};
const folder = ({ chancery, owner }: ActWorld) => chancery.folder(owner);
const document = ({ chancery, owner }: ActWorld) => chancery.document(owner);
const task = (world: ActWorld) => world.made('POST', '/api/v1/tasks/', { title: 'A task', assignedTo: world.owner.id });

const signatureTask = async (world: ActWorld) => {
  const steps = [{ id: 'sign', type: 'signature', assignedTo: world.owner.id }];
  const { id } = await world.made('POST', '/api/v1/workflows/', { name: 'To sign', documentId: 'DMS-1', steps });
  const started = await world.made('POST', `/api/v1/workflows/${id}/start`);
  return { id: started.steps[0].taskIds[0] };
};

/** Of folders, documents and tasks. */
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
  'POST /api/v1/tasks/{id}/complete': on(
    task,
    'POST',
    ({ id }) => `/api/v1/tasks/${id}/complete`,
    { outcome: 'completed' },
    'task.completed',
  ),
  'POST /api/v1/tasks/{id}/signature': on(
    signatureTask,
    'POST',
    ({ id }) => `/api/v1/tasks/${id}/signature`,
    { outcome: 'signed_elsewhere' },
    'task.completed',
    'workflow.completed',
    'workflow.step.completed',
  ),
  'POST /api/v1/tasks/{id}/reassign': on(
    task,
    'POST',
    ({ id }) => `/api/v1/tasks/${id}/reassign`,
    ({ member }: ActWorld) => ({ userId: member.id }),
    'task.assigned',
  ),
  'POST /api/v1/tasks/{id}/comments': on(task, 'POST', ({ id }) => `/api/v1/tasks/${id}/comments`, { text: 'Seen' }, 'task.commented'),
};
