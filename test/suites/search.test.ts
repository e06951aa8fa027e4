import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { nextMonday, plainCalendar } from '../bookings.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../harness.ts';
import { publishForm } from '../published-forms.ts';
import { askToSign, pdfDocument } from '../signatures.ts';

/* The parameters `q` and `ids` of lists. Each list has two items, and a member of the team sees one of them. */

type Items = { path: string; found: string; other: string; q: string };

let chancery: Chancery;
let team: TestTeam;
let member: User;
const lists: Record<string, Items> = {};

const made = async (by: User, path: string, body: unknown) => {
  const answer = await chancery.call('POST', path, { token: by.token, body });
  assert.ok(answer.status === 200 || answer.status === 201, `${path}: ${answer.text}`);
  return answer.body;
};
const list = async (by: User, path: string, prefer = '') => {
  const answer = await chancery.call('GET', path, { token: by.token, headers: { prefer } });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer;
};
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id).toSorted();

const bookingForm = (by = team.owner) =>
  publishForm(chancery, by, {
    type: 'scheduling',
    fields: [
      { id: 'name', type: 'text', label: 'Name' },
      { id: 'email', type: 'email', label: 'Address' },
    ],
    calendar: plainCalendar,
  });
const book = ({ publicToken }: { publicToken: string }, time: string, name: string) =>
  made(team.owner, `/api/v1/interfaces/public/${publicToken}/submit`, {
    data: { name, email: `${name.toLowerCase()}@visitor.example`, start: `${nextMonday()}T${time}:00.000Z` },
  });

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  const { owner } = team;
  member = await chancery.user(team);
  /** Creates one item that the member sees and has the text, and one that only the owner sees. */
  const both = async (name: string, path: string, make: (by: User, text: string) => Promise<{ id: string }>) => {
    const [found, other] = [await make(member, `${name} of Basalt`), await make(owner, 'Another')];
    lists[name] = { path, found: found.id, other: other.id, q: `${name.slice(2).toUpperCase()} of basalt` };
  };
  await both('documents', '/api/v1/smartdoc/documents/', (by, title) => pdfDocument(chancery, by, { title }));
  await both('folders', '/api/v1/smartdoc/folders/', (by, name) => made(by, '/api/v1/smartdoc/folders/', { name }));
  await both('tasks', '/api/v1/tasks/', (by, title) => made(by, '/api/v1/tasks/', { title, assignedTo: by.id }));
  const steps = [{ id: 'a', type: 'task' }];
  await both('workflows', '/api/v1/workflows/', (by, name) => made(by, '/api/v1/workflows/', { name, documentId: 'DMS-1', steps }));
  await both('signatures', '/api/v1/signatures/', async (by, title) =>
    askToSign(chancery, by, { documentId: (await pdfDocument(chancery, by, { title })).id }),
  );
  const fields = [{ id: 'name', type: 'text', label: 'Basalt' }];
  await both('forms', '/api/v1/interfaces/', (by, title) => made(by, '/api/v1/interfaces/', { title, type: 'form', fields }));

  const form = await publishForm(chancery, owner, { fields });
  const submit = async (name: string) =>
    (await made(owner, `/api/v1/interfaces/public/${form.publicToken}/submit`, { data: { name } })).submissionId;
  lists.submissions = {
    path: `/api/v1/interfaces/${form.id}/submissions`,
    found: await submit('Quill Basalt'),
    other: await submit('Another'),
    q: 'ILL basalt',
  };
  lists.members = { path: '/api/v1/team/members', found: member.id, other: owner.id, q: member.email.toUpperCase() };
});

const searched = ['documents', 'tasks', 'workflows', 'signatures', 'forms', 'submissions', 'members'];

test('`q` selects the items with a part of their text, in any case, and a count has the same', async () => {
  for (const name of searched) {
    const { path, found, other, q } = lists[name] as Items;
    const answer = await list(team.owner, `${path}?q=${encodeURIComponent(q)}`, 'count=exact');
    assert.deepEqual([idsOf(answer.body), answer.headers.get('x-total-count')], [[found], '1'], name);
    assert.deepEqual((await list(team.owner, `${path}?q=${encodeURIComponent('_%')}`)).body, [], `${name}: wildcards are characters`);
    assert.deepEqual((await list(team.owner, `${path}?q=%00`)).body, [], `${name}: no text has this character`);
    assert.ok(idsOf((await list(team.owner, path)).body).includes(other), name);
  }
});

