import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CommandOutput, commandAsProcess, settingsOf, typedCommand } from '../../test/command-line.ts';
import { type Chancery, sharedChancery } from '../../test/harness.ts';
import { authPath, goodPassword, mailsTo, registered, signIn } from '../../test/people.ts';

let chancery: Chancery;
let numbers = 0;
before(async () => {
  chancery = await sharedChancery();
});

const newAddress = () => `owner${(numbers += 1)}-${Date.now().toString(36)}@example.org`;
const create = (name: string, owner: string, ...more: string[]): Promise<CommandOutput> =>
  typedCommand(['team', 'create', '--name', name, '--owner', owner, ...more], settingsOf(chancery));
const createdId = ({ code, stdout, stderr }: CommandOutput) => {
  assert.deepEqual([code, stderr], [0, '']);
  return /\(([\da-f-]{36})\)/.exec(stdout)?.[1] ?? '';
};
const journalOf = async (team: string) =>
  (await chancery.pool.query('SELECT type, actor_type FROM audit_entry WHERE team_id = $1 ORDER BY id', [team])).rows.map(
    ({ type, actor_type: actor }) => `${type} by ${actor}`,
  );
const teamsOf = async (token: string) => (await chancery.call('GET', `${authPath}/teams`, { token })).body as any[];

test('a team for a new address has an owner, whose mail has the printed link for the first password', async () => {
  const email = newAddress();
  const output = commandAsProcess(['team', 'create', '--name', ' Notaries ', '--owner', email], settingsOf(chancery));
  const team = createdId(output);
  assert.match(output.stdout, /^Created the team Notaries \(\S+\)\. \S+ owns it\.\nSet the password within 72 hours\./);
  const link = /^http\S+\/reset-password#token=(\S+)$/m.exec(output.stdout);
  const [mail, ...others] = await mailsTo(chancery, email);
  assert.equal(others.length, 0);
  assert.ok(link && mail?.text.includes(link[0]) && mail.text.includes('“Notaries”'));
  assert.deepEqual((await journalOf(team)).toSorted(), ['member.joined by system', 'user.registered by system']);

  const body = { token: link[1], password: goodPassword };
  assert.equal((await chancery.call('POST', `${authPath}/reset-password`, { body })).status, 200);
  const signed = await signIn(chancery, email);
  assert.equal(signed.body.user.firstName, email.split('@')[0]);
  assert.deepEqual(
    (await teamsOf(signed.body.accessToken)).map(({ id, name, role }) => [id, name, role]),
    [[team, 'Notaries', 'owner']],
  );
});

test('the owner gets the mail in the given language', async () => {
  const email = newAddress();
  createdId(await create('Kanzlei', email, '--language', 'de'));
  assert.equal((await mailsTo(chancery, email))[0]?.subject, 'Ihr neues Team');
});

test('an existing account becomes the owner, and keeps its password', async () => {
  const person = await registered(chancery);
  const output = await create('Second team', person.email.toUpperCase());
  const team = createdId(output);
  assert.match(output.stdout, / owns it, with an existing account\.\n$/);
  assert.deepEqual(await journalOf(team), ['member.joined by system']);
  const [mail] = await mailsTo(chancery, person.email);
  assert.equal(mail?.subject, 'Your new team');
  assert.doesNotMatch(mail.text, /reset-password/);
  assert.deepEqual(
    (await teamsOf(person.token)).map(({ id, role }) => [id, role]),
    [
      [person.team, 'owner'],
      [team, 'owner'],
    ],
  );
  assert.equal((await signIn(chancery, person.email)).status, 200);
});

test('a repetition, also a concurrent one, creates nothing and names the existing team', async () => {
  const person = await registered(chancery);
  const outputs = await Promise.all([create('Once', person.email), create('Once', person.email), create('Once', person.email)]);
  const team = createdId(outputs.find(({ code }) => code === 0) ?? outputs[0]);
  const rejected = outputs.filter(({ code }) => code !== 0);
  assert.deepEqual(
    rejected,
    Array.from({ length: 2 }, () => ({ code: 1, stdout: '', stderr: `${person.email} already owns the team Once (${team}).\n` })),
  );
});

test('a name that looks like a web address is rejected', async () => {
  const { code, stderr } = await create('www.example.com', newAddress());
  assert.equal(code, 2);
  assert.match(stderr, /^`name` must not look like a web address/);
});

test('a person who owns twenty teams gets no other', async () => {
  const person = await registered(chancery);
  await chancery.pool.query(
    `WITH t AS (INSERT INTO team (team_id, name) SELECT gen_random_uuid(), 'T' FROM generate_series(1, 19) RETURNING team_id)
     INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role) SELECT team_id, $1, '', '', 'A', 'L', 'owner' FROM t`,
    [person.id],
  );
  const { code, stderr } = await create('One more', person.email);
  assert.deepEqual([code, stderr], [1, `${person.email} has the maximum number of teams.\n`]);
});
