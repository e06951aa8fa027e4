import { rows, thing } from '../access/rows.ts';
import { clearPacks } from '../evidence.ts';
import { eventually } from '../webhook-receiver.ts';
import type { Acts } from '../suites/acts/kit.ts';

/* What the walks ask of packs of evidence. */

const evidence = '/api/v1/evidence';

/** Who may call which operation, in the order of the cells of `rows.ts`; docs/reference/generated/access.md is made from it. */
export const evidenceAccess = rows(evidence, {
  'POST ': thing('evidenceSource', 'y y y 403 403 · 404 403 403 403', (_, { id }) => ({ documentId: id })),
  'GET /{id}': thing('evidencePack', 'y y y 404 404 · 404 404 404 403'),
  'GET /{id}/file': thing('evidencePack', '409 409 409 404 404 · 404 404 404 403'),
});

/** What each operation that changes something writes into the journal, and how it is called. */
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
        // Its job says by itself what it will hold: others see that in the journal when it is there.
        const said = `SELECT count(*)::int AS n FROM audit_entry WHERE type = 'evidence.manifest_recorded' AND target_id = $1`;
        await eventually('the list is recorded', async () => (await chancery.pool.query(said, [answer.body.id])).rows[0].n === 1);
        return answer;
      };
    },
  },
};
