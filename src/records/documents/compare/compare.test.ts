import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { asking, type Asker } from '../../../../test/asking.ts';
import { type Chancery, sharedChancery, type User } from '../../../../test/harness.ts';
import { plainPdf } from '../../../../test/plain-pdf.ts';
import { compareTexts } from '../../../platform/reading/text-comparer.ts';
import { readingTurns } from '../../../platform/reading/reader-queue.ts';
import { exhaustiveTest } from '../../../../test/tier.ts';

const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let owner: User;
let member: User;

before(async () => {
  chancery = await sharedChancery();
  const team = await chancery.team();
  [owner, member] = [await chancery.user(team), await chancery.user(team)];
});

const { made, call } = asking(() => chancery);
const form = (bytes: Buffer | string, type = 'text/plain') => {
  const body = new FormData();
  body.set('title', 'Compared');
  body.set('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], { type }), 'file');
  return body;
};
async function versions(...files: [bytes: Buffer | string, type?: string][]): Promise<string> {
  const [first, ...more] = files.map((one) => form(...one));
  const { id } = await made(owner, 'POST', `${documents}/`, first);
  for (const one of more) await made(owner, 'POST', `${documents}/${id}/versions`, one);
  return id;
}
const compare = (by: Asker, id: string, query: string) => call(by, 'GET', `${documents}/${id}/compare?${query}`);

describe('two versions', () => {
  test('are compared by words: added, removed and replaced text with its context, for every file type', async () => {
    const id = await versions(
      ['The term is two years.\nLiability is capped.\nGoverning law: Germany.\n'],
      ['The term is three years. Liability is not capped.\nGoverning   law: Germany.'],
      [plainPdf(['The term is three years. Liability is not capped.', 'Governing law: Austria.']), 'application/pdf'],
    );
    const { body } = await compare(owner, id, 'from=1&to=2');
    assert.deepEqual([body.documentId, body.from, body.to, body.changed], [id, 1, 2, 2]);
    assert.deepEqual(
      body.changes.map(({ removed, added }: { removed?: string; added?: string }) => [removed?.trim(), added?.trim()]),
      [
        ['two', 'three'],
        [undefined, 'not'],
      ],
    );
    assert.match(body.changes[0].before, /term is $/);
    assert.match(body.changes[0].after, /^ years/);
    // Without a number the newest; equal files have no changes.
    const { body: newest } = await compare(owner, id, 'from=2');
    assert.deepEqual(
      [newest.to, newest.changed, newest.changes[0].removed.trim(), newest.changes[0].added.trim()],
      [3, 1, 'Germany', 'Austria'],
    );
    assert.deepEqual((await compare(owner, id, 'from=3&to=3')).body.changes, []);
  });

  test('are compared for users who may read both; the journal records it, and both need a text', async () => {
    const id = await versions(['one'], ['two'], [Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'image/png']);
    assert.equal((await compare(member, id, 'from=1&to=2')).status, 404);
    assert.deepEqual((await compare(owner, id, 'from=1&to=3')).body.code, 'no_text_to_compare');
    assert.equal((await compare(owner, id, 'from=1&to=9')).status, 404);
    assert.equal((await compare(owner, id, 'to=1')).status, 400);
    const reads = async () => {
      const { rows } = await chancery.pool.query(
        "SELECT count(*)::int AS n FROM audit_entry WHERE target_id = $1 AND type = 'document.content_read'",
        [id],
      );
      return rows[0].n as number;
    };
    const sofar = await reads();
    assert.equal((await compare(owner, id, 'from=1&to=2')).status, 200);
    assert.equal(await reads(), sofar + 2);
    assert.equal((await call(owner, 'HEAD', `${documents}/${id}/compare?from=1&to=2`)).status, 200);
    assert.equal(await reads(), sofar + 2);
  });

  test('with too little in common are rejected', async () => {
    const lines = (letter: string) => Array.from({ length: 3_500 }, (_, number) => `${letter}${number}`).join('\n');
    const { status, body } = await compare(owner, await versions([lines('a')], [lines('b')]), 'from=1&to=2');
    assert.deepEqual([status, body.code], [422, 'versions_too_different']);
  });
});

exhaustiveTest('for any two texts the changes are bounded and turn one text into the other', async () => {
  const limits = { maxChanges: 10, maxCharacters: 30, around: 5 };
  const word = fc.constantFrom('alpha', 'beta', 'gamma', '契約', 'عقد', '\n', '😀');
  const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
  await fc.assert(
    fc.asyncProperty(text, text, async (one, other) => {
      const { count, changes } = await compareTexts([one, other], limits);
      assert.ok(changes.length <= 10 && count >= changes.length);
      const bare = (value: string) => value.replaceAll(/\s/g, '');
      if (bare(one) === bare(other)) assert.ok(changes.every(({ removed = '', added = '' }) => bare(removed) === bare(added)));
      for (const { removed = '', added = '' } of changes) {
        assert.ok(bare(one).includes(bare(removed)) && bare(other).includes(bare(added)));
        assert.ok(removed.length <= 30 && added.length <= 30);
      }
    }),
    { numRuns: 8 },
  );
});

test('the text around a change has whole words', async () => {
  const text = (days: string) => `The Client pays the fees within ${days} days of receiving an invoice.`;
  const { changes } = await compareTexts([text('thirty'), text('sixty')], { maxChanges: 10, maxCharacters: 30, around: 14 });
  assert.deepEqual(changes, [{ removed: 'thirty', added: 'sixty', before: 'fees within ', after: ' days of' }]);
});

test('one comparison of each team runs at a time: a team with a full queue delays no other', async () => {
  const turn = readingTurns({ atOnce: 2, maxWaiting: 3, maxOfOne: 2 });
  let [busy, most] = [0, 0];
  const ends: (() => void)[] = [];
  const work = () =>
    turn('one', async () => {
      most = Math.max(most, (busy += 1));
      await new Promise<void>((resolve) => ends.push(resolve));
      busy -= 1;
    });
  const limits = Array.from({ length: 3 }, work);
  await assert.rejects(work(), { status: 503 });
  // Another team’s comparison starts at once, also while the first team waits.
  assert.equal(await turn('other', () => Promise.resolve('done')), 'done');
  const running = turn('third', () => new Promise<void>((resolve) => ends.push(resolve)));
  const last = turn('fourth', () => Promise.resolve('last'));
  await assert.rejects(
    turn('fifth', () => Promise.resolve()),
    { status: 503 },
  );
  for (let ended = 0; ended < 4; ended += 1) {
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    ends.pop()?.();
  }
  await Promise.all([...limits, running]);
  assert.deepEqual([most, await last], [1, 'last']);
});
