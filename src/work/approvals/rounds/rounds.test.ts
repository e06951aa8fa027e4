import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Asker, asking, file } from '../../../../test/asking.ts';
import { type Chancery, startChancery, type TestResponse, type TestTeam, type User } from '../../../../test/harness.ts';
import { isolationOf } from '../../../../test/isolation.ts';
import { listeners } from '../../../listeners.ts';
import { doDueWork } from '../../../platform/jobs/due-jobs.ts';
import { roundExpiry } from './votes.ts';

const workflows = '/api/v1/workflows';
const documents = '/api/v1/smartdoc/documents';
const approvals = '/api/v1/approvals';
let chancery: Chancery;

before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

const { call, made, status, shareDocument } = asking(() => chancery);
type World = { team: TestTeam; owner: User; one: User; two: User; three: User; four: User };
async function world(): Promise<World> {
  const team = await chancery.team();
  const [one, two, three, four] = await Promise.all([1, 2, 3, 4].map(() => chancery.user(team)));
  assert.ok(one && two && three && four);
  return { team, owner: team.owner, one, two, three, four };
}
const user = ({ id }: User) => `user:${id}`;
const rule = (...need: { count: number; from: string[] }[]) => ({ id: 'only', need });
const step = (approval: object, more: object = {}) => ({ id: 'board', type: 'approval', config: { approval, ...more } });
async function started(by: Asker, steps: object[], documentId = 'DMS-1'): Promise<{ id: string }> {
  const { id } = await made(by, 'POST', `${workflows}/`, { name: 'W', documentId, steps });
  return made(by, 'POST', `${workflows}/${id}/start`);
}
const roundsOf = (by: Asker, flow: { id: string }): Promise<any[]> => made(by, 'GET', `${approvals}?workflowId=${flow.id}&sort=-createdAt`);
const roundOf = async (by: Asker, flow: { id: string }) => (await roundsOf(by, flow))[0];
const stepOf = async (by: Asker, flow: { id: string }, id = 'board') =>
  (await made(by, 'GET', `${workflows}/${flow.id}`)).steps.find((one: any) => one.id === id);
const statusOf = async (by: Asker, flow: { id: string }) => (await made(by, 'GET', `${workflows}/${flow.id}`)).status;
const code = ({ status: answered, body }: TestResponse) => [answered, body?.code];
async function voteOf(by: User, flow: { id: string }): Promise<any> {
  const tasks = await made(by, 'GET', `/api/v1/tasks?workflowId=${flow.id}&assignedTo=me&sort=-createdAt`);
  return tasks[0];
}
async function vote(by: User, flow: { id: string }, outcome = 'approved'): Promise<TestResponse> {
  return call(by, 'POST', `/api/v1/tasks/${(await voteOf(by, flow)).id}/complete`, { outcome });
}
const entries = async (target: string) =>
  (await chancery.pool.query('SELECT type, data FROM audit_entry WHERE target_id = $1 ORDER BY id', [target])).rows;
const candidates = (round: any) => round.candidates.map(({ userId }: any) => userId).toSorted();
const ids = (...people: User[]) => people.map(({ id }) => id).toSorted();
const uploaded = (by: Asker) => made(by, 'POST', `${documents}/`, file());
const newVersion = (by: Asker, id: string) => made(by, 'POST', `${documents}/${id}/versions`, file());
/** Moves the end of the open round of a workflow into the past, as the clock does. */
const expire = (flow: { id: string }) =>
  chancery.pool.query("UPDATE approval_round SET expires_at = now() - interval '1 second' WHERE workflow_id = $1 AND status = 'open'", [
    flow.id,
  ]);
/** Runs the job on two nodes at a time. */
const runExpiry = () =>
  Promise.all(
    [1, 2].map(() => doDueWork({ database: chancery.database, listeners, isolation: isolationOf(chancery) }, roundExpiry, new Date())),
  );

