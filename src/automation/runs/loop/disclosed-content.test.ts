import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Reader } from '../../../platform/database/database.ts';
import { nothingDisclosed, hasReadErased } from './disclosed-content.ts';

const at = '2026-10-05 09:00:00.5+00';
const over = (tool: string, result: string, given: object = {}) => ({
  id: randomUUID(),
  tool,
  arguments: given,
  status: 'done' as const,
  result,
  finished_at: at,
});
/** Creates a database stub that records its queries and returns `found`. */
function database(found?: { id: string }) {
  const checks: { documents: string[]; submissions: string[]; readAt: string[] }[] = [];
  const db = { first: async (_: unknown, params: (typeof checks)[number]) => (checks.push(params), found) } as unknown as Reader;
  return { db, checks };
}

test('the check covers each document and submission that a run has read, once, with the time of the first read', async () => {
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
  const { db, checks } = database();
  assert.equal(await hasReadErased(db, 'team', calls, nothingDisclosed()), false);
  assert.deepEqual(checks, [{ team: 'team', documents: [read, listed], submissions: [answer], readAt: [at] }]);
  assert.equal(await hasReadErased(database({ id: 'one' }).db, 'team', calls, nothingDisclosed()), true);
});

test('a result is scanned in one iteration of a run, and its identifiers are checked in each', async () => {
  const call = over('search_registry_records', `[{"id":"${randomUUID()}"}]`);
  const disclosed = nothingDisclosed();
  const { db, checks } = database();
  await hasReadErased(db, 'team', [call], disclosed);
  await hasReadErased(db, 'team', [{ ...call, result: `[{"id":"${randomUUID()}"}]` }], disclosed);
  assert.equal(checks.length, 2);
  assert.deepEqual(checks[1], checks[0]);
});
