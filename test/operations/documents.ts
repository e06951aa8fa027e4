import { rows, thing } from '../access/rows.ts';
import { type Acts, type ActWorld, on } from '../suites/acts/kit.ts';

/* What the walks ask of legal holds. */

const holds = '/api/v1/smartdoc/holds';
const reason = 'Discovery';

/** Who may call which operation, in the order of the cells of `rows.ts`; docs/access.md is made from it. */
export const documentAccess = rows(holds, {
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

/** What each operation that changes something writes into the journal, and how it is called. */
export const documentActs: Acts = {
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
