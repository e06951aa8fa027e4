import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { insertMember, personById } from '../../src/identity/accounts/queries.ts';
import { openSession, rememberTeam } from '../../src/identity/accounts/sign-in/credential-queries.ts';
import { assuranceOf } from '../../src/identity/accounts/two-factor/queries.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../harness.ts';
import { seedEverything } from '../seed.ts';
import { firstStaff } from '../staff.ts';
import { sample } from '../tier.ts';
import { acts } from './acts.ts';
import { openActWorld } from './acts/kit.ts';
import { seededPath } from './isolation.ts';
import { named, plausible } from './walk.ts';

/*
 * Requests of a team read no membership in another team and no row of a person, beyond the pinned functions. Restrictive policies report each row that
 * a statement reads, also inside functions of the owner.
 */

/** The reads since the last request: the kind of row, and the function or statement. */
let read: string[] = [];

const emit = pg.Client.prototype.emit as (...args: any[]) => boolean;
pg.Client.prototype.emit = function (this: any, name: string, ...args: any[]): boolean {
  const [notice] = args;
  if (name === 'notice' && /^read (?:account|person)$/.test(notice?.message)) {
    const functions = [...String(notice.where).matchAll(/function "?(\w+)"?/g)].flatMap(([, one]) =>
      one?.startsWith('note_') ? [] : [one],
    );
    const statement = String(this._getActiveQuery?.()?.text ?? this.activeQuery?.text ?? '').replaceAll(/\s+/g, ' ');
    read.push(`${notice.message.slice(5)} in ${functions.at(-1) ?? statement}`);
  }
  return emit.call(this, name, ...args);
} as typeof pg.Client.prototype.emit;

let chancery: Chancery;
/** Each caller is a member of both teams. The tokens are for `team`. */
let team: TestTeam;
let otherTeam: TestTeam;
let seeded: Record<string, string>;

before(async () => {
  chancery = await startChancery({ role: 'api', inProcess: true, settings: firstStaff });
  [team, otherTeam] = [await chancery.team(), await chancery.team()];
  seeded = await seedEverything(chancery, team.owner);
  await chancery.pool.query(`
    CREATE FUNCTION note_account(team uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE COST 100000 AS $$
    BEGIN IF team = '${otherTeam.id}' THEN RAISE WARNING 'read account'; END IF; RETURN true; END $$;
    CREATE FUNCTION note_person(person uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE COST 100000 AS $$
    BEGIN RAISE WARNING 'read person'; RETURN true; END $$;
    GRANT EXECUTE ON FUNCTION note_account(uuid), note_person(uuid) TO PUBLIC;
    CREATE POLICY note ON account AS RESTRICTIVE FOR SELECT TO PUBLIC USING (note_account(team_id));
    CREATE POLICY note ON person AS RESTRICTIVE FOR SELECT TO PUBLIC USING (note_person(id))`);
});
after(() => chancery.stop());

const joinOther = ({ id }: Pick<User, 'id'>) =>
  chancery.pool.query(
    `INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role)
     SELECT $1, id, email, email_key, first_name, last_name, 'member' FROM person WHERE id = $2`,
    [otherTeam.id, id],
  );

const textOf = ({ text }: { text: string }) => text.replaceAll(/\s+/g, ' ');
/** What may read rows of a person, with the reason. No request may read a membership in another team. */
const allowed = new Map([
  ['person in find_session', 'the token: one session of the caller'],
  ['person in check_person_credential', 'the token, in the transaction of a change'],
  [`person in ${textOf(assuranceOf)}`, 'the age of the caller’s own sign-in'],
  [`person in ${textOf(insertMember)}`, 'the copy of the profile of a person who joins, or gets a team of their own'],
  [`person in ${textOf(personById)}`, 'the name of the team of a person who lost the last one'],
  [`person in ${textOf(openSession)}`, 'the sign-in of a person who accepts an invitation'],
  [`person in ${textOf(rememberTeam)}`, 'the same'],
]);
/** Leaving a team acts on the person’s teams too. */
const isOfPerson = (path: string) => path.startsWith('/api/v1/security/auth/') || path === '/api/v1/team/leave';

/** Records the rows that a request reads beyond `allowed`. */
async function unexpected(name: string, send: () => Promise<unknown>): Promise<string[]> {
  read = [];
  await send();
  return read.filter((one) => !allowed.has(one)).map((one) => `${name}: ${one}`);
}

test('no request of a team reads a membership in another team, or a person', async () => {
  const found: string[] = [];
  for (const operation of sample(chancery.description.operations, 0.2, named)) {
    if (operation.access !== 'user' || isOfPerson(operation.path)) continue;
    const wanted = operation.parameters.filter((one) => one.in === 'query' && one.required).map((one) => `${one.name}=1`);
    const path = `${seededPath(seeded, operation.path)}${wanted.length === 0 ? '' : `?${wanted.join('&')}`}`;
    const { token, ...caller } = await chancery.user(team, { role: 'admin' });
    await joinOther(caller);
    const options = { token, unchecked: true, ...(operation.hasBody ? { body: plausible(operation.body) } : {}) };
    found.push(...(await unexpected(named(operation), () => chancery.call(operation.method, path, options))));
  }
  assert.deepEqual(found, []);
});

test('no change of members, groups, matters and work reads a membership in another team, or a person', async () => {
  const world = await openActWorld(chancery, (await chancery.team()).owner);
  await joinOther(world.owner);
  await joinOther(world.member);
  const found: string[] = [];
  for (const [name, { prepare }] of sample(Object.entries(acts), 0.2, ([one]) => one)) {
    if (!/ \/api\/v1\/(?:team|groups|matters|matter-clients|tasks|workflows)/.test(name) || name.endsWith(' /api/v1/team/leave')) continue;
    found.push(...(await unexpected(name, await prepare(world))));
  }
  assert.deepEqual(found, []);
});

test('the list of a person’s teams shows that the policies report such reads', async () => {
  const caller = await chancery.user(team);
  await joinOther(caller);
  const reads = await unexpected('teams', () => chancery.call('GET', '/api/v1/security/auth/teams', { token: caller.token }));
  assert.deepEqual([...new Set(reads)], ['teams: account in teams_of_person']);
});