test('two of three approve: each candidate has a vote, and the second approval ends the round and its step', async () => {
  const { owner, one, two, three } = await world();
  const flow = await started(owner, [step({ rules: [rule({ count: 2, from: [one, two, three].map(user) })] })]);
  const round = await roundOf(owner, flow);
  assert.deepEqual([round.status, round.rule, candidates(round)], ['open', 'only', ids(one, two, three)]);
  assert.deepEqual(round.subject, { type: 'step', workflowId: flow.id, stepId: 'board' });
  assert.equal((await voteOf(one, flow)).roundId, round.id);
  assert.equal((await vote(one, flow)).status, 200);
  assert.equal((await roundOf(owner, flow)).status, 'open');
  assert.equal((await stepOf(owner, flow)).status, 'active');
  assert.equal((await vote(two, flow)).status, 200);
  const ended = await roundOf(owner, flow);
  assert.deepEqual([ended.status, ended.outcome, ended.votes.map(({ userId }: any) => userId)], ['approved', 'approved', [one.id, two.id]]);
  const { status: how, outcome } = await stepOf(owner, flow);
  assert.deepEqual([how, outcome, await statusOf(owner, flow)], ['completed', 'approved', 'completed']);
  assert.deepEqual(
    (await entries(round.id)).map(({ type }) => type),
    ['approval.requested', 'approval.voted', 'approval.voted', 'approval.decided'],
  );
});

test('the remaining votes are cancelled, and one of them answers 409 `round_over`', async () => {
  const { owner, one, two } = await world();
  const flow = await started(owner, [step({ rules: [rule({ count: 1, from: [user(one), user(two)] })] }), { id: 'more', type: 'task' }]);
  const rest = await voteOf(two, flow);
  await vote(one, flow);
  assert.equal((await made(owner, 'GET', `/api/v1/tasks/${rest.id}`)).status, 'cancelled');
  assert.deepEqual(code(await call(two, 'POST', `/api/v1/tasks/${rest.id}/complete`, { outcome: 'approved' })), [409, 'round_over']);
  const { rows } = await chancery.pool.query('SELECT cancel_reason FROM task WHERE id = $1', [rest.id]);
  assert.deepEqual(rows, [{ cancel_reason: 'round_decided' }]);
});

test('a person in two groups fills one place only', async () => {
  const { team, owner, one, two, three } = await world();
  const groups: string[] = [];
  for (const people of [
    [one, two],
    [one, three],
  ]) {
    const { id } = await made(owner, 'POST', '/api/v1/groups/', { name: `G ${groups.length}` });
    for (const person of people) await made(owner, 'POST', `/api/v1/groups/${id}/members`, { userId: person.id });
    groups.push(id);
  }
  const need = groups.map((id) => ({ count: 1, from: [`group:${id}`] }));
  const flow = await started(team.owner, [step({ rules: [rule(...need)] })]);
  await vote(one, flow);
  assert.equal((await roundOf(owner, flow)).status, 'open');
  await vote(two, flow);
  assert.equal((await roundOf(owner, flow)).status, 'approved', 'the first person moves to the place of the other group');
});

test('a rejection ends the round, and its outcome is that of the step', async () => {
  for (const outcome of ['rejected', 'changes_requested']) {
    const { owner, one, two } = await world();
    const flow = await started(owner, [step({ rules: [rule({ count: 1, from: [user(one), user(two)] })] })]);
    await vote(one, flow, outcome);
    const [ended] = (await roundsOf(owner, flow)).toReversed();
    assert.deepEqual([ended.status, ended.outcome], ['rejected', outcome]);
    // As for a plain step, a request for changes begins the step again.
    const again = outcome === 'changes_requested';
    assert.deepEqual([await statusOf(owner, flow), (await roundsOf(owner, flow)).length], again ? ['active', 2] : ['rejected', 1]);
  }
});

test('with `onRejection: quorum` the round ends when it cannot be approved any more', async () => {
  const { owner, one, two, three } = await world();
  const approval = { rules: [rule({ count: 2, from: [one, two, three].map(user) })], onRejection: 'quorum' };
  const flow = await started(owner, [step(approval)]);
  await vote(one, flow, 'rejected');
  assert.equal((await roundOf(owner, flow)).status, 'open');
  await vote(two, flow, 'changes_requested');
  const [ended] = (await roundsOf(owner, flow)).toReversed();
  assert.deepEqual([ended.status, ended.outcome], ['rejected', 'rejected'], 'the outcome of the first rejection');
});

