import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Reader } from '../../../platform/database/database.ts';
import { nothingTold, wasToldErased } from './disclosed-content.ts';

const at = '2026-10-05 09:00:00.5+00';
const over = (tool: string, result: string, given: object = {}) => ({
  id: randomUUID(),
  tool,
  arguments: given,
  status: 'done' as const,
  result,
  finished_at: at,
});
/** What is asked of the database, and what it answers. */
function database(found?: { id: string }) {
  const asked: { documents: string[]; submissions: string[]; readAt: string[] }[] = [];
  const db = { first: async (_: unknown, params: (typeof asked)[number]) => (asked.push(params), found) } as unknown as Reader;
  return { db, asked };
}

test('of what a run was told its documents and submissions are looked for, each once, with the time at which it was first told', async () => {
  const [read, listed, answer, erased, refused] = Array.from({ length: 5 }, () => randomUUID());
  const item = (id: string | undefined) =>
    `{"id":"${id}","title":"A \\"b\\"","folderId":"${randomUUID()}","userId":"${randomUUID()}","status":"draft"}`;
  const calls = [
    over('read_document_text', 'words', { id: read?.toUpperCase() }),
    over('read_document_text', '{"error":"not_found"}', { id: refused }),
    over('search_documents', `[${item(listed)},${item(listed)}]`),
    { ...over('get_submission', `{"id":"${answer}","data":{}}`), finished_at: '2026-10-05 09:00:01+00' },
    over('list_submissions', `[{"id":"${answer}","status":"received"},{"id":"${erased}","status":"erased"}]`),
    over('get_task', `{"id":"${randomUUID()}"}`),
    { ...over('get_submission', `{"id":"${randomUUID()}"}`), status: 'ready' as const },
  ];
  const { db, asked } = database();
  assert.equal(await wasToldErased(db, 'team', calls, nothingTold()), false);
  assert.deepEqual(asked, [{ team: 'team', documents: [read, listed], submissions: [answer], readAt: [at] }]);
  assert.equal(await wasToldErased(database({ id: 'one' }).db, 'team', calls, nothingTold()), true);
});

test('what a run was told is looked through at one turn of it, and looked for at each', async () => {
  const call = over('search_registry_records', `[{"id":"${randomUUID()}"}]`);
  const told = nothingTold();
  const { db, asked } = database();
  await wasToldErased(db, 'team', [call], told);
  await wasToldErased(db, 'team', [{ ...call, result: `[{"id":"${randomUUID()}"}]` }], told);
  assert.equal(asked.length, 2);
  assert.deepEqual(asked[1], asked[0]);
});
