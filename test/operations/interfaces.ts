import { randomUUIDv7 } from 'node:crypto';
import { submitFile } from '../submissions.ts';
import { rows, thing } from '../access/rows.ts';
import { failSubmission } from '../failed-submissions.ts';
import { type Acts, type ActWorld, alone, on } from '../suites/acts/kit.ts';

/* Access rows and actions of interfaces for the walks. */

const interfaces = '/api/v1/interfaces';
const example = () => ({ title: `Form ${randomUUIDv7()}`, type: 'form', fields: [{ id: 'name', type: 'text', label: 'Name' }] });
/** Callers who can edit the interface. A share of the folder with the submissions gives no access to the form. */
const byEditors = 'y y y 404 404 · 404 403 403 y 403 403';

/** Callers who can read submissions. */
const submissionReaders = 'y y y 403 y · 404 y 404 y 403 403';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const interfaceAccess = {
  ...rows(interfaces, {
    'GET /': thing('form', 's s s u u · u u u s 403 403'),
    'POST /': thing('form', 'y y y · · · y · 403 y 403 403', example),
    'POST / whose answers live in another’s folder': thing('folder', 'y y y y 422 · 422 403 403 y 403 403', (_, { id }) => ({
      ...example(),
      config: { folderId: id },
    })),
    'GET /{id}': thing('form', 'y y y 404 404 · 404 404 404 y 403 403'),
    'GET /{id}/chain.svg': thing('form', 'y y y 404 404 · 404 404 404 y 403 403'),
    'PUT /{id}': thing('form', byEditors, () => ({ title: 'New' })),
    'DELETE /{id}': thing('form', 'y y y 404 404 · 404 403 403 403 403 403'),
    'POST /{id}/publish': thing('form', byEditors, () => ({ revision: 1 })),
    'POST /{id}/close': thing('form', byEditors),
    'POST /{id}/check': thing('form', byEditors, () => ({})),
    'POST /{id}/rotate-token': thing('form', byEditors, () => ({ channel: 'public' })),
    'POST /{id}/publish by who edits it alone': thing('formForEditors', 'y y y y 403 · 404 403 403 y 403 403', () => ({ revision: 1 })),
    'PUT /{id} what becomes of submissions': thing('formForEditors', 'y y y 403 403 · 404 403 403 y 403 403', () => ({
      config: { retainDays: 7 },
    })),
    'GET /{id}/shares': thing('formForEditors', 'y y y y y · 404 y 404 y 403 403'),
    'POST /{id}/shares': thing('formForEditors', 'y y y 403 403 · 404 403 403 403 403 403', ({ people }) => ({
      userId: people.member.id,
      rights: ['edit'],
    })),
    'DELETE /{id}/shares/{shareId}': thing('formForEditors', 'y y y 403 403 · 404 403 403 403 403 403'),
    'GET /{id}/access': thing('formForEditors', 'y y y 403 403 · 404 403 404 403 403 403'),
    'GET /{id}/submissions': thing('answeredForm', submissionReaders),
    'GET /{id}/submissions/{submissionId}': thing('answeredForm', submissionReaders),
    'GET /{id}/submissions/{submissionId}/trace': thing('answeredForm', submissionReaders),
    'GET /{id}/submissions/{submissionId}/files/{fileId}': thing('submittedFile', submissionReaders),
    'POST /{id}/submissions/exports': thing('answeredForm', submissionReaders, () => ({ format: 'csv' })),
    'GET /{id}/submissions/exports/{exportId}': thing('exportedForm', submissionReaders),
    'GET /{id}/submissions/exports/{exportId}/file': thing('exportedForm', 'y y y 403 y · 404 y 404 y 403 403'.replaceAll('y', '409')),
    'DELETE /{id}/submissions/{submissionId}': thing('answeredForm', 'y y y 403 403 · 404 403 403 y 403 403'),
    'DELETE /{id}/submissions/{submissionId} by who edits it and reads them': thing('formForOne', 'y y y 403 403 · 404 403 403 y 403 403'),
    'GET / behind a barrier': thing('barredForm', 'u u s u s · u u u u 403 403'),
    'GET /{id} behind a barrier': thing('barredForm', '404 404 y 404 y · 404 404 404 404 403 403'),
    'PUT /{id} behind a barrier': thing('barredForm', '404 404 y 404 403 · 404 403 403 404 403 403', () => ({ title: 'New' })),
    'DELETE /{id} behind a barrier': thing('barredForm', '404 404 y 404 403 · 404 403 403 404 403 403'),
    'GET /{id}/submissions behind a barrier': thing('barredForm', '404 404 y 404 y · 404 404 404 404 403 403'),
    'DELETE /{id}/submissions/{submissionId} behind a barrier': thing('barredForm', '404 404 y 404 403 · 404 403 403 404 403 403'),
    'GET /{id}/statistics behind a barrier': thing('barredForm', '404 404 y 404 y · 404 404 404 404 403 403'),
    'POST /{id}/submissions/{submissionId}/retry': thing('failedForm', 'y y y 403 403 · 404 403 403 y 403 403'),
    'POST /{id}/preview': thing('form', byEditors),
    'GET /{id}/statistics': thing('answeredForm', submissionReaders),
    'POST /{id}/duplicate': thing('plainForm', 'y y y y y · 404 403 403 y 403 403', () => ({ title: 'Again' })),
    'GET /{id}/links': thing('form', 'y y y 404 404 · 404 404 404 y 403 403'),
    'POST /task-links': thing('formTask', '403 403 403 404 404 y 404 · 404 403 404 403', (_, { id }) => ({ taskId: id })),
  }),
  'GET /api/v1/submissions': thing('answeredForm', 's s s u s · u s u s 403 403'),
  'GET /api/v1/submissions behind a barrier': thing('barredForm', 'u u s u s · u u u u 403 403'),
};