test('a rule is chosen by its condition, and a missing answer fails the step', async () => {
  const { owner, one, two } = await world();
  const money = (name: string) => ({ field: 'look', eq: name });
  const rules = [
    { id: 'large', when: money('large'), need: [{ count: 1, from: [user(one)] }] },
    { id: 'else', need: [{ count: 1, from: [user(two)] }] },
  ];
  const look = { id: 'look', type: 'size', config: { outcomes: ['large', 'small'] }, assignees: [owner.id] };
  for (const [outcome, person] of [
    ['large', one],
    ['small', two],
  ] as const) {
    const flow = await started(owner, [look, step({ rules })]);
    await call(owner, 'POST', `/api/v1/tasks/${(await voteOf(owner, flow)).id}/complete`, { outcome });
    const round = await roundOf(owner, flow);
    assert.deepEqual([round.rule, candidates(round)], [outcome === 'large' ? 'large' : 'else', [person.id]]);
    assert.match(round.inputDigest, /^[0-9a-f]{64}$/);
  }
});

test('a step fails if its places cannot be filled, and `retry` begins a round that supersedes none', async () => {
  const { owner, one } = await world();
  const flow = await started(owner, [step({ rules: [rule({ count: 2, from: [user(one), user(owner)] })] })]);
  const failed = await stepOf(owner, flow);
  assert.deepEqual([failed.status, failed.outcome], ['failed', 'no_eligible_assignee'], 'the creator is excluded by default');
  assert.deepEqual(await roundsOf(owner, flow), []);
  const task = await voteOf(owner, flow);
  assert.deepEqual([task.type, task.outcomes], ['failed_approval', ['retry', 'cancel']]);
  await made(owner, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'retry' });
  assert.equal((await stepOf(owner, flow)).status, 'failed');
  await made(owner, 'POST', `/api/v1/tasks/${(await voteOf(owner, flow)).id}/complete`, { outcome: 'cancel' });
  assert.equal((await stepOf(owner, flow)).outcome, 'cancelled');
});

test('a step with rules takes no `assignees`, `groups` or `mode: any`, and wrong rules have pointers', async () => {
  const { owner, one } = await world();
  const approval = { rules: [rule({ count: 1, from: [user(one)] })] };
  const create = async (more: object) => {
    const { status: answered, body } = await call(owner, 'POST', `${workflows}/`, {
      name: 'W',
      documentId: 'DMS-1',
      steps: [{ ...step(approval), ...more }],
    });
    return [answered, body.errors?.map(({ pointer }: any) => pointer)];
  };
  assert.deepEqual(await create({ assignees: [one.id] }), [422, ['/steps/0/assignees']]);
  assert.deepEqual(await create({ mode: 'any' }), [422, ['/steps/0/mode']]);
  assert.deepEqual(await create({ mode: 'all' }), [201, undefined], 'responses have the default mode');
  assert.deepEqual(await create({ config: { approval: { ...approval, proof: 'passkey' } } }), [422, ['/steps/0/config/approval/proof']]);
  assert.deepEqual(await create({ config: { approval: { rules: [rule({ count: 1, from: ['user:x'] })] } } }), [
    422,
    ['/steps/0/config/approval/rules/0/need/0/from/0'],
  ]);
  assert.equal((await create({ type: 'task', config: { approval } }))[0], 422);
});

test('of two concurrent last votes one decides, and the other answers 409 `round_over`', async () => {
  const { owner, one, two } = await world();
  const flow = await started(owner, [step({ rules: [rule({ count: 1, from: [user(one), user(two)] })] })]);
  const votes = await Promise.all([voteOf(one, flow), voteOf(two, flow)]);
  const answers = await Promise.all(
    [one, two].map((by, at) => call(by, 'POST', `/api/v1/tasks/${votes[at].id}/complete`, { outcome: 'approved' })),
  );
  assert.deepEqual(answers.map(code).toSorted(), [
    [200, undefined],
    [409, 'round_over'],
  ]);
});

test('of a concurrent approval and rejection, the first one decides', async () => {
  const { owner, one, two } = await world();
  const flow = await started(owner, [step({ rules: [rule({ count: 1, from: [user(one), user(two)] })] })]);
  const votes = await Promise.all([voteOf(one, flow), voteOf(two, flow)]);
  const outcomes = ['approved', 'rejected'];
  const answers = await Promise.all(
    [one, two].map((by, at) => call(by, 'POST', `/api/v1/tasks/${votes[at].id}/complete`, { outcome: outcomes[at] })),
  );
  assert.deepEqual(answers.map(code).toSorted(), [
    [200, undefined],
    [409, 'round_over'],
  ]);
  const { status: ended, votes: counted } = await roundOf(owner, flow);
  assert.deepEqual([ended, counted.length], [outcomes[answers.findIndex(({ status: answered }) => answered === 200)], 1]);
});

