import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { anyText } from '../../../../test/arbitraries.ts';
import fc from 'fast-check';
import { endDocumentOf } from '#documents';
import { type Asker, asking } from '../../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { plainPdf } from '../../../../test/plain-pdf.ts';
import { zip } from '../../../../test/zip.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { textJob } from './jobs.ts';
import { passagesOf, partsOf, plain } from './passages.ts';
import { keepTitle } from './queries.ts';

const documents = '/api/v1/smartdoc/documents';
const folders = '/api/v1/smartdoc/folders';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let member: User;
let admin: User;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  [owner, member] = [await chancery.user(team), await chancery.user(team)];
  admin = await chancery.user(team, { role: 'admin' });
});

const { made, call } = asking(() => chancery);
const form = (title: string, text: string | Blob, members: Record<string, string> = {}) => {
  const body = new FormData();
  for (const [name, value] of Object.entries({ title, ...members })) body.set(name, value);
  body.set('file', typeof text === 'string' ? new Blob([text], { type: 'text/plain' }) : text, 'a.txt');
  return body;
};
const search = (by: Asker, q: string, more = '') => made(by, 'GET', `${documents}/search?q=${encodeURIComponent(q)}${more}`);
const idsOf = (hits: any[]): string[] => hits.map(({ document }) => document.id);
const found = async (by: Asker, q: string, more = '') => idsOf(await search(by, q, more));
const wholeOf = (parts: { text: string }[]) => parts.map(({ text }) => text).join('');
const matched = (parts: { text: string; match: boolean }[]) => parts.filter(({ match }) => match).map(({ text }) => text);

/** Creates a document and waits until its text is extracted. */
async function written(by: Asker, title: string, text: string | Blob, members: Record<string, string> = {}): Promise<string> {
  const { id } = await made(by, 'POST', `${documents}/`, form(title, text, members));
  await taken(id, 1);
  return id;
}
const taken = (id: string, version: number) =>
  eventually(`text of version ${version}`, async () => {
    const { rows } = await chancery.pool.query('SELECT FROM document_text WHERE document_id = $1 AND version = $2', [id, version]);
    return rows.length > 0;
  });