test('`q` finds no items that are hidden from the caller', async () => {
  for (const name of searched.filter((one) => !['submissions', 'members'].includes(one))) {
    const { path, found, q } = lists[name] as Items;
    assert.deepEqual(idsOf((await list(member, `${path}?q=another`)).body), [], name);
    assert.deepEqual(idsOf((await list(member, `${path}?q=${encodeURIComponent(q)}`)).body), [found], name);
  }
});

test('`q` finds signature requests by the name and address of a signer', async () => {
  const email = `vera.${randomUUIDv7().slice(-6)}@visitor.example`;
  const { id } = await askToSign(chancery, team.owner, { signers: [{ email, name: 'Vera Obsidian' }] });
  for (const q of ['obsidian', email.toUpperCase()])
    assert.deepEqual(idsOf((await list(team.owner, `/api/v1/signatures/?q=${encodeURIComponent(q)}`)).body), [id], q);
});

test('`q` searches the answers of submissions at any depth, and neither names of fields nor erased answers', async () => {
  const fields = [
    { id: 'pyrite', type: 'text', label: 'Text' },
    {
      id: 'choices',
      type: 'multiselect',
      label: 'Several',
      options: [
        { id: 'feldspar', label: 'F' },
        { id: 'mica', label: 'M' },
      ],
    },
  ];
  const form = await publishForm(chancery, team.owner, { fields });
  const submit = (data: object) => made(team.owner, `/api/v1/interfaces/public/${form.publicToken}/submit`, { data });
  const { submissionId: id } = await submit({ pyrite: 'a "quoted" text', choices: ['feldspar'] });
  const path = `/api/v1/interfaces/${form.id}/submissions`;
  const find = async (q: string) => idsOf((await list(team.owner, `${path}?q=${encodeURIComponent(q)}`)).body);
  assert.deepEqual([await find('"QUOTED"'), await find('feldsp')], [[id], [id]]);
  assert.deepEqual([await find('pyrite'), await find('choices'), await find('mica')], [[], [], []]);
  assert.equal((await chancery.call('DELETE', `${path}/${id}`, { token: team.owner.token })).status, 204);
  const erased = await list(team.owner, `${path}?status=erased&q=quoted`);
  assert.deepEqual(erased.body, []);
});

test('`q` finds bookings by the visitor', async () => {
  const { owner } = team;
  const form = await bookingForm();
  await book(form, '09:00', 'Noor');
  await book(form, '10:00', 'Amal');
  const path = `/api/v1/interfaces/${form.id}/bookings`;
  const names = async (q: string) => (await list(owner, `${path}?q=${q}`)).body.map(({ name }: any) => name);
  assert.deepEqual([await names('NOOR@'), await names('amal'), await names('nobody')], [['Noor'], ['Amal'], []]);
  assert.equal((await list(owner, `${path}?q=noor`, 'count=exact')).headers.get('x-total-count'), '1');
});

