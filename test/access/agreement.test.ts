import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { asking, file } from '../asking.ts';
import { type Chancery, sharedChancery, type User } from '../harness.ts';
import { runs } from '../tier.ts';

/*
 * Members of a team change each other's folders, documents, tasks, barriers and roles at random. Afterwards the readers of a document
 * must match its access list, and the document, its content and the lists must agree.
 */

const [folders, documents, tasks, team] = ['/api/v1/smartdoc/folders', '/api/v1/smartdoc/documents', '/api/v1/tasks', '/api/v1/team'];
let chancery: Chancery;
before(async () => (chancery = await sharedChancery()));
const { call, made } = asking(() => chancery);

type World = { people: User[]; folders: string[]; documents: string[]; tasks: string[]; shares: string[] };

/** The owner, an administrator, the creator of most resources, a member with a separate folder tree, another member, and a viewer. */
async function openWorld(): Promise<World> {
  const { owner } = await chancery.team();
  const roles = ['admin', 'member', 'member', 'member', 'viewer'] as const;
  const others: User[] = [];
  for (const role of roles) others.push(await chancery.user(owner.team, { role }));
  const [, creator = owner, other = owner] = others;
  const newFolder = async (by: User, parentId?: string): Promise<string> =>
    (await made(by, 'POST', `${folders}/`, { name: randomUUIDv7(), ...(parentId && { parentId }) })).id;
  const a = await newFolder(creator);
  const b = await newFolder(creator, a);
  const c = await newFolder(creator, b);
  const theirs = await newFolder(other);
  const newDocument = async (by: User, folderId?: string): Promise<string> =>
    (await made(by, 'POST', `${documents}/`, file(folderId === undefined ? {} : { folderId }))).id;
  const kept = [await newDocument(creator, a), await newDocument(creator, c), await newDocument(creator), await newDocument(other, theirs)];
  const world: World = { people: [owner, ...others], folders: [a, b, c, theirs], documents: kept, tasks: [], shares: [] };
  // Start with many grants, so that later steps can revoke some.
  const [, , , , fourth = owner, viewer = owner] = world.people;
  for (const [by, folder, userId] of [
    [creator, a, viewer.id],
    [creator, b, fourth.id],
    [other, theirs, creator.id],
  ] as const)
    world.shares.push(
      `${folders}/${folder}/shares/${(await made(by, 'POST', `${folders}/${folder}/shares`, { userId, access: 'write' })).id}`,
    );
  for (const documentId of kept.slice(0, 3))
    world.tasks.push((await made(creator, 'POST', `${tasks}/`, { title: 'T', assignedTo: other.id, documentId })).id);
  return world;
}

/** One step: the actor, the target member and the resources. Each number selects an item modulo the number of items. */
type Step = { act: number; by: number; whom: number; folder: number; target: number; document: number; dice: number };
const step = fc.record<Step>(
  Object.fromEntries(['act', 'by', 'whom', 'folder', 'target', 'document', 'dice'].map((name) => [name, fc.nat(999)])) as never,
);
const of = <T>(some: readonly T[], place: number): T => some[place % some.length] as T;

type Doing = { world: World; by: User; whom: User; folder: string; target: string; document: string; dice: number };
const access = (dice: number) => of(['read', 'write'], dice);

/** Sets a barrier, in two of three cases as one of the two folder owners, who have the permission. */
const putBarrier = ({ world: { people }, by, folder, dice }: Doing) =>
  call(dice % 3 === 0 ? by : of(people, 2 + (dice % 2)), 'PUT', `${folders}/${folder}/barrier`, {
    userIds: people.filter((_, at) => (dice >> at) % 2 === 1).map(({ id }) => id),
  });

