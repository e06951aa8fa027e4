import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { type Chancery, startChancery } from '../../../test/harness.ts';
import { letJobsBeDue, startJobNode } from '../../../test/jobs.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import type { Database } from '../database/database.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { retryJobs } from '../jobs/queries.ts';
import type { Pace } from '../jobs/worker.ts';
import { composeMail, mailAddresses } from './compose.ts';
import { mailJob, teamMailJob } from './jobs.ts';
import { queueMail } from './queue.ts';
import { createSmtpTransport } from './transport.ts';

let chancery: Chancery;
let server: SMTPServer;
let received: { to: string; messageId: string; raw: string }[] = [];
/** The server delays mails to this address until they are released. */
let blocked: { address: string; mails: (() => void)[] } | undefined;
/** Milliseconds until the server accepts a mail. */
let takesMs = 0;
const stops: (() => Promise<void>)[] = [];

before(async () => {
  chancery = await startChancery({ role: 'api' });
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, { envelope }, done) {
      const keep = (raw: string) => {
        const [, messageId = ''] = /^Message-ID: (.*)\r$/m.exec(raw) ?? [];
        for (const { address: to } of envelope.rcptTo) received.push({ to, messageId, raw });
        if (blocked !== undefined && envelope.rcptTo.some(({ address }) => address === blocked?.address)) blocked.mails.push(() => done());
        else setTimeout(done, takesMs);
      };
      text(stream).then(keep, done);
    },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await chancery.pool.query('TRUNCATE mail_message, job');
  received = [];
  takesMs = 0;
});
after(async () => {
  for (const stop of stops.splice(0)) await stop();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await chancery.stop();
});

async function worker(pace: Partial<Pace> = {}): Promise<() => Promise<void>> {
  const { port } = server.server.address() as AddressInfo;
  const transport = createSmtpTransport({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: 'Chancery <no-reply@chancery.example>',
    // A delayed mail keeps its connection.
    silenceMs: 3_600_000,
  });
  const add = (jobs: Jobs, database: Database) => {
    for (const job of [mailJob, teamMailJob])
      jobs.add(job, {
        database,
        transport,
        addresses: mailAddresses({ BASE_URL: 'https://chancery.example' }),
        exceeded: () => undefined,
        bounced: () => undefined,
        mayMail: async () => true,
      });
  };
  const node = await startJobNode(chancery.databaseUrl, add, { pace });
  const stop = () => node.stop().then(() => transport.close());
  stops.push(stop);
  return stop;
}

const mail = (to: string) => ({ to, subject: 'Hello', text: 'Hello', html: '' });
const queue = (many: number, to: string, team?: string) =>
  chancery.database.asSystem('queue mails', async (tx) => {
    for (let n = 0; n < many; n += 1) await queueMail(tx, { ...mail(to), team: team ?? null });
  });
const mails = async () => (await chancery.pool.query('SELECT status, error, text_body FROM mail_message')).rows;
const jobs = async () => (await chancery.pool.query("SELECT state, attempts FROM job WHERE name = 'mail'")).rows;

test('an accepted mail is sent once and ends as sent, even if that cannot be recorded for some time', async () => {
  await chancery.pool.query(`
    CREATE FUNCTION refuse_sent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER refuse_sent BEFORE UPDATE ON mail_message FOR EACH ROW WHEN (NEW.status = 'sent') EXECUTE FUNCTION refuse_sent()`);
  try {
    await worker({ pollMs: 100 });
    await queue(3, 'ada@example.org');
    await eventually('the mails', () => received.length === 3);
    // As if the lease had expired.
    await letJobsBeDue(chancery.pool, 'running', '%', 'ready');
    await queue(1, 'bob@example.org');
    await eventually('one that is queued later', () => received.some(({ to }) => to === 'bob@example.org'));
    assert.ok(
      (await mails()).every(({ status, error }) => status === 'queued' && error === null),
      'none counts as failed',
    );
  } finally {
    await chancery.pool.query('DROP TRIGGER refuse_sent ON mail_message; DROP FUNCTION refuse_sent');
  }
  await eventually('all are recorded', async () => (await mails()).every(({ status }) => status === 'sent'));
  assert.equal(received.length, 4, 'each once');
  assert.ok((await mails()).every(({ text_body: body }) => body === null));
  assert.deepEqual(await jobs(), []);
});