describe('documents are found', () => {
  test('by words of their text, in other forms, by a phrase, by one of two words, and without a word', async () => {
    const id = await written(owner, 'Services', 'The supplier warrants merchantability. Liabilities are capped at ten million.');
    for (const q of ['merchantability', 'liability', '"capped at ten"', 'zebra or warranting', 'supplier -zebra', 'SUPPLIER capped'])
      assert.ok((await found(owner, q)).includes(id), q);
    for (const q of ['zebra', '"capped ten at"', 'merchantability -liabilities', 'supplier zebra'])
      assert.ok(!(await found(owner, q)).includes(id), q);
  });

  test('by their title at once, by a part of it from three characters on, and by its new one when it was changed', async () => {
    const { id } = await chancery.document(owner, { title: 'Rahmenvertrag Nordlicht 2026' });
    for (const q of ['nordlicht', 'rahmen', 'LICHT 20', 'Rahmenvertrag 2026']) assert.deepEqual(await found(owner, q), [id], q);
    await made(owner, 'PUT', `${documents}/${id}`, { title: 'Kaufvertrag Südlicht' });
    assert.deepEqual(await found(owner, 'nordlicht'), []);
    for (const q of ['südlicht', 'vertrag SÜD', 'aufvertra']) assert.deepEqual(await found(owner, q), [id], q);
  });

  test('by a phrase of their text and by one of their title, however often the title has changed', async () => {
    const text = Array.from({ length: 10_000 }, (_, n) => `t${n}`).join(' ');
    const id = await written(owner, 'Supply of saffron', text);
    const title = (time: number) => `${'Amended and restated agreement for the supply of spices '.repeat(4)} of ${time}`;
    // Enough to reach the maximum word position of PostgreSQL, where positions are no longer distinct.
    for (let time = 1; time <= 100; time += 1)
      await chancery.pool.query(keepTitle.text, keepTitle.values({ team: team.id, document: id, title: title(time) }));
    await made(owner, 'PUT', `${documents}/${id}`, { title: 'Supply of mahlab' });
    for (const q of ['"t9990 t9991"', '"t0 t1"', '"supply of mahlab"', 'mahlab t5000']) assert.deepEqual(await found(owner, q), [id], q);
    for (const q of ['"t9991 t9990"', '"t1 t3"', '"mahlab t0"', '"supply mahlab"', 'saffron', 'spices'])
      assert.deepEqual(await found(owner, q), [], q);
  });

  test('by the text of the newest version alone', async () => {
    const id = await written(owner, 'Amended', 'penalty of quagmire');
    assert.deepEqual(await found(owner, 'quagmire'), [id]);
    await made(owner, 'POST', `${documents}/${id}/versions`, form('', 'penalty of marzipan'));
    await taken(id, 2);
    assert.deepEqual(await found(owner, 'quagmire'), []);
    assert.deepEqual(await found(owner, 'marzipan'), [id]);
  });

  test('by the text of a PDF and of a Word file, regardless of the uploaded type, but not of locked or broken ones', async () => {
    const pdf = await written(
      owner,
      'Scan',
      new Blob([Uint8Array.from(plainPdf(['Consideration of tarragon']))], { type: 'application/octet-stream' }),
    );
    const word = zip([{ path: 'word/document.xml', content: '<w:p><w:t>Consideration of chervil</w:t></w:p>' }]);
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    const letter = await written(owner, 'Letter', new Blob([Uint8Array.from(word)], { type: docx }));
    const broken = await written(owner, 'Broken', new Blob(['%PDF-1.7 tarragon'], { type: 'application/pdf' }));
    assert.deepEqual(
      [await found(owner, 'tarragon'), await found(owner, 'chervil'), await found(owner, 'broken')],
      [[pdf], [letter], [broken]],
    );
  });

  test('by the forms of the language of the team’s owner, and unchanged in any language', async () => {
    const german = await chancery.team();
    await chancery.pool.query("UPDATE person SET locale = 'de-AT' WHERE id = $1", [german.owner.id]);
    const id = await written(german.owner, 'Vertrag', 'Die Häuser wurden verkauft. The obligations survive.');
    for (const q of ['Haus', 'Häusern', 'obligations']) assert.deepEqual(await found(german.owner, q), [id], q);
    await chancery.pool.query("UPDATE person SET locale = 'zz' WHERE id = $1", [german.owner.id]);
    assert.deepEqual(await found(german.owner, 'häuser'), [id]);
  });

  test('with matches in the title first, page by page and each once', async () => {
    const { owner: one } = await chancery.team();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await written(one, `Annex ${n}`, `turmeric ${'filler '.repeat(n * 20)}`));
    const named = (await chancery.document(one, { title: 'Turmeric supply' })).id;
    const seen: string[] = [];
    let next: string | undefined = `${documents}/search?q=turmeric&limit=2`;
    while (next !== undefined) {
      const answer = await call(one, 'GET', next);
      seen.push(...idsOf(answer.body));
      next = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    assert.equal(seen[0], named);
    assert.deepEqual(seen.toSorted(), [...ids, named].toSorted());
    for (const cursor of ['["x","y"]', `["1e999","${named}"]`, `["newest","x"]`, '["NaN","' + named + '"]'])
      assert.equal(
        (await call(one, 'GET', `${documents}/search?q=turmeric&cursor=${Buffer.from(cursor).toString('base64url')}`)).status,
        400,
      );
  });

  test('with too many matches to rank, the newest first, all of them, and only for readers', async () => {
    const { owner: one, id: own } = await chancery.team();
    const colleague = await chancery.user(own);
    await fill(own, one.id, 2_500, "CASE WHEN n % 10 < 7 THEN 'cumin' ELSE 'salt' END");
    // One word has as many documents as the index returns, the other more.
    for (const [word, many] of [
      ['salt', 750],
      ['cumin', 1_750],
    ] as const) {
      const seen: string[] = [];
      let next: string | undefined = `${documents}/search?q=${word}&limit=50`;
      while (next !== undefined) {
        const answer = await call(one, 'GET', next);
        assert.equal(answer.status, 200, answer.text);
        seen.push(...idsOf(answer.body));
        next = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      assert.equal(seen.length, many);
      assert.deepEqual(seen, [...new Set(seen)].toSorted().toReversed());
    }
    const mine = await written(colleague, 'Mine', 'cumin and salt');
    assert.deepEqual([await found(colleague, 'cumin'), await found(colleague, 'salt')], [[mine], [mine]]);
  });

  test('every query gets a response', async () => {
    await fc.assert(
      fc.asyncProperty(anyText({ minLength: 2, maxLength: 60 }), async (q) => {
        const answer = await call(owner, 'GET', `${documents}/search?q=${encodeURIComponent(q.toWellFormed())}`);
        assert.ok([200, 400].includes(answer.status), `${JSON.stringify(q)}: ${answer.text}`);
      }),
      {
        numRuns: 60,
        examples: [['\\\\'], ["'\\'"], ["it's ! & | <->"], ['- -'], ['a\u0000b'], ['""'], [':*'], ['%_%'], ['C:\\dir\\x'], ["\\' or 1"]],
      },
    );
  });
});

/** Many documents of one person with a word of text each, as the job would leave them. */
async function fill(of: string, user: string, many: number, word: string, folder: string | null = null): Promise<void> {
  await chancery.pool.query(
    `WITH made AS (
       INSERT INTO document (team_id, id, user_id, folder_id, title)
       SELECT $1, gen_random_uuid(), $2, $4, 'filler ' || n FROM generate_series(1, $3::int) n RETURNING id, title
     ), n AS (SELECT id, title, split_part(title, ' ', 2)::int AS n FROM made)
     INSERT INTO document_text (team_id, document_id, version, title, words)
     SELECT $1, id, 1, title, array_to_tsvector(words_of_team($1, id)) || setweight(to_tsvector('simple', title), 'A') || to_tsvector('simple', ${word}) FROM n`,
    [of, user, many, folder],
  );
}

describe('the text around a match', () => {
  test('is text in pieces, with the matching ones marked, and no markup is created from it', async () => {
    const id = await written(
      owner,
      '<b>Sesame<b> & Co',
      `Before it ${'word '.repeat(900)} <script>alert("sesame")</script> the sesame seeds & more`,
    );
    const hit = (await search(owner, 'sesame')).find(({ document }: any) => document.id === id);
    assert.deepEqual(matched(hit.title), ['Sesame']);
    assert.match(wholeOf(hit.passage), /seeds & more/);
    for (const text of matched(hit.passage)) assert.match(text, /^sesame$/i);
    assert.doesNotMatch(JSON.stringify(hit), /\\u000[12]/);
  });

  test('is absent for a match in the title', async () => {
    const id = await written(owner, 'Paprika', 'Nothing about it.');
    const [hit] = await search(owner, 'paprika');
    assert.equal(hit.document.id, id);
    assert.equal('passage' in hit, false);
  });

  test('is the marked text, for any content', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('\u0001', '\u0002', '<', '&', 'a', ' ', '\ud800'), anyText({ minLength: 1, maxLength: 1 })),
    });
    fc.assert(
      fc.property(text, (marked) => {
        const parts = partsOf(marked);
        assert.equal(wholeOf(parts), marked.replaceAll('\u0001', '').replaceAll('\u0002', ''));
        assert.ok(parts.every(({ text: piece }) => piece !== ''));
        for (const [at, part] of parts.entries()) assert.notEqual(part.match, parts[at + 1]?.match);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(text.map(plain), fc.boolean())), (pieces) => {
        const marked = pieces.map(([piece, match]) => (match ? `\u0001${piece}\u0002` : piece)).join('');
        const shown = partsOf(marked);
        assert.equal(matched(shown).join(''), pieces.flatMap(([piece, match]) => (match ? [piece] : [])).join(''));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '😀', 'é'), maxLength: 6_000, size: 'max' }), (whole) => {
        const passages = passagesOf(whole);
        assert.equal(passages.join(''), whole);
        assert.ok(passages.every((passage) => passage.length <= 1_501 && passage.isWellFormed()));
      }),
    );
  });

  test('is empty for a file without text, and a text with too many different words is found by its beginning', async () => {
    const binary = await written(owner, 'Binary', new Blob([Buffer.from([0, 1, 2, 255, 254])], { type: 'application/octet-stream' }));
    assert.deepEqual(await found(owner, 'binary'), [binary]);
    const letters = (n: number) => n.toString(25).replaceAll(/./g, (digit) => String.fromCodePoint(97 + Number.parseInt(digit, 25)));
    const words = Array.from({ length: 70_000 }, (_, n) => `${letters(n + 40_000)}es`).join(' ');
    const long = await written(owner, 'Long', `cardamom ${words}`);
    const { rows } = await chancery.pool.query('SELECT sum(length(text))::int AS kept FROM document_passage WHERE document_id = $1', [
      long,
    ]);
    assert.ok(rows[0].kept > 100_000 && rows[0].kept < 300_000, `${rows[0].kept} of ${words.length}`);
    assert.deepEqual(await found(owner, 'cardamom'), [long]);
  });
});

