import { fileOfVersion } from '#documents';
import { forDocument, inRequest, keepFileOf, stepJob } from './attempts.ts';
import * as queries from './queries.ts';
import { move } from './request-transitions.ts';
import { signersOf } from './signer-queries.ts';
import { askNext } from './signing-order.ts';

/**
 * Prepares the files. When all are prepared, emails the signers whose turn it is. Safe to repeat after a crash: only files with a
 * committed row are used, and a nightly job removes files without a row.
 */
export const prepareJob = stepJob(
  'signature-prepare',
  { status: 'preparing', step: 'prepare' },
  async (deps, request, { db, team, signal }) => {
    const { storage } = deps.context;
    const fields = await db.all(queries.fieldsOf, { team, request: request.id });
    for (const document of request.documents.filter(({ presentedKey }) => presentedKey === null))
      await forDocument(document, async () => {
        const file = await db.first(fileOfVersion, { team, document: document.id, number: document.version });
        if (!file) throw new Error('The file of the document is missing.');
        const own = fields.filter((field) => field.document === document.place);
        const prepared = await deps.sealing.prepare(() => storage.read(file.storage_key), { fields: own }, signal);
        const { presented, sha256, manner, findings } = prepared;
        await keepFileOf(deps, { team, request }, presented, async (scope, { key, size }) => {
          const at = { team, request: request.id, place: document.place };
          scope.db.send(queries.setPresented, { ...at, key, size, sha256, pages: JSON.stringify(prepared.pages), manner, findings });
          return true;
        });
      });
    await inRequest(deps, team, request.id, async (scope, prepared) => {
      if (prepared.documents.some(({ presentedKey }) => presentedKey === null) || !(await move(scope, prepared, 'present'))) return;
      await askNext(deps.context, scope, prepared, await scope.db.all(signersOf, { team, request: request.id }));
    });
  },
);
