import { rows, thing } from '../access/rows.ts';
import { eventually } from '../webhook-receiver.ts';
import { waitingBatch } from '../signature-batches.ts';
import { type Acts, type ActWorld, on } from '../suites/acts/kit.ts';

/* Access rows and actions of signature batches for the walks. */

const bulk = '/api/v1/signatures/bulk';
/** A batch with copies of a document for two external signers. */
export const batchOf = (documentId: string) => ({
  title: 'Walked',
  documentId,
  csv: 'email,name\nada@example.org,Ada\ngrace@example.org,Grace\n',
});

const viewers = 'y y y 404 404 · 404 403 403 y 403 403';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const signatureBatchAccess = rows(bulk, {
  'GET ': thing('signatureBatch', 's s s u u · u 403 403 s 403 403'),
  'POST ': thing('document', 'y y y y y · 422 403 403 y 403 403', (_, { id }) => batchOf(id)),
  'GET /{id}': thing('signatureBatch', viewers),
  'GET /{id}/rows': thing('signatureBatch', viewers),
  'POST /{id}/cancel': thing('signatureBatch', 'y y y 404 404 · 404 403 403 403 403 403'),
});

const file = ({ chancery, owner }: ActWorld) => {
  const form = new FormData();
  form.set('title', 'To sign');
  form.set('file', new Blob(['to sign'], { type: 'text/plain' }), 'a.txt');
  return chancery.call('POST', '/api/v1/smartdoc/documents/', { token: owner.token, body: form }).then(({ body }) => body);
};
/** The folder of a batch with this title is missing, as after a deletion right after its creation. Its rows then have no effects. */
const withoutFolder = 'Without its folder';
const loseFolder = `
  CREATE OR REPLACE FUNCTION lose_folder() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN NEW.manner = jsonb_build_object('folderId', gen_random_uuid()); RETURN NEW; END$$;
  CREATE OR REPLACE TRIGGER lose_folder BEFORE INSERT ON signature_batch FOR EACH ROW WHEN (NEW.title = '${withoutFolder}')
    EXECUTE FUNCTION lose_folder()`;
const batch = ({ chancery, owner }: ActWorld) => waitingBatch(chancery.pool, owner);

/** The journal entries of each operation that changes something, and its call. */
export const signatureBatchActs: Acts = {
  [`POST ${bulk}`]: {
    entries: ['signature_batch.created', 'signature_batch.ended'],
    async prepare(world) {
      const { id } = await file(world);
      const { pool } = world.chancery;
      await pool.query(loseFolder);
      return async () => {
        const answer = await world.send('POST', bulk, { ...batchOf(id), title: withoutFolder });
        // The batch ends later. Wait, so that other tests do not see the entry.
        const over = `SELECT count(*)::int AS n FROM audit_entry WHERE type = 'signature_batch.ended' AND target_id = $1`;
        await eventually('the batch has ended', async () => (await pool.query(over, [answer.body.id])).rows[0].n === 1);
        return answer;
      };
    },
  },
  [`POST ${bulk}/{id}/cancel`]: on(batch, 'POST', ({ id }) => `${bulk}/${id}/cancel`, undefined, 'signature_batch.cancelled'),
};
