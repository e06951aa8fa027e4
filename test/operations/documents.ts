import { rows, searched, thing } from '../access/rows.ts';
import { type Acts, type ActWorld, on } from '../suites/acts/kit.ts';

/* Access rows and actions of legal holds, key dates and retention rules for the walks. */

const holds = '/api/v1/smartdoc/holds';
const documents = '/api/v1/smartdoc/documents';
const reason = 'Discovery';
const folders = '/api/v1/smartdoc/folders';
const dates = { expiresAt: '2999-12-31' };
const retention = { action: 'keep', after: 'P10Y', from: 'created' };

const ruledFolder = async (world: ActWorld): Promise<{ id: string }> => {
  const { id } = await world.chancery.folder(world.owner);
  await world.made('PUT', `${folders}/${id}/retention`, retention);
  return { id };
};
/** Creates a folder whose retention rule waits for a confirmation because it would delete many documents at once. */
const waitingFolder = async (world: ActWorld): Promise<{ id: string }> => {
  const folder = await ruledFolder(world);
  await world.chancery.pool.query('UPDATE retention_rule SET waiting = 5 WHERE folder_id = $1', [folder.id]);
  return folder;
};

/* The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */

const datesAccess = rows('/api/v1/smartdoc', {
  'GET /documents/{id}/dates': thing('document', 'y y y y y · 404 y 404 y y y'),
  'GET /documents/{id}/dates by a task': thing('documentOfTask', 'y y y · · y 404 y 404 y 404 404'),
  'PUT /documents/{id}/dates': thing('document', 'y y y y 403 · 404 403 403 y y 403', () => dates),
  'PUT /documents/{id}/dates by a task': thing('documentOfTask', 'y y y · · 403 404 403 403 y 404 403', () => dates),
  'PUT /documents/{id}/dates by emergency access': thing('emergencyDocument', '404 403 y 404 403 404 404 403 403 404 404 403', () => dates),
  'GET /labels': searched('labelled', 's s s s s · u s u s s s', () => ''),
  'GET /labels behind a barrier': searched('labelledBehindBarrier', 'u u s u s u u u u u u u', () => ''),
  'GET /document-dates': searched('datedDocument', 's s s s s · u s u s s s', () => '?before=2999-01-01'),
  'GET /retention-rules/': thing('ruledFolder', 's s s s s · u s u s s s'),
  'GET /retention-rules/ behind a barrier': thing('ruledBehindBarrier', 'u u s u s · u u u u u u'),
  'GET /document-dates behind a barrier': searched('datedBehindBarrier', 'u u s u s u u u u u u u', () => '?before=2999-01-01'),
});

const retentionAccess = rows('/api/v1/smartdoc/folders', {
  'GET /{id}/retention': thing('ruledFolder', 'y y y y y · 404 y 404 y y y'),
  'PUT /{id}/retention': thing('folder', 'y y y 403 403 · 404 403 403 403 403 403', () => retention),
  'PUT /{id}/retention behind a barrier': thing('barred', '404 404 y 404 403 · 404 403 403 403 404 403', () => retention),
  'PUT /{id}/retention by emergency access': thing('emergencyAccess', '404 403 y 404 403 · 404 403 403 403 404 403', () => retention),
  'DELETE /{id}/retention': thing('ruledFolder', 'y y y 403 403 · 404 403 403 403 403 403'),
  'GET /{id}/retention/preview': thing('ruledFolder', 'y y y 403 403 · 404 403 404 403 403 403'),
  'POST /{id}/retention/confirm': thing('waitingRule', 'y y 403 403 403 · 403 403 403 403 403 403'),
});

const holdAccess = rows(holds, {
  'GET /': thing('hold', 's s 403 403 403 · 403 403 403 403 403 403'),
  'GET / behind a barrier': thing('holdBehindBarrier', 'u s 403 403 403 403 403 403 403 403 403 403'),
  'POST /': thing('document', 'y y 403 403 403 · 403 403 403 403 403 403', (_, { id }) => ({ documentId: id, reason })),
  'POST / on a document behind a barrier': thing('barredDocument', '404 404 403 403 403 403 403 403 403 403 403 403', (_, { id }) => ({
    documentId: id,
    reason,
  })),
  'POST / on a folder behind a barrier': thing('barred', '404 404 403 403 403 · 403 403 403 403 403 403', (_, { id }) => ({
    folderId: id,
    reason,
  })),
  'GET /{id}': thing('hold', 'y y 403 403 403 · 403 403 403 403 403 403'),
  'GET /{id} behind a barrier': thing('holdBehindBarrier', '404 y 403 403 403 403 403 403 403 403 403 403'),
  'POST /{id}/lift': thing('hold', 'y y 403 403 403 · 403 403 403 403 403 403', () => ({ reason })),
});

export const documentAccess = { ...datesAccess, ...retentionAccess, ...holdAccess };

/** The journal entries of each operation that changes something, and its call. */
export const documentActs: Acts = {
  [`PUT ${folders}/{id}/retention`]: on(
    ({ chancery, owner }: ActWorld) => chancery.folder(owner),
    'PUT',
    ({ id }) => `${folders}/${id}/retention`,
    retention,
    'folder.retention_set',
  ),
  [`DELETE ${folders}/{id}/retention`]: on(
    ruledFolder,
    'DELETE',
    ({ id }) => `${folders}/${id}/retention`,
    undefined,
    'folder.retention_removed',
  ),
  [`POST ${folders}/{id}/retention/confirm`]: on(
    waitingFolder,
    'POST',
    ({ id }) => `${folders}/${id}/retention/confirm`,
    undefined,
    'folder.retention_confirmed',
  ),
  [`PUT ${documents}/{id}/dates`]: on(
    ({ chancery, owner }: ActWorld) => chancery.document(owner),
    'PUT',
    ({ id }) => `${documents}/${id}/dates`,
    dates,
    'document.dates_changed',
  ),
  [`POST ${holds}/`]: on(
    ({ chancery, owner }: ActWorld) => chancery.document(owner),
    'POST',
    () => `${holds}/`,
    (_: ActWorld, { id }: { id: string }) => ({ documentId: id, reason }),
    'legal_hold.placed',
  ),
  [`POST ${holds}/{id}/lift`]: on(
    async (world: ActWorld) => world.made('POST', `${holds}/`, { folderId: (await world.chancery.folder(world.owner)).id, reason }),
    'POST',
    ({ id }) => `${holds}/${id}/lift`,
    { reason },
    'legal_hold.lifted',
  ),
};
