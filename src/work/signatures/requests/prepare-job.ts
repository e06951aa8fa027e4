import { keepFile } from '../../../platform/storage/store-file.ts';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { fileOfVersion } from '#documents';
import { defineJob, type Outcome, type Try } from '../../../platform/jobs/job.ts';
import { afterFailure, inRequest } from './attempts.ts';
import type { Working } from './context.ts';
import { move } from './request-transitions.ts';
import type { Prepared } from '../sealing/index.ts';
import * as queries from './queries.ts';
import { signersOf } from './signer-queries.ts';
import { askNext } from './signing-order.ts';

const mostBytes = 256 * 1024 * 1024;

/**
 * Makes the file that signers are shown, and writes to those whose turn it is. Done again after a crash: the file whose row commits is the one
 * that counts, and one without a row is removed by night.
 */
export const prepareJob = defineJob(
  'signature-prepare',
  Type.Object({ request: Type.String() }),
  { timeout: 300, concurrency: 2, ofTeam: 1, counted: false },
  async (deps: Working, { request: id }, { team, signal }: Try): Promise<Outcome> => {
    if (team === undefined) return undefined;
    const db = deps.database.reader(team);
    const request = await db.first(queries.findRequest, { team, id });
    if (request?.status !== 'preparing') return undefined;
    try {
      const { sealing } = deps;
      const file = await db.first(fileOfVersion, { team, document: request.document_id, number: request.document_version });
      if (!file) throw new Error('the file of the document is gone');
      const fields = await db.all(queries.fieldsOf, { team, request: id });
      const prepared = await sealing.prepare(() => deps.context.storage.read(file.storage_key), { fields }, signal);
      await present(deps, team, id, prepared);
      return undefined;
    } catch (error) {
      return afterFailure(deps, { team, request, step: 'prepare' }, error);
    }
  },
);

async function present(deps: Working, team: string, id: string, { presented, sha256, pages, manner, findings }: Prepared): Promise<void> {
  const { storage } = deps.context;
  await keepFile(storage, { bytes: Readable.from([presented]), maxBytes: mostBytes }, async ({ key, size }) => {
    let kept = false;
    await inRequest(deps, team, id, async (scope, held) => {
      kept = await move(scope, held, 'present');
      if (!kept) return;
      scope.db.send(queries.setPresented, { team, id, key, size, sha256, pages: JSON.stringify(pages), manner, findings });
      const signers = await scope.db.all(signersOf, { team, request: id });
      await askNext(deps.context, scope, held, signers);
    });
    return kept;
  });
}