const acts: ((doing: Doing) => Promise<unknown>)[] = [
  async ({ world, by, whom, folder, dice }) => {
    const to = dice % 5 === 0 ? { team: true } : { userId: whom.id };
    const { status, body } = await call(by, 'POST', `${folders}/${folder}/shares`, { ...to, access: access(dice) });
    if (status < 300) world.shares.push(`${folders}/${folder}/shares/${body.id}`);
  },
  async ({ world, by, dice }) => world.shares.length > 0 && call(by, 'DELETE', of(world.shares, dice)),
  ({ by, whom, document, dice }) => call(by, 'POST', `${documents}/${document}/access`, { userId: whom.id, access: access(dice) }),
  async ({ by, document, dice }) => {
    const { body } = await call(by, 'GET', `${documents}/${document}/access`);
    const own = (body.grants ?? []).filter(({ id, folderId }: any) => id !== undefined && folderId === undefined);
    if (own.length > 0) await call(by, 'DELETE', `${documents}/${document}/access/${of<any>(own, dice).id}`);
  },
  ...Array.from({ length: 3 }, () => putBarrier),
  ({ by, folder }) => call(by, 'DELETE', `${folders}/${folder}/barrier`),
  ({ by, document, folder, dice }) => call(by, 'PATCH', `${documents}/${document}/move`, { folderId: dice % 5 === 0 ? null : folder }),
  ({ by, folder, target, dice }) => call(by, 'PATCH', `${folders}/${folder}/move`, { parentId: dice % 3 === 0 ? null : target }),
  async ({ world, by, whom, document }) => {
    const { status, body } = await call(by, 'POST', `${tasks}/`, { title: 'T', assignedTo: whom.id, documentId: document });
    if (status < 300) world.tasks.push(body.id);
  },
  async ({ world, whom, dice }) => world.tasks.length > 0 && call(whom, 'POST', `${tasks}/${of(world.tasks, dice)}/complete`, {}),
  async ({ world, by, whom, dice }) =>
    world.tasks.length > 0 && call(by, 'POST', `${tasks}/${of(world.tasks, dice)}/reassign`, { userId: whom.id }),
  async ({ world, by, whom, document }) => {
    const steps = [{ id: 'a', type: 'approval', assignees: [whom.id] }];
    const { status, body } = await call(by, 'POST', '/api/v1/workflows/', { name: 'W', documentId: document, steps });
    if (status >= 300) return;
    const started = await call(by, 'POST', `/api/v1/workflows/${body.id}/start`);
    world.tasks.push(...(started.body.steps?.[0].taskIds ?? []));
  },
  async ({ world: { people }, whom, dice }) =>
    people.indexOf(whom) > 0 &&
    call(of(people, 0), 'PATCH', `${team}/members/${whom.id}`, { role: of(['admin', 'member', 'viewer'], dice) }),
  async ({ by, whom, folder }) => {
    const accessRequest = await call(by, 'POST', `/api/v1/barriers/${folder}/emergency-access`, { reason: 'Discovery' });
    if (accessRequest.status < 300)
      await call(whom, 'POST', `/api/v1/barriers/${folder}/emergency-access/${accessRequest.body.id}/approve`);
  },
  async ({ world: { people }, by, folder, document, dice }) => {
    const binned = dice % 2 === 0 ? `${documents}/${document}` : `${folders}/${folder}`;
    await call(by, 'DELETE', dice % 2 === 0 ? binned : `${binned}?recursive=true`);
    for (const one of people.slice(2, 4)) await call(one, 'POST', `${binned}/restore`);
  },
  ({ by, document }) => call(by, 'POST', `${documents}/${document}/versions`, file()),
];

/** Returns the people with access to the document, with the document in their list, with access to its newest content, and with its name. */
async function readers(world: World, document: string): Promise<Record<'shown' | 'listed' | 'opened' | 'named', string[]>> {
  const found = { shown: [] as string[], listed: [] as string[], opened: [] as string[], named: [] as string[] };
  for (const person of world.people) {
    if ((await call(person, 'GET', `${documents}/${document}`)).status === 200) found.shown.push(person.id);
    const list = await made(person, 'GET', `${documents}/`);
    if (list.some(({ id }: { id: string }) => id === document)) found.listed.push(person.id);
    const { status } = await call(person, 'GET', `${documents}/${document}/content`);
    if (status === 200) found.opened.push(person.id);
    const { names } = await made(person, 'POST', '/api/v1/names', { ids: [document] });
    if (names.length > 0) found.named.push(person.id);
  }
  return found;
}

/** Returns the people in the access list of the document, or undefined if no person can read that list. */
async function said(world: World, document: string): Promise<{ named: string[]; wholeTeam: boolean } | undefined> {
  for (const person of world.people) {
    const { status, body } = await call(person, 'GET', `${documents}/${document}/access`);
    if (status !== 200) continue;
    const grants: any[] = body.grants.filter(({ inactive, barred }: any) => !inactive && !barred);
    return { named: grants.flatMap(({ userId }) => userId ?? []), wholeTeam: grants.some(({ team: all }) => all) };
  }
  return undefined;
}

test('after random shares, barriers, moves and revocations, the readers of a document match its access list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 16 }), async (steps) => {
      const world = await openWorld();
      for (const one of steps) {
        await of(
          acts,
          one.act,
        )({
          world,
          by: of(world.people, one.by),
          whom: of(world.people, one.whom),
          folder: of(world.folders, one.folder),
          target: of(world.folders, one.target),
          document: of(world.documents, one.document),
          dice: one.dice,
        });
      }
      for (const document of world.documents) {
        const { shown, listed, opened, named: nameable } = await readers(world, document);
        assert.deepEqual({ listed, opened, nameable }, { listed: shown, opened: shown, nameable: shown });
        const list = await said(world, document);
        if (list === undefined) continue;
        const { named, wholeTeam } = list;
        assert.deepEqual(
          [...new Set(named)].filter((id) => !shown.includes(id)),
          [],
          'listed, but cannot read the document',
        );
        if (!wholeTeam)
          assert.deepEqual(
            shown.filter((id) => !named.includes(id)),
            [],
            'can read the document, but is not listed',
          );
      }
    }),
    { numRuns: runs(5), endOnFailure: false },
  );
});