/** The items of a list over all forms, page by page, in pages of two. */
async function everything(by: User, path: string): Promise<any[]> {
  const seen = [];
  for (let at: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=2`; at !== undefined;) {
    const page = await list(by, at);
    seen.push(...page.body);
    at = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  return seen;
}

test('submissions of all forms are those that the caller can read, newest first, with the filters of one form', async () => {
  const { owner } = team;
  const [colleague, reader] = [await chancery.user(team), await chancery.user(team)];
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const [shared, own, edited] = [
    await publishForm(chancery, owner, { fields }),
    await publishForm(chancery, reader, { fields }),
    await publishForm(chancery, owner, { fields }),
  ];
  for (const [form, rights] of [
    [shared, ['submissions']],
    [edited, ['edit']],
  ] as const)
    await made(owner, `/api/v1/interfaces/${form.id}/shares`, { userId: reader.id, rights });
  for (const name of ['Agate', 'Beryl'])
    for (const form of [shared, own, edited]) await made(owner, `/api/v1/interfaces/public/${form.publicToken}/submit`, { data: { name } });
  const [all, of, narrowed] = [
    await everything(reader, '/api/v1/submissions'),
    await list(reader, `/api/v1/interfaces/${own.id}/submissions`),
    await list(reader, '/api/v1/submissions?q=AGATE', 'count=exact'),
  ];
  const names = (items: any[]) => items.map(({ interfaceId, data }) => `${interfaceId === own.id ? 'own' : 'shared'} ${data.name}`);
  assert.deepEqual(names(all), ['own Beryl', 'shared Beryl', 'own Agate', 'shared Agate']);
  assert.deepEqual(
    all.filter(({ interfaceId }) => interfaceId === own.id),
    of.body,
    'an item has the same shape as in the list of its form',
  );
  assert.deepEqual([names(narrowed.body), narrowed.headers.get('x-total-count')], [['own Agate', 'shared Agate'], '2']);
  assert.deepEqual((await list(reader, '/api/v1/submissions?status=spam')).body, []);
  assert.deepEqual(await everything(colleague, '/api/v1/submissions'), []);
});

test('bookings of all forms are those that the caller can read, by start, with the filters of one form', async () => {
  const { owner } = team;
  const [colleague, reader] = [await chancery.user(team), await chancery.user(team)];
  const [hidden, first, second] = [await bookingForm(), await bookingForm(reader), await bookingForm(reader)];
  await book(hidden, '09:00', 'Hidden');
  await book(first, '11:00', 'Late');
  await book(second, '10:00', 'Middle');
  await book(first, '09:30', 'Early');
  const all = await everything(reader, '/api/v1/bookings');
  assert.deepEqual(
    all.map(({ name }) => name),
    ['Early', 'Middle', 'Late'],
  );
  assert.deepEqual(
    all.filter(({ interfaceId }) => interfaceId === first.id),
    (await list(reader, `/api/v1/interfaces/${first.id}/bookings`)).body,
  );
  const after = await list(reader, `/api/v1/bookings?from=${nextMonday()}T10:00:00Z&status=confirmed&q=LATE`, 'count=exact');
  assert.deepEqual([after.body.map(({ name }: any) => name), after.headers.get('x-total-count')], [['Late'], '1']);
  assert.deepEqual(await everything(colleague, '/api/v1/bookings'), []);
  assert.ok((await everything(owner, '/api/v1/bookings')).some(({ name }) => name === 'Hidden'));
});

test('the journal has the forms whose submissions or bookings an administrator read only by role, each once', async () => {
  const fresh = await chancery.team();
  const [creator, admin] = [await chancery.user(fresh), await chancery.user(fresh, { role: 'admin' })];
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const [answered, unanswered, booked] = [
    await publishForm(chancery, creator, { fields }),
    await publishForm(chancery, creator, { fields }),
    await bookingForm(creator),
  ];
  const own = await publishForm(chancery, admin, { fields });
  for (const form of [answered, own]) await made(admin, `/api/v1/interfaces/public/${form.publicToken}/submit`, { data: { name: 'A' } });
  await list(admin, '/api/v1/submissions');
  await list(admin, '/api/v1/submissions', 'count=exact');
  const entries = async (type: string) =>
    (await list(fresh.owner, `/api/v1/security/audit?type=${type}`)).body.events.map(({ actor, target, data }: any) => [
      actor.id,
      target.id,
      data,
    ]);
  assert.deepEqual(await entries('interface.submissions_read'), [[admin.id, answered.id, { via: 'role' }]]);
  await book(booked, '09:00', 'Visitor');
  await list(admin, '/api/v1/bookings');
  assert.deepEqual(await entries('calendar.bookings_read'), [[admin.id, booked.id, { via: 'role' }]]);
  await list(admin, `/api/v1/interfaces/${unanswered.id}/submissions`);
  assert.equal((await entries('interface.submissions_read')).length, 2);
});

test('`q` finds deliveries by event type, event and error', async () => {
  const { owner } = team;
  const { id } = await made(owner, '/api/v1/webhooks/', { name: 'Log', url: 'https://hooks.example.com/log', events: ['folder.*'] });
  const { id: delivery, eventId } = await made(owner, `/api/v1/webhooks/${id}/test`, undefined);
  const path = `/api/v1/webhooks/${id}/deliveries`;
  const find = async (q: string) => idsOf((await list(owner, `${path}?q=${q}`, 'count=exact')).body);
  assert.deepEqual([await find('HOOK.te'), await find(eventId.slice(4)), await find('nothing')], [[delivery], [delivery], []]);
});

const selectable = ['documents', 'folders', 'tasks', 'workflows', 'signatures', 'forms', 'members'];
const withIds = (path: string, ids: readonly string[]) => `${path}?${ids.map((id) => `ids=${id}`).join('&')}`;

test('`ids` selects items by their identifiers, of which the caller sees some; other filters and pages apply too', async () => {
  for (const name of selectable) {
    const { path, found, other, q } = lists[name] as Items;
    const both = withIds(path, [found, other.toUpperCase(), randomUUIDv7()]);
    const answer = await list(team.owner, both, 'count=exact');
    assert.deepEqual([idsOf(answer.body), answer.headers.get('x-total-count')], [[found, other].toSorted(), '2'], name);
    assert.deepEqual(idsOf((await list(member, both)).body), name === 'members' ? [found, other].toSorted() : [found], name);
    if (searched.includes(name))
      assert.deepEqual(idsOf((await list(team.owner, `${both}&q=${encodeURIComponent(q)}`)).body), [found], name);
    const pages = [];
    for (let at: string | undefined = `${both}&limit=1`; at !== undefined;) {
      const page = await list(team.owner, at);
      pages.push(...idsOf(page.body));
      at = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(pages.toSorted(), [found, other].toSorted(), name);
  }
});

test('`ids` accepts 100 identifiers, and only identifiers', async () => {
  const { path } = lists.tasks as Items;
  const many = Array.from({ length: 101 }, () => randomUUIDv7());
  assert.deepEqual((await list(team.owner, withIds(path, many.slice(1)))).body, []);
  for (const ids of [many, ['me']]) {
    const answer = await chancery.call('GET', withIds(path, ids), { token: team.owner.token });
    assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed']);
  }
});

test('`ids` does not select documents of a folder in which the caller has no access, nor those in the bin', async () => {
  const { owner } = team;
  const folder = await made(owner, '/api/v1/smartdoc/folders/', { name: 'Private' });
  const inFolder = await pdfDocument(chancery, owner, { folderId: folder.id });
  const binned = await pdfDocument(chancery, member);
  await chancery.call('DELETE', `/api/v1/smartdoc/documents/${binned.id}`, { token: member.token });
  const path = withIds('/api/v1/smartdoc/documents/', [inFolder.id, binned.id]);
  assert.deepEqual([(await list(member, path)).body, idsOf((await list(owner, path)).body)], [[], [inFolder.id]]);
  await made(owner, `/api/v1/smartdoc/folders/${folder.id}/shares`, { userId: member.id, access: 'read' });
  assert.deepEqual(idsOf((await list(member, path)).body), [inFolder.id]);
});

test('a prefix of `type` selects the entries of a family from the journal, in order and page by page', async () => {
  const { owner } = await chancery.team();
  for (const name of ['One', 'Two', 'Three']) await made(owner, '/api/v1/smartdoc/folders/', { name });
  await made(owner, '/api/v1/tasks/', { title: 'Between' });
  for (const name of ['Four', 'Five']) await made(owner, '/api/v1/smartdoc/folders/', { name });
  const path = '/api/v1/security/audit';
  const whole = (await list(owner, `${path}?limit=200`)).body.events.filter(({ type }: any) => type.startsWith('folder.'));
  assert.ok(whole.length >= 5, `${whole.length} entries`);
  for (const sort of ['-createdAt', 'createdAt']) {
    const read: string[] = [];
    let cursor = '';
    do {
      const { events, nextCursor } = (await list(owner, `${path}?type=folder.&limit=2&sort=${sort}${cursor}`)).body;
      read.push(...events.map((event: { id: string }) => event.id));
      cursor = nextCursor === undefined ? '' : `&cursor=${nextCursor}`;
    } while (cursor !== '');
    const expected = whole.map((event: { id: string }) => event.id);
    assert.deepEqual(read, sort === 'createdAt' ? expected.toReversed() : expected, sort);
  }
  for (const type of ['folder', 'none.', '.', 'folder%25'])
    assert.deepEqual((await list(owner, `${path}?type=${type}`)).body, { events: [] }, type);
});
