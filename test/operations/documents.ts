import { rows, searched, thing } from '../access/rows.ts';
import { type Acts, type ActWorld, on } from '../suites/acts/kit.ts';

/* What the walks ask of legal holds and of key dates. */

const holds = '/api/v1/smartdoc/holds';
const documents = '/api/v1/smartdoc/documents';
const reason = 'Discovery';
const dates = { expiresAt: '2999-12-31' };

/* Who may call which operation, in the order of the cells of `rows.ts`; docs/access.md is made from it. */

const datesAccess = rows('/api/v1/smartdoc', {
  'GET /documents/{id}/dates': thing('document', 'y y y y y · 404 y 404 y'),
  'GET /documents/{id}/dates by a task': thing('documentOfTask', 'y y y · · y 404 y 404 y'),
  'PUT /documents/{id}/dates': thing('document', 'y y y y 403 · 404 403 403 y', () => dates),
  'PUT /documents/{id}/dates by a task': thing('documentOfTask', 'y y y · · 403 404 403 403 y', () => dates),
  'PUT /documents/{id}/dates through broken glass': thing('glassDocument', '404 403 y 404 403 404 404 403 403 404', () => dates),
  'GET /document-dates': searched('datedDocument', 's s s s s · u s u s', () => '?before=2999-01-01'),
  'GET /document-dates behind a wall': searched('datedBehindWall', 'u u s u s u u u u u', () => '?before=2999-01-01'),
});

const holdAccess = rows(holds, {
  'GET /': thing('hold', 's s 403 403 403 · 403 403 403 403'),
  'GET / behind a wall': thing('holdBehindWall', 'u s 403 403 403 403 403 403 403 403'),
  'POST /': thing('document', 'y y 403 403 403 · 403 403 403 403', (_, { id }) => ({ documentId: id, reason })),
  'POST / on a document behind a wall': thing('walledDocument', '404 404 403 403 403 403 403 403 403 403', (_, { id }) => ({
    documentId: id,
    reason,
  })),
  'POST / on a walled folder': thing('walled', 'y y 403 403 403 · 403 403 403 403', (_, { id }) => ({ folderId: id, reason })),
  'GET /{id}': thing('hold', 'y y 403 403 403 · 403 403 403 403'),
  'GET /{id} behind a wall': thing('holdBehindWall', '404 y 403 403 403 403 403 403 403 403'),
  'POST /{id}/lift': thing('hold', 'y y 403 403 403 · 403 403 403 403', () => ({ reason })),
});

export const documentAccess = { ...datesAccess, ...holdAccess };

/** What each operation that changes something writes into the journal, and how it is called. */
export const documentActs: Acts = {
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
    'hold.placed',
  ),
  [`POST ${holds}/{id}/lift`]: on(
    async (world: ActWorld) => world.made('POST', `${holds}/`, { folderId: (await world.chancery.folder(world.owner)).id, reason }),
    'POST',
    ({ id }) => `${holds}/${id}/lift`,
    { reason },
    'hold.lifted',
  ),
};