describe('a user without read access to a document', () => {
  test('does not find it: by folder, by barrier, in the bin, of another team', async () => {
    const folder = await chancery.folder(owner);
    const id = await written(owner, 'Secret', 'fenugreek', { folderId: folder.id });
    const stranger = await chancery.team();
    assert.deepEqual(await found(member, 'fenugreek'), []);
    assert.deepEqual(await found(stranger.owner, 'fenugreek'), []);
    await made(owner, 'POST', `${folders}/${folder.id}/shares`, { userId: member.id, access: 'read' });
    assert.deepEqual(await found(member, 'fenugreek'), [id]);
    const client = await chancery.client(team.owner, ['documents:read']);
    assert.deepEqual(await found(client, 'fenugreek'), [id]);
    await made(team.owner, 'PATCH', `/api/v1/security/clients/${client.id}`, { folderIds: [(await chancery.folder(owner)).id] });
    assert.deepEqual(await found(client, 'fenugreek'), []);
    await made(owner, 'PUT', `${folders}/${folder.id}/barrier`, { userIds: [] });
    for (const by of [member, admin, team.owner]) assert.deepEqual(await found(by, 'fenugreek'), []);
    assert.deepEqual(await found(owner, 'fenugreek'), [id]);
    await made(owner, 'DELETE', `${documents}/${id}`);
    assert.deepEqual(await found(owner, 'fenugreek'), []);
  });

  test('finds the document of a task until they complete the task', async () => {
    const id = await written(owner, 'Decided', 'saffron');
    const task = await made(owner, 'POST', '/api/v1/tasks/', { title: 'Read it', documentId: id, assignedTo: member.id });
    assert.deepEqual(await found(member, 'saffron'), [id]);
    await made(member, 'POST', `/api/v1/tasks/${task.id}/complete`, {});
    assert.deepEqual([await found(member, 'saffron'), await found(member, 'decided'), await found(owner, 'saffron')], [[], [], [id]]);
  });

  test('is recorded when an administrator finds it by role alone', async () => {
    const id = await written(owner, 'Private', 'asafoetida');
    assert.deepEqual(await found(admin, 'asafoetida'), [id]);
    assert.deepEqual(await found(owner, 'asafoetida'), [id]);
    assert.equal((await call(admin, 'HEAD', `${documents}/search?q=asafoetida`)).status, 200);
    const { rows } = await chancery.pool.query("SELECT actor_id, data FROM audit_entry WHERE target_id = $1 AND type = 'document.found'", [
      id,
    ]);
    assert.deepEqual(rows, [{ actor_id: admin.id, data: { via: 'role' } }]);
    const { privilegedAccess } = await made(owner, 'GET', `${documents}/${id}/access`);
    assert.ok(privilegedAccess.some(({ type }: any) => type === 'document.found'));
  });
});