const form = (world: ActWorld) => world.made('POST', `${interfaces}/`, example());
const published = async (world: ActWorld) => {
  const { id } = await form(world);
  return world.made('POST', `${interfaces}/${id}/publish`, { revision: 1 });
};

const formTask = async (world: ActWorld) => {
  const { id } = await published(world);
  const steps = [{ id: 'fill', type: 'form', assignedTo: world.owner.id, config: { interfaceId: id } }];
  const made = await world.made('POST', '/api/v1/workflows/', { name: 'To fill in', documentId: 'DMS-1', steps });
  const started = await world.made('POST', `/api/v1/workflows/${made.id}/start`);
  return { id: started.steps[0].taskIds[0] };
};

const takesFiles = async (world: ActWorld) => {
  const fields = [{ id: 'file', type: 'file', label: 'File' }];
  const { id } = await world.made('POST', `${interfaces}/`, { ...example(), fields });
  return world.made('POST', `${interfaces}/${id}/publish`, { revision: 1 });
};
const submitsFile = async (world: ActWorld) => {
  const { id, publicToken } = await takesFiles(world);
  return { id, ...(await submitFile(world.chancery, publicToken)) };
};
const aFile = () => {
  const sent = new FormData();
  sent.set('file', new Blob(['a line of text']), 'note.txt');
  return sent;
};
const answered = async (world: ActWorld) => {
  const { id, publicToken } = await published(world);
  const { submissionId } = await world.made('POST', `${interfaces}/public/${publicToken}/submit`, { data: { name: 'Ada' } });
  return { id, submissionId };
};

const keepsDrafts = async (world: ActWorld) => {
  const { id } = await world.made('POST', `${interfaces}/`, { ...example(), config: { drafts: true } });
  return world.made('POST', `${interfaces}/${id}/publish`, { revision: 1 });
};

type DraftPath = { path: string; session: string };

/** An operation on the draft of a session. */
const ofDraft = (
  method: string,
  more: string,
  body: ((world: ActWorld, draft: DraftPath) => unknown) | undefined,
  entry: string,
): Acts[string] => ({
  entries: [entry],
  async prepare(world) {
    const { publicToken } = await keepsDrafts(world);
    const path = `${interfaces}/public/${publicToken}/draft`;
    const kept = await world.send('PUT', path, { data: { name: 'Ada' } });
    const session = kept.headers.get('x-submission-session') ?? '';
    const sent = await body?.(world, { path, session });
    return () => world.send(method, `${path}${more}`, sent, { headers: { 'x-submission-session': session } });
  },
});

async function mailedSecret(world: ActWorld, { path, session }: DraftPath): Promise<{ draft: string }> {
  const email = `${randomUUIDv7()}@example.org`;
  await world.made('POST', `${path}/link`, { email }, { headers: { 'x-submission-session': session } });
  const { rows: mails } = await world.chancery.pool.query('SELECT text_body FROM mail_message WHERE recipient = $1', [email]);
  return { draft: /\/draft\/([\w-]{43})/.exec(mails[0].text_body)?.[1] ?? '' };
}