test('fifty concurrent votes are counted once each, and the round is decided once', async () => {
  const { team, owner } = await world();
  const voters: User[] = [];
  for (let n = 0; n < 50; n++) voters.push(await chancery.user(team));
  const { id: group } = await made(owner, 'POST', '/api/v1/groups/', { name: 'All' });
  for (const { id: userId } of voters) await made(owner, 'POST', `/api/v1/groups/${group}/members`, { userId });
  const flow = await started(owner, [step({ rules: [rule({ count: 30, from: [`group:${group}`] })] })]);
  const votes = await Promise.all(voters.map((by) => voteOf(by, flow)));
  const answers = await Promise.all(
    voters.map((by, at) => call(by, 'POST', `/api/v1/tasks/${votes[at].id}/complete`, { outcome: 'approved' })),
  );
  assert.equal(answers.filter(({ status: answered }) => answered === 200).length, 30);
  for (const answer of answers.filter(({ status: answered }) => answered !== 200)) assert.deepEqual(code(answer), [409, 'round_over']);
  const round = await roundOf(owner, flow);
  assert.deepEqual([round.status, round.votes.length], ['approved', 30]);
  assert.equal((await entries(round.id)).filter(({ type }) => type === 'approval.decided').length, 1);
});

test('a paused workflow takes no votes, and a cancelled one voids its round', async () => {
  const { owner, one, two } = await world();
  const flow = await started(owner, [step({ rules: [rule({ count: 2, from: [user(one), user(two)] })] })]);
  await made(owner, 'POST', `${workflows}/${flow.id}/pause`, {});
  assert.deepEqual(code(await vote(one, flow)), [409, 'workflow_paused']);
  await made(owner, 'POST', `${workflows}/${flow.id}/resume`, {});
  assert.equal((await vote(one, flow)).status, 200);
  await made(owner, 'POST', `${workflows}/${flow.id}/cancel`, {});
  const round = await roundOf(owner, flow);
  assert.deepEqual([round.status, round.reason], ['voided', 'workflow_ended']);
  assert.deepEqual(code(await vote(two, flow)), [409, 'round_over']);
});

test('a new version voids the round, and a new round about that version supersedes it', async () => {
  const { owner, one, two } = await world();
  const document = await uploaded(owner);
  const flow = await started(owner, [step({ rules: [rule({ count: 2, from: [user(one), user(two)] })] })], document.id);
  await vote(one, flow);
  const old = await voteOf(two, flow);
  await newVersion(owner, document.id);
  const [now, previous] = await roundsOf(owner, flow);
  assert.deepEqual([previous.status, previous.reason, previous.document.version], ['voided', 'document_changed', 1]);
  assert.deepEqual([now.status, now.supersedes, now.document.version, now.votes], ['open', previous.id, 2, []]);
  assert.deepEqual(code(await call(two, 'POST', `/api/v1/tasks/${old.id}/complete`, { outcome: 'approved' })), [409, 'document_changed']);
});

const contracts = async (by: Asker, ...names: string[]) => {
  const named: { name: string; documentId: string }[] = [];
  for (const name of names) named.push({ name, documentId: (await uploaded(by)).id });
  return named;
};
async function startedAbout(by: Asker, steps: object[], named: { name: string; documentId: string }[]): Promise<{ id: string }> {
  const { id } = await made(by, 'POST', `${workflows}/`, { name: 'W', documents: named, steps });
  return made(by, 'POST', `${workflows}/${id}/start`);
}
const idsOf = (round: any) => round.documents.map(({ id }: any) => id);

