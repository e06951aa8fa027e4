import { rows, searched, thing } from '../access/rows.ts';
import { type Acts, on } from '../suites/acts/kit.ts';

/* Access rows of names, changes and downloads for the walks. */

const documents = '/api/v1/smartdoc/documents';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const overviewAccess = rows('/api/v1', {
  'GET /inbox': searched('pendingRecord', 's s s s u · u u u s u u', () => '?kind=record&limit=500'),
  'POST /names': thing('document', 's s s s s · u s u s s s', (_world, { id }) => ({ ids: [id] })),
  'GET /changes': thing('document', 'y y y y y y y y y y y y'),
  'POST /downloads': thing('document', 'y y y y y y y y y y y y', (_world, { id }) => ({ path: `${documents}/${id}/content` })),
});

export const overviewActs: Acts = {
  'POST /api/v1/downloads': on(
    (world) => world.chancery.document(world.owner),
    'POST',
    () => '/api/v1/downloads',
    ({ id }: { id: string }) => ({ path: `${documents}/${id}/content` }),
    'download.address_created',
  ),
};
