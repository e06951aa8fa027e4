import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type TestResponse, type Chancery, sharedChancery, type User } from '../../../test/harness.ts';
import { maxListBytes } from '../../platform/database/json-page.ts';

const lists = { folder: '/api/v1/smartdoc/folders/', document: '/api/v1/smartdoc/documents/' };
let chancery: Chancery;

before(async () => {
  chancery = await sharedChancery();
});

/** Rows at the top of a person’s tree, each with `bytes` of metadata. */
async function insert(kind: 'folder' | 'document', owner: User, count: number, bytes = 0): Promise<void> {
  const named = kind === 'folder' ? ['name, name_key', "'f' || n, 'f' || n"] : ['title', "'d' || n"];
  await chancery.pool.query(
    `INSERT INTO ${kind} (team_id, id, user_id, ${named[0]}, metadata)
     SELECT $1, lpad(to_hex(n), 32, '0')::uuid, $2, ${named[1]}, jsonb_strip_nulls(jsonb_build_object('m', nullif(repeat('x', $4), '')))
     FROM generate_series(1, $3::int) n`,
    [owner.team, owner.id, count, bytes],
  );
}

const nextOf = (answer: TestResponse) => /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];

/** Follows the links of a list; returns the pages. */
async function walk(owner: User, path: string): Promise<TestResponse[]> {
  const pages: TestResponse[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page = await chancery.call('GET', next, { token: owner.token, unchecked: true });
    assert.equal(page.status, 200, page.text.slice(0, 300));
    pages.push(page);
    next = nextOf(page);
  }
  return pages;
}

for (const kind of ['folder', 'document'] as const) {
  test(`a list of ${kind}s without a limit ends after 10 000 and links on`, async () => {
    const { owner } = await chancery.team();
    await insert(kind, owner, 10_001);
    const pages = await walk(owner, lists[kind]);
    assert.deepEqual(
      pages.map(({ body }) => body.length),
      [10_000, 1],
    );
    assert.equal(new Set(pages.flatMap(({ body }) => body.map((one: { id: string }) => one.id))).size, 10_001);
  });

  test(`a response with ${kind}s has at most 4 MiB: the page ends earlier with a link, and nothing is left out`, async () => {
    const { owner } = await chancery.team();
    await insert(kind, owner, 690, 16_000);
    const pages = await walk(owner, lists[kind]);
    assert.ok(pages.length >= 3);
    for (const { text } of pages) assert.ok(Buffer.byteLength(text) <= maxListBytes + 1);
    assert.ok(Buffer.byteLength(pages[0]?.text ?? '') > maxListBytes - 20_000, 'as much as fits');
    assert.equal(new Set(pages.flatMap(({ body }) => body.map((one: { id: string }) => one.id))).size, 690);
    const exact = await walk(owner, `${lists[kind]}?limit=230`);
    assert.deepEqual(
      exact.map(({ body }) => body.length),
      [230, 230, 230],
      'the last page links to none',
    );
  });
}