test('a round is about all documents of its workflow, which its candidates read until they vote', async () => {
  const { owner, one, two } = await world();
  const named = await contracts(owner, 'nda', 'annex');
  const flow = await startedAbout(owner, [step({ rules: [rule({ count: 2, from: [user(one), user(two)] })] })], named);
  const round = await roundOf(owner, flow);
  assert.deepEqual(
    idsOf(round),
    named.map(({ documentId }) => documentId),
  );
  for (const { version, sha256 } of round.documents) assert.deepEqual([version, sha256.length], [1, 64]);
  assert.deepEqual(round.document, round.documents[0]);
  const reads = (by: User) => Promise.all(named.map(({ documentId }) => status(by, 'GET', `${documents}/${documentId}`)));
  assert.deepEqual(
    [await reads(one), await reads(two)],
    [
      [200, 200],
      [200, 200],
    ],
  );
  const { id: task } = await voteOf(one, flow);
  await vote(one, flow);
  assert.deepEqual(await reads(one), [404, 404]);
  const unrelated = await uploaded(owner);
  const versions = (by: User) =>
    Promise.all([...idsOf(round), unrelated.id, 'x'].map((id) => status(by, 'GET', `/api/v1/tasks/${task}/document?documentId=${id}`)));
  assert.deepEqual(
    [await versions(one), await versions(two)],
    [
      [200, 200, 404, 404],
      [404, 404, 404, 404],
    ],
    'a voter keeps the versions of the vote',
  );
  for (const id of idsOf(round)) assert.equal(await status(one, 'GET', `/api/v1/tasks/${task}/document/content?documentId=${id}`), 200);
  await vote(two, flow);
  for (const { documentId } of named) assert.equal((await made(owner, 'GET', `${documents}/${documentId}`)).status, 'approved');
});

test('a new version of any document of a round voids it', async () => {
  const { owner, one, two, three } = await world();
  const named = await contracts(owner, 'nda', 'annex');
  const [, annex] = named;
  assert.ok(annex);
  await shareDocument(owner, annex.documentId, one, 'write');
  const rules = [rule({ count: 2, from: [one, two, three].map(user) })];
  const flow = await startedAbout(owner, [step({ rules, exclude: [] })], named);
  await vote(one, flow);
  await newVersion(one, annex.documentId);
  const [now, previous] = await roundsOf(owner, flow);
  assert.deepEqual([previous.status, previous.reason], ['voided', 'document_changed']);
  assert.deepEqual([now.supersedes, now.votes, now.documents.map(({ version }: any) => version)], [previous.id, [], [1, 2]]);
  assert.deepEqual(candidates(now), ids(two, three), 'a voter who uploaded the version is excluded');
});

test('the uploader of any document of a round is excluded, also as a replacement', async () => {
  const { owner, one, two, three } = await world();
  const named = [...(await contracts(owner, 'nda')), ...(await contracts(one, 'annex'))];
  await shareDocument(one, named[1]?.documentId ?? '', owner, 'write');
  const flow = await startedAbout(owner, [step({ rules: [rule({ count: 1, from: [one, two].map(user) })] })], named);
  const round = await roundOf(owner, flow);
  assert.deepEqual(candidates(round), [two.id]);
  const replace = (by: User) => call(owner, 'POST', `${approvals}/${round.id}/replace`, { userId: two.id, by: by.id, reason: 'Away' });
  assert.deepEqual(code(await replace(one)), [403, 'excluded_from_round']);
  assert.equal((await replace(three)).status, 200);
  const reads = (by: User) => Promise.all(named.map(({ documentId }) => status(by, 'GET', `${documents}/${documentId}`)));
  assert.deepEqual(
    [await reads(three), await reads(two)],
    [
      [200, 200],
      [404, 404],
    ],
  );
});

test('a step can name some documents, and a new version of another one does not matter', async () => {
  const { owner, one } = await world();
  const named = await contracts(owner, 'nda', 'annex', 'letter');
  const [nda, annex, letter] = named.map(({ documentId }) => documentId);
  const rules = [rule({ count: 1, from: [user(one)] })];
  const some = await startedAbout(owner, [step({ rules }, { documents: ['annex', 'letter'] })], named);
  assert.deepEqual(idsOf(await roundOf(owner, some)), [annex, letter]);
  assert.deepEqual([(await voteOf(one, some)).documentId, await status(one, 'GET', `${documents}/${nda}`)], [annex, 404]);
  const single = await startedAbout(owner, [step({ rules }, { document: 'letter' })], named);
  assert.deepEqual(idsOf(await roundOf(owner, single)), [letter]);
  await newVersion(owner, nda ?? '');
  for (const flow of [some, single]) assert.equal((await roundsOf(owner, flow)).length, 1);
  const pointers = async (config: object) =>
    (
      await call(owner, 'POST', `${workflows}/`, { name: 'W', documents: named, steps: [{ id: 'board', type: 'approval', config }] })
    ).body.errors?.map(({ pointer }: any) => pointer);
  assert.deepEqual(await pointers({ approval: { rules }, documents: ['nda', 'anex'] }), ['/steps/0/config/documents/1']);
  assert.deepEqual(await pointers({ approval: { rules }, documents: ['nda'], document: 'nda' }), ['/steps/0/config/documents']);
  assert.deepEqual(await pointers({ documents: ['nda'] }), ['/steps/0/config/documents']);
});

