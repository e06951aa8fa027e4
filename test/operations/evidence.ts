import { rows, thing } from '../access/rows.ts';
import { clearPacks } from '../evidence.ts';
import { eventually } from '../webhook-receiver.ts';
import type { Acts } from '../suites/acts/kit.ts';

/* Access rows and actions of evidence packs for the walks. */

const evidence = '/api/v1/evidence';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const evidenceAccess = rows(evidence, {
  'POST ': thing('evidenceSource', 'y y y 403 403 · 404 403 403 y 403 403', (_, { id }) => ({ documentId: id })),
  'GET /{id}': thing('evidencePack', 'y y y 404 404 · 404 403 403 404 403 403'),
  'GET /{id}/file': thing('evidencePack', '409 409 409 404 404 · 404 403 403 404 403 403'),
});

/** The journal entries of each operation that changes something, and its call. */
export const evidenceActs: Acts = {
  [`POST ${evidence}`]: {
    entries: ['document.content_read', 'evidence.requested', 'evidence.manifest_recorded'],
    async prepare({ chancery, owner, send }) {
      const form = new FormData();
      form.set('title', 'To prove');
      form.set('file', new Blob(['to prove'], { type: 'text/plain' }), 'a.txt');
      const { body } = await chancery.call('POST', '/api/v1/smartdoc/documents/', { token: owner.token, body: form });
      await clearPacks(chancery.pool, owner.team);
      return async () => {
        const answer = await send('POST', evidence, { documentId: body.id });
        // The job records the manifest in the journal later. Wait, so that other tests do not see the entry.
        const said = `SELECT count(*)::int AS n FROM audit_entry WHERE type = 'evidence.manifest_recorded' AND target_id = $1`;
        await eventually('the manifest is recorded', async () => (await chancery.pool.query(said, [answer.body.id])).rows[0].n === 1);
        return answer;
      };
    },
  },
};