test('a mail contains the name of its team at the time of sending', async () => {
  const team = await chancery.team('Harbour Law');
  await chancery.database.asSystem('queue a mail', (tx) =>
    queueMail(tx, { to: 'ada@example.org', team: team.id, ...composeMail('en', { subject: 'Hello', paragraphs: ['Hello'] }) }),
  );
  await chancery.pool.query("UPDATE team SET name = 'Harbour & Sons' WHERE team_id = $1", [team.id]);
  await worker();
  await eventually('the mail', () => received.length === 1);
  const lines = received[0]?.raw.replaceAll('=\r\n', '').match(/Team: .*/g) ?? [];
  assert.deepEqual(lines, ['Team: Harbour & Sons', 'Team: Harbour &amp; Sons']);
});

test('many mails of one team delay neither another team nor mails without a team', async () => {
  takesMs = 15;
  await queue(300, 'many@example.org', randomUUID());
  await worker();
  await eventually('some', () => received.length > 20);
  const at = received.length;
  await Promise.all([queue(1, 'team@example.org', randomUUID()), queue(1, 'nobody@example.org')]);
  await eventually('both', () => ['team', 'nobody'].every((one) => received.some(({ to }) => to === `${one}@example.org`)));
  const place = Math.max(...['team', 'nobody'].map((one) => received.findIndex(({ to }) => to === `${one}@example.org`)));
  assert.ok(place - at < 100, `${place - at} came before`);
  await eventually('all', async () => (await mails()).every(({ status }) => status === 'sent'));
  assert.equal(received.length, 302);
});

test('delayed mails of one team leave a connection for another team', async () => {
  blocked = { address: 'many@example.org', mails: [] };
  const [team, other] = [await chancery.team(), await chancery.team()];
  try {
    await queue(20, 'many@example.org', team.id);
    await chancery.database.inTeam(team.id, async (tx) => {
      for (let n = 0; n < 20; n += 1) await queueMail(tx, { ...mail('many@example.org'), team: team.id, budgeted: true });
    });
    await worker();
    await eventually('connections of the team', () => (blocked?.mails.length ?? 0) >= 5);
    await queue(1, 'account@example.org', other.id);
    await chancery.database.inTeam(other.id, (tx) => queueMail(tx, { ...mail('task@example.org'), team: other.id, budgeted: true }));
    await eventually('both mails of the other team', () =>
      ['account', 'task'].every((one) => received.some(({ to }) => to === `${one}@example.org`)),
    );
  } finally {
    const releases = blocked.mails;
    blocked = undefined;
    for (const release of releases) release();
  }
});

test('all of a hundred teams with mails are served, despite waiting retries between them', async () => {
  await Promise.all(Array.from({ length: 100 }, (_, n) => queue(2, `p${n}@example.org`, randomUUID())));
  await chancery.pool.query(
    "UPDATE job SET state = 'waiting', due_at = now() + interval '1 hour' WHERE id IN (SELECT id FROM job ORDER BY id LIMIT 80)",
  );
  await worker();
  await eventually('all that are due', async () => (await mails()).filter(({ status }) => status === 'sent').length === 120);
  assert.equal(received.length, 120);
});

test('a mail whose attempts were all interrupted is failed and not sent again; a repeated mail has the same Message-ID', async () => {
  await queue(1, 'poison@example.org');
  await chancery.pool.query('UPDATE job SET attempts = 12, interruptions = 11');
  await worker();
  await eventually('its end', async () => (await mails())[0].status === 'failed');
  assert.deepEqual(received, []);
  assert.deepEqual(
    (await jobs()).map(({ state }) => state),
    ['failed'],
  );
  const retry = () => chancery.database.asSystem('retry', (tx) => tx.all(retryJobs, { id: null, name: 'mail', limit: 10 }));
  await retry();
  await eventually('once', async () => (await mails())[0].status === 'sent');
  // As if the node had died before it recorded that.
  await chancery.pool.query("UPDATE mail_message SET status = 'queued', text_body = 'Hello'");
  await chancery.pool.query(
    "INSERT INTO job (team_id, id, name, data, state, due_at) SELECT '00000000-0000-0000-0000-000000000000', id, 'mail', jsonb_build_object('mail', id), 'ready', now() FROM mail_message",
  );
  await eventually('twice', () => received.length === 2);
  assert.equal(new Set(received.map(({ messageId }) => messageId)).size, 1);
});