test('the first file of a document begins a round about that version', async () => {
  const { owner, one } = await world();
  const { id } = await made(owner, 'POST', `${documents}/`, { title: 'Agreement' });
  const flow = await started(owner, [step({ rules: [rule({ count: 1, from: [user(one)] })] })], id);
  assert.deepEqual((await roundOf(owner, flow)).documents, [{ id }]);
  await newVersion(owner, id);
  const [now, previous] = await roundsOf(owner, flow);
  assert.deepEqual([previous.reason, now.documents[0].version], ['document_changed', 1]);
});

test('of a vote and a new version at once, no vote counts for the other version', async () => {
  const { owner, one } = await world();
  for (let n = 0; n < 5; n++) {
    const document = await uploaded(owner);
    const flow = await started(owner, [step({ rules: [rule({ count: 1, from: [user(one)] })] }), { id: 'end', type: 'task' }], document.id);
    // The task of the first round. A vote that looks for its task during the race can find the one of the second round.
    const { id } = await voteOf(one, flow);
    const complete = call(one, 'POST', `/api/v1/tasks/${id}/complete`, { outcome: 'approved' });
    const [voted] = await Promise.all([complete, newVersion(owner, document.id)]);
    const [now, previous] = await roundsOf(owner, flow);
    assert.ok(previous, 'the new version begins a new round');
    assert.deepEqual([now.status, now.document.version, now.votes], ['open', 2, []]);
    assert.deepEqual([previous.document.version, previous.status], [1, voted.status === 200 ? 'approved' : 'voided']);
  }
});

test('a voter who uploads a new version is excluded from the next round, even without exclusions', async () => {
  const { owner, one, two, three } = await world();
  const document = await uploaded(owner);
  await shareDocument(owner, document.id, one, 'write');
  const approval = { rules: [rule({ count: 2, from: [one, two, three].map(user) })], exclude: [] };
  const flow = await started(owner, [step(approval)], document.id);
  await vote(one, flow);
  await newVersion(one, document.id);
  assert.deepEqual(candidates(await roundOf(owner, flow)), ids(two, three));
});

test('creator, uploader and submitter are excluded by default, and `exclude: []` is in the journal', async () => {
  const { owner, one, two } = await world();
  const document = await uploaded(one);
  await shareDocument(one, document.id, owner, 'write');
  const rules = [rule({ count: 1, from: [owner, one, two].map(user) })];
  assert.deepEqual(candidates(await roundOf(owner, await started(owner, [step({ rules })], document.id))), [two.id]);
  const round = await roundOf(owner, await started(owner, [step({ rules, exclude: [] })], document.id));
  assert.deepEqual(candidates(round), ids(owner, one, two));
  assert.deepEqual((await entries(round.id))[0].data.exclude, []);
});

test('a deputy fills the place of the absent candidate, and the deputy passes the exclusions', async () => {
  const { owner, one, two, three } = await world();
  const away = (who: User, to: User) =>
    made(who, 'PUT', '/api/v1/tasks/delegations/me', { toUserId: to.id, until: new Date(Date.now() + 86_400_000).toISOString() });
  await away(one, three);
  const flow = await started(owner, [step({ rules: [rule({ count: 2, from: [user(one), user(two)] })] })]);
  const round = await roundOf(owner, flow);
  assert.deepEqual(candidates(round), ids(one, two));
  assert.equal((await vote(three, flow)).status, 200);
  const [counted] = (await roundOf(owner, flow)).votes;
  assert.deepEqual([counted.userId, counted.votedBy, counted.onBehalfOf], [one.id, three.id, one.id]);
  // An excluded deputy gets no vote.
  const document = await uploaded(three);
  await shareDocument(three, document.id, owner, 'write');
  const other = await started(owner, [step({ rules: [rule({ count: 1, from: [user(one)] })] })], document.id);
  assert.equal((await voteOf(one, other)).assignedTo, one.id);
});

