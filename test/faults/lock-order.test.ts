import type { Transaction } from '../../src/platform/database/database.ts';
import { insertSessions } from '../memberships.ts';
import assert from 'node:assert/strict';
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { keepSignIns, revokeOtherSignIns } from '../../src/identity/accounts/sign-in/credential-queries.ts';
import { dropExpired, sessions } from '../../src/identity/accounts/queries.ts';
import { eraseAddresses, eraseSignIns } from '../../src/identity/accounts/two-factor/queries.ts';
import { eraseOldAddresses } from '../../src/records/journal/sequencer/jobs.ts';
import { dropOldMail } from '../../src/platform/mail/jobs.ts';
import { extendLeases, postponeJobs, removeJobs, retryJobs, wakeJobs } from '../../src/platform/jobs/queries.ts';
import { markSent } from '../../src/platform/mail/queries.ts';
import { cancelWaiting } from '../../src/automation/webhooks/deliveries/queries.ts';
import { exchangeDeliveries, releaseDeliveries } from '../../src/automation/webhooks/engine/jobs.ts';
import type { Claimed } from '../../src/automation/webhooks/sending/outcome.ts';
import { enqueue } from '../enqueue.ts';
import { type Chancery, startChancery, type TestTeam } from '../harness.ts';
import { sequencerNode } from '../sequencer.ts';
import { eventually } from '../webhook-receiver.ts';

/*
 * Statements that each change several rows run fifty at once on the same rows. In a deadlock the database aborts one statement, which would reject.
 * The harness also counts deadlocks when it stops.
 */

let chancery: Chancery;
let team: TestTeam;
before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
});
after(() => chancery.stop());

const at50 = Array.from({ length: 50 }, (_, n) => n);

/** Runs each function repeatedly, all of them concurrently. */
async function racing(...works: ((n: number) => Promise<unknown>)[]): Promise<void> {
  const ended = await Promise.allSettled(at50.flatMap((n) => works.map((work) => work(n))));
  const failed = ended.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  assert.deepEqual([...new Set(failed)], []);
}

/** Returns ids in descending order, unlike the order of their rows. */
const ids = (many: number): string[] => Array.from({ length: many }, () => randomUUIDv7()).toReversed();

const url = 'https://receiver.example/';
const endpoint = async (): Promise<string> =>
  (await chancery.call('POST', '/api/v1/webhooks/', { token: team.owner.token, body: { name: 'A', url, events: ['x.y'] } })).body.id;

test('two workers concurrently close the breaker of one endpoint and count failures of the other', async () => {
  const { id: other } = await chancery.team();
  const endpoints = ids(100);
  await chancery.pool.query(
    `INSERT INTO webhook_endpoint (team_id, id, name, url, events, secret, created_by, created_at, updated_at)
     SELECT $1, id, 'A', $3, '{x.y}', '', $1, now(), now() FROM unnest($2::uuid[]) id`,
    [other, endpoints, url],
  );
  const tallies = (n: number) =>
    endpoints.map((endpointId, at) => {
      const recovered = (at + n) % 2 === 0;
      return { teamId: other, endpointId, version: 1, recovered, failures: recovered ? 0 : 1 };
    });
  const breaker = { threshold: 1e6, pauseSeconds: 1, longestPauseSeconds: 2, disableFrom: 1e6, disableAfterSeconds: 1e6 };
  await racing((n) => {
    const some = { token: randomUUID(), outcomes: [], tallies: n % 4 < 2 ? tallies(n) : tallies(n).toReversed(), breaker };
    return exchangeDeliveries(chancery.database, { ...some, claim: undefined }, 0);
  });
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS known FROM webhook_endpoint_state WHERE team_id = $1', [other]);
  assert.equal(rows[0].known, endpoints.length);
});

test('deliveries are released while their endpoint is deleted', async () => {
  const id = await endpoint();
  for (let round = 0; round < 5; round += 1) {
    const token = randomUUID();
    await enqueue(chancery.pool, { id, team: team.id }, 500, { quietly: true });
    const { rows } = await chancery.pool.query(
      `UPDATE webhook_queue SET lease_token = $2, lease_until = now() + interval '1 minute', attempts = 1
       WHERE endpoint_id = $1 RETURNING team_id AS "teamId", endpoint_id AS "endpointId", delivery_id AS "deliveryId"`,
      [id, token],
    );
    const { rows: placed } = await chancery.pool.query(
      'SELECT delivery_id AS "deliveryId", ctid::text AS place FROM webhook_queue WHERE endpoint_id = $1',
      [id],
    );
    const places = new Map(placed.map(({ deliveryId, place }) => [deliveryId, place]));
    const claimed = rows
      .map((row) => ({ ...row, place: places.get(row.deliveryId) }) as Claimed)
      .toSorted((a, b) => (a.deliveryId < b.deliveryId ? 1 : -1));
    const works = [
      () => releaseDeliveries(chancery.database, token, claimed),
      () => chancery.database.inTeam(team.id, (tx) => tx.all(cancelWaiting, { team: team.id, endpoint: id })),
    ];
    await Promise.all(works.map((work) => work()));
  }
});

