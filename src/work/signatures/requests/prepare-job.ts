import { fileOfVersion } from '#documents';
import type { PreparedPdf } from '../sealing/index.ts';
import { keepWithMove, stepJob } from './attempts.ts';
import type { Working } from './context.ts';
import * as queries from './queries.ts';
import { signersOf } from './signer-queries.ts';
import { askNext } from './signing-order.ts';

/**
 * Prepares the file for the signers and emails those whose turn it is. Safe to repeat after a crash: only a file with a committed row is used, and a
 * nightly job removes files without a row.
 */
export const prepareJob = stepJob(
  'signature-prepare',
  { status: 'preparing', step: 'prepare' },
  async (deps, { id, document_id: document, document_version: number }, { db, team, signal }) => {
    const file = await db.first(fileOfVersion, { team, document, number });
    if (!file) throw new Error('The file of the document is missing.');
    const fields = await db.all(queries.fieldsOf, { team, request: id });
    const prepared = await deps.sealing.prepare(() => deps.context.storage.read(file.storage_key), { fields }, signal);
    await present(deps, team, id, prepared);
  },
);

async function present(
  deps: Working,
  team: string,
  id: string,
  { presented, sha256, pages, manner, findings }: PreparedPdf,
): Promise<void> {
  await keepWithMove(deps, { team, id, how: 'present' }, presented, async (scope, request, { key, size }) => {
    scope.db.send(queries.setPresented, { team, id, key, size, sha256, pages: JSON.stringify(pages), manner, findings });
    const signers = await scope.db.all(signersOf, { team, request: id });
    await askNext(deps.context, scope, request, signers);
  });
}