test('a deputy who is a candidate too has one vote, and the other place stays open', async () => {
  const { owner, one, two } = await world();
  await made(one, 'PUT', '/api/v1/tasks/delegations/me', { toUserId: two.id, until: new Date(Date.now() + 86_400_000).toISOString() });
  const flow = await started(owner, [step({ rules: [rule({ count: 2, from: [user(one), user(two)] })] })]);
  assert.equal((await vote(two, flow)).status, 200);
  const round = await roundOf(owner, flow);
  assert.deepEqual([round.status, round.votes.length, (await voteOf(one, flow)).assignedTo], ['open', 1, one.id]);
});

test('an expired round fails its step as timed out, once', async () => {
  const { owner, one, two } = await world();
  const approval = { rules: [rule({ count: 2, from: [user(one), user(two)] })], expiresInHours: 1 };
  const flow = await started(owner, [step(approval)]);
  await runExpiry();
  assert.equal((await roundOf(owner, flow)).status, 'open');
  await vote(one, flow);
  await expire(flow);
  assert.deepEqual(code(await vote(two, flow)), [409, 'round_over'], 'a vote after the end does not count');
  await runExpiry();
  const round = await roundOf(owner, flow);
  const failed = await stepOf(owner, flow);
  assert.deepEqual([round.status, failed.status, failed.outcome], ['expired', 'failed', 'timed_out']);
  assert.equal((await entries(round.id)).filter(({ type }) => type === 'approval.decided').length, 1);
  await made(owner, 'POST', `/api/v1/tasks/${(await voteOf(owner, flow)).id}/complete`, { outcome: 'retry' });
  const again = await roundOf(owner, flow);
  assert.deepEqual([again.status, again.supersedes], ['open', round.id]);
});

test('a round of a paused workflow expires after the pause', async () => {
  const { owner, one } = await world();
  const flow = await started(owner, [step({ rules: [rule({ count: 1, from: [user(one)] })], expiresInHours: 1 })]);
  await made(owner, 'POST', `${workflows}/${flow.id}/pause`, {});
  await expire(flow);
  await runExpiry();
  assert.equal((await roundOf(owner, flow)).status, 'open');
  await made(owner, 'POST', `${workflows}/${flow.id}/resume`, {});
  await runExpiry();
  assert.equal((await roundOf(owner, flow)).status, 'expired');
});

test('the vote of a candidate who leaves has no assignee, earlier votes stay, and a replacement completes the round', async () => {
  const { owner, one, two, three, four } = await world();
  const flow = await started(owner, [step({ rules: [rule({ count: 2, from: [user(one), user(two)] })] })]);
  await vote(one, flow);
  const round = await roundOf(owner, flow);
  await made(owner, 'DELETE', `/api/v1/team/members/${two.id}`);
  const [left] = await made(owner, 'GET', `/api/v1/tasks?workflowId=${flow.id}&status=open`);
  assert.deepEqual([left.assignedTo, (await entries(left.id)).at(-1)?.type], [undefined, 'task.unassigned']);
  assert.equal((await roundOf(owner, flow)).votes.length, 1);
  const replace = (by: Asker, body: object) =>
    call(by, 'POST', `${approvals}/${round.id}/replace`, { reason: 'Left', userId: two.id, ...body });
  assert.deepEqual(code(await replace(one, { by: three.id })), [403, 'forbidden']);
  assert.deepEqual(code(await replace(owner, { by: owner.id })), [403, 'excluded_from_round']);
  assert.deepEqual(code(await replace(owner, { by: one.id })), [403, 'excluded_from_round']);
  assert.deepEqual(code(await replace(owner, { by: three.id, userId: four.id })), [404, 'candidate_not_found']);
  assert.deepEqual(code(await replace(owner, { by: three.id, userId: one.id })), [404, 'candidate_not_found'], 'a vote stays');
  assert.deepEqual(candidates((await replace(owner, { by: three.id })).body), ids(one, three));
  assert.equal((await vote(three, flow)).status, 200);
  assert.equal((await roundOf(owner, flow)).status, 'approved');
  const { data } = (await entries(round.id)).find(({ type }) => type === 'approval.candidate_replaced') ?? {};
  assert.deepEqual([data.from, data.to, data.reason], [two.id, three.id, 'Left']);
});