test('an erasure of addresses, one by age and the sequencer update the same entries concurrently', async () => {
  const sequencer = await sequencerNode(chancery);
  try {
    await sequencer.start();
    for (let round = 0; round < 5; round += 1) {
      const person = randomUUIDv7();
      // One statement inserts the rows in descending order of their ids, so the table stores them in that order.
      await chancery.pool.query(
        `INSERT INTO audit_entry (team_id, id, type, actor_type, actor_id, at, ip, request_id, data)
         SELECT $1, id, 'folder.created', 'user', $2, now() - interval '3 days', '192.0.2.1', 'r', '{"name": "A"}' FROM unnest($3::uuid[]) id`,
        [team.id, person, ids(1_000)],
      );
      await chancery.pool.query("SELECT pg_notify('audit_due', '')");
      await Promise.all([
        chancery.database.inTeam(team.id, (tx) => tx.all(eraseAddresses, { id: person })),
        eraseOldAddresses(chancery.database, new Date(), 1),
      ]);
    }
    const unplaced = 'SELECT FROM audit_entry WHERE seq IS NULL LIMIT 1';
    await eventually('every entry has its position', async () => (await chancery.pool.query(unplaced)).rowCount === 0);
  } finally {
    await sequencer.stop();
  }
  assert.equal(sequencer.logged(), '');
});

test('sessions of one user are refreshed concurrently while they are ended, moved, erased and cleaned up', async () => {
  const { database } = chancery;
  const inTeam = (work: Parameters<typeof database.inTeam<unknown>>[1]) => database.inTeam<unknown>(team.id, work);
  for (let round = 0; round < 8; round += 1) {
    const person = await chancery.user(team);
    const living = ids(60);
    const sessionsAre = (some: string[], epoch: number, expires: string) =>
      insertSessions(chancery.pool, team.id, person.id, some, { epoch: String(epoch), expires_at: `now() + interval '${expires}'` });
    await sessionsAre(living, 1, '90 days');
    await sessionsAre(ids(60), 1, '-90 days');
    await sessionsAre(ids(60), 0, '90 days');
    const account = person.id;
    const asPerson = (work: (tx: Transaction) => Promise<unknown>) =>
      inTeam((tx) => {
        tx.enterPerson(account);
        return work(tx);
      });
    await Promise.all([
      ...living.map((session) =>
        database.batched(team.id, session).first(sessions.rotate, { owner: team.id, session, counter: 0, keep: 1, idle: 1e6 }),
      ),
      asPerson((tx) => tx.all(eraseSignIns, { id: account })),
      asPerson((tx) => tx.all(keepSignIns, { account, only: null })),
      asPerson((tx) => tx.all(revokeOtherSignIns, { account, except: person.sessionId, at: new Date() })),
      ...dropExpired.map((drop) => database.asSystem('test', (tx) => tx.all(drop, {}))),
    ]);
  }
});

test('old mails are deleted while their jobs are claimed, postponed and removed, and while the mails are marked as sent', async () => {
  const { database } = chancery;
  const mails = ids(300);
  await chancery.pool.query(
    `WITH mail AS (
       INSERT INTO mail_message (id, team_id, recipient, subject, created_at)
       SELECT id, $1, 'somebody@example.org', 'Old', now() - interval '31 days' FROM unnest($2::uuid[]) id RETURNING id, created_at
     ) INSERT INTO job (team_id, id, name, data, counted, state, due_at, created_at)
       SELECT $1, id, 'team-mail', jsonb_build_object('mail', id), true, 'ready', now(), created_at FROM mail`,
    [team.id, mails],
  );
  await chancery.pool.query("INSERT INTO team_usage VALUES ($1, 'jobsWaiting', 0, 300) ON CONFLICT DO NOTHING", [team.id]);
  const asSystem = (work: Parameters<typeof database.asSystem<unknown>>[1]) => database.asSystem<unknown>('test', work);
  const some = (n: number) => mails.slice(n, n + 20);
  const of = (jobs: string[]) => ({ teams: jobs.map(() => team.id), ids: jobs });
  await racing(
    () => asSystem((tx) => tx.all(wakeJobs, { leasedIds: [], limit: 1_000 })),
    (n) => asSystem((tx) => tx.all(postponeJobs, { ...of(some(n)), at: new Date() })),
    (n) => asSystem((tx) => tx.all(extendLeases, { ...of(some(n)), attempts: some(n).map(() => 0), leaseSeconds: 0 })),
    (n) => asSystem((tx) => tx.all(retryJobs, { id: null, name: 'team-mail', limit: n })),
    (n) =>
      asSystem(async (tx) => {
        await tx.all(removeJobs, of(some(5 * n)));
        await tx.all(markSent, { id: mails[n] ?? '' });
      }),
    async (n) => n % 5 === 0 && dropOldMail(database, new Date()),
  );
});