/** The journal entries of each operation that changes something, and its call. */
export const interfaceActs: Acts = {
  [`POST ${interfaces}/`]: alone('POST', `${interfaces}/`, example(), 'interface.created'),
  [`PUT ${interfaces}/{id}`]: on(form, 'PUT', ({ id }) => `${interfaces}/${id}`, { title: 'New' }, 'interface.updated'),
  [`DELETE ${interfaces}/{id}`]: on(form, 'DELETE', ({ id }) => `${interfaces}/${id}`, undefined, 'interface.deleted'),
  [`POST ${interfaces}/{id}/publish`]: on(form, 'POST', ({ id }) => `${interfaces}/${id}/publish`, { revision: 1 }, 'interface.published'),
  [`POST ${interfaces}/{id}/close`]: on(published, 'POST', ({ id }) => `${interfaces}/${id}/close`, undefined, 'interface.closed'),
  [`POST ${interfaces}/{id}/shares`]: on(
    form,
    'POST',
    ({ id }) => `${interfaces}/${id}/shares`,
    ({ member }: ActWorld) => ({ userId: member.id, rights: ['edit'] }),
    'interface.shared',
  ),
  [`DELETE ${interfaces}/{id}/shares/{shareId}`]: {
    entries: ['interface.unshared'],
    async prepare(world) {
      const { id } = await form(world);
      const share = await world.made('POST', `${interfaces}/${id}/shares`, { team: true, rights: ['edit'] });
      return () => world.send('DELETE', `${interfaces}/${id}/shares/${share.id}`);
    },
  },
  [`POST ${interfaces}/task-links`]: {
    entries: ['task.form_link_shown'],
    async prepare(world) {
      const { id: taskId } = await formTask(world);
      return () => world.send('POST', `${interfaces}/task-links`, { taskId });
    },
  },
  [`POST ${interfaces}/{id}/submissions/exports`]: on(
    form,
    'POST',
    ({ id }) => `${interfaces}/${id}/submissions/exports`,
    { format: 'csv' },
    'interface.submissions_exported',
  ),
  [`POST ${interfaces}/{id}/submissions/{submissionId}/retry`]: on(
    async (world) => {
      const made = await answered(world);
      await failSubmission(world.chancery, made.submissionId);
      return made;
    },
    'POST',
    ({ id, submissionId }) => `${interfaces}/${id}/submissions/${submissionId}/retry`,
    undefined,
    'document.created',
    'submission.retried',
  ),
  [`POST ${interfaces}/{id}/preview`]: on(form, 'POST', ({ id }) => `${interfaces}/${id}/preview`, undefined, 'interface.preview_made'),
  [`POST ${interfaces}/{id}/duplicate`]: on(
    form,
    'POST',
    ({ id }) => `${interfaces}/${id}/duplicate`,
    { title: 'Again' },
    'interface.created',
  ),
  [`DELETE ${interfaces}/{id}/submissions/{submissionId}`]: on(
    answered,
    'DELETE',
    ({ id, submissionId }) => `${interfaces}/${id}/submissions/${submissionId}`,
    undefined,
    'submission.erased',
  ),
  [`POST ${interfaces}/{id}/rotate-token`]: on(
    published,
    'POST',
    ({ id }) => `${interfaces}/${id}/rotate-token`,
    { channel: 'api' },
    'interface.link_rotated',
  ),
  [`POST ${interfaces}/public/{token}/upload`]: on(
    takesFiles,
    'POST',
    ({ publicToken }) => `${interfaces}/public/${publicToken}/upload`,
    aFile,
    'upload.received',
  ),
  [`POST ${interfaces}/api/{token}/upload`]: on(
    takesFiles,
    'POST',
    ({ apiToken }) => `${interfaces}/api/${apiToken}/upload`,
    aFile,
    'upload.received',
  ),
  [`GET ${interfaces}/{id}/submissions/{submissionId}/files/{fileId}`]: on(
    submitsFile,
    'GET',
    ({ id, submissionId, fileId }) => `${interfaces}/${id}/submissions/${submissionId}/files/${fileId}`,
    undefined,
    'submission.file_read',
  ),
  [`PUT ${interfaces}/public/{token}/draft`]: on(
    keepsDrafts,
    'PUT',
    ({ publicToken }) => `${interfaces}/public/${publicToken}/draft`,
    { data: { name: 'Ada' } },
    'draft.kept',
  ),
  [`DELETE ${interfaces}/public/{token}/draft`]: ofDraft('DELETE', '', undefined, 'draft.dropped'),
  [`POST ${interfaces}/public/{token}/draft/link`]: ofDraft('POST', '/link', () => ({ email: 'visitor@example.org' }), 'draft.mailed'),
  [`POST ${interfaces}/public/{token}/draft/resume`]: ofDraft('POST', '/resume', mailedSecret, 'draft.resumed'),
  [`POST ${interfaces}/public/{token}/submit`]: on(
    published,
    'POST',
    ({ publicToken }) => `${interfaces}/public/${publicToken}/submit`,
    { data: { name: 'Ada' } },
    'submission.received',
  ),
  [`POST ${interfaces}/api/{token}/submit`]: on(
    published,
    'POST',
    ({ apiToken }) => `${interfaces}/api/${apiToken}/submit`,
    { data: { name: 'Ada' } },
    'submission.received',
  ),
};