test('a vote cannot be reassigned', async () => {
  const { owner, one, two } = await world();
  const flow = await started(owner, [step({ rules: [rule({ count: 1, from: [user(one)] })] })]);
  const { id } = await voteOf(one, flow);
  for (const by of [owner, one]) assert.equal(await status(by, 'POST', `/api/v1/tasks/${id}/reassign`, { userId: two.id }), 403);
  const other = await call(owner, 'POST', `/api/v1/tasks/${id}/complete`, { outcome: 'approved' });
  assert.match(other.body.detail, /can replace a candidate with POST \/api\/v1\/approvals\/[0-9a-f-]{36}\/replace/);
});

test('candidates are fixed at the begin; a restart begins again, without the votes', async () => {
  const { owner, one, two, three } = await world();
  const { id: group } = await made(owner, 'POST', '/api/v1/groups/', { name: 'G' });
  const join = ({ id: userId }: User) => made(owner, 'POST', `/api/v1/groups/${group}/members`, { userId });
  await join(one);
  await join(two);
  const flow = await started(owner, [step({ rules: [rule({ count: 2, from: [`group:${group}`] })] })]);
  await vote(one, flow);
  await join(three);
  const previous = await roundOf(owner, flow);
  assert.deepEqual(candidates(previous), ids(one, two));
  assert.deepEqual(code(await call(one, 'POST', `${approvals}/${previous.id}/restart`)), [403, 'forbidden']);
  const again = await made(owner, 'POST', `${approvals}/${previous.id}/restart`);
  assert.deepEqual([again.status, again.supersedes, candidates(again), again.votes], ['open', previous.id, ids(one, two, three), []]);
  assert.deepEqual(
    [(await made(owner, 'GET', `${approvals}/${previous.id}`)).reason, (await stepOf(owner, flow)).status],
    ['restarted', 'active'],
  );
  assert.deepEqual(code(await call(owner, 'POST', `${approvals}/${previous.id}/restart`)), [409, 'round_over']);
});

test('a restart that cannot begin leaves the round open', async () => {
  const { owner, one, two } = await world();
  const flow = await started(owner, [step({ rules: [rule({ count: 2, from: [user(one), user(two)] })] })]);
  await made(owner, 'DELETE', `/api/v1/team/members/${two.id}`);
  const round = await roundOf(owner, flow);
  assert.deepEqual(code(await call(owner, 'POST', `${approvals}/${round.id}/restart`)), [422, 'no_eligible_assignee']);
  assert.equal((await roundOf(owner, flow)).status, 'open');
  assert.equal((await vote(one, flow)).status, 200);
});

test('a round is visible to its candidates and to those who see the workflow, not behind a barrier', async () => {
  const { team, owner, one, two, three } = await world();
  const folder = await made(two, 'POST', '/api/v1/smartdoc/folders/', { name: 'Secret' });
  const document = await made(two, 'POST', `${documents}/`, file({ folderId: folder.id }));
  const flow = await started(two, [step({ rules: [rule({ count: 1, from: [user(one)] })] })], document.id);
  const round = await roundOf(two, flow);
  const seen = async (by: Asker) => [await status(by, 'GET', `${approvals}/${round.id}`), (await roundsOf(by, flow)).length];
  for (const by of [one, two, owner]) assert.deepEqual(await seen(by), [200, 1]);
  assert.deepEqual(await seen(three), [404, 0]);
  assert.deepEqual(await seen((await chancery.team()).owner), [404, 0]);
  await made(two, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [one.id] });
  for (const by of [one, two]) assert.deepEqual(await seen(by), [200, 1]);
  assert.deepEqual(await seen(team.owner), [404, 0]);
  assert.equal(await status(team.owner, 'POST', `${approvals}/${round.id}/restart`), 404);
});

test('`parameter:` names the person in a parameter of the template', async () => {
  const { owner, one } = await world();
  const name = `t-${Date.now()}`;
  await made(owner, 'POST', `${workflows}/templates`, {
    name,
    description: 'T',
    parameters: [{ name: 'manager', type: 'user', required: true }],
    steps: [step({ rules: [rule({ count: 1, from: ['parameter:manager'] })] })],
  });
  const { id } = await made(owner, 'POST', `${workflows}/templates/${name}`, { documentId: 'DMS-1', parameters: { manager: one.id } });
  await made(owner, 'POST', `${workflows}/${id}/start`);
  assert.deepEqual(candidates(await roundOf(owner, { id })), [one.id]);
});