test('a locked document delays no other, and its text is extracted afterwards', async () => {
  const id = await written(owner, 'Held', 'lovage');
  const client = await chancery.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('UPDATE document_text SET version = 0 WHERE document_id = $1', [id]);
    await client.query('COMMIT');
    await client.query('BEGIN');
    await client.query('SELECT FROM document WHERE id = $1 FOR UPDATE', [id]);
    await chancery.database.inTeam(team.id, async (db) => enqueue({ db, team: team.id }, textJob, { document: id }, { key: id }));
    await eventually('the job waits for its time', async () => {
      const { rows } = await chancery.pool.query(
        "SELECT FROM job WHERE name = 'document-text' AND data->>'document' = $1 AND state = 'waiting'",
        [id],
      );
      return rows.length > 0;
    });
    const { rows } = await chancery.pool.query(
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    assert.equal(rows.length, 0);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  await taken(id, 1);
});

test('a text extracted during the erasure of its document is stored nowhere: 50 at once', async () => {
  const { owner: one, id: own } = await chancery.team();
  const ids = await Promise.all(
    Array.from(
      { length: 50 },
      async (_, n) => (await made(one, 'POST', `${documents}/`, form(`Race ${n}`, 'galangal')).then(({ id }) => id)) as string,
    ),
  );
  await Promise.all(
    ids.map((id, n) =>
      n % 2 === 0
        ? made(one, 'DELETE', `${documents}/${id}`)
        : chancery.database.inTeam(own, (db) =>
            endDocumentOf({ db, team: own, actor: { type: 'system' }, now: new Date(), requestId: 'race', listeners: [] }, id),
          ),
    ),
  );
  assert.deepEqual(await found(one, 'galangal'), []);
  await eventually('no job waits', async () => {
    const { rows } = await chancery.pool.query("SELECT FROM job WHERE team_id = $1 AND name = 'document-text' AND state <> 'failed'", [
      own,
    ]);
    return rows.length === 0;
  });
  assert.deepEqual(await found(one, 'galangal'), []);
});
