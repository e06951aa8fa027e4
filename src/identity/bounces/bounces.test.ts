import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { nextMonday, openBookingWorld, plainCalendar } from '../../../test/bookings.ts';
import { type Chancery, startChancery, type TestTeam } from '../../../test/harness.ts';
import { publishForm } from '../../../test/published-forms.ts';
import { askToSign, outToSign, signatures } from '../../../test/signatures.ts';
import { type SmtpReceiver, startSmtpReceiver } from '../../../test/smtp-receiver.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { dropOldMail } from '../../platform/mail/jobs.ts';
import { queueMail } from '../../platform/mail/queue.ts';

const invitations = '/api/v1/team/invitations';
const members = '/api/v1/team/members';
const withoutCurl = spawnSync('curl', ['--url-query', 'a=b', '--version']).status !== 0 && 'this machine has no curl 7.87 or later';
const secret = randomBytes(16).toString('hex');
let chancery: Chancery;
let smtp: SmtpReceiver;
before(async () => {
  smtp = await startSmtpReceiver();
  chancery = await startChancery({
    settings: { SMTP_URL: smtp.url, BOUNCE_ADDRESS: 'bounces@mail.chancery.example', BOUNCE_TOKEN: secret, ALTCHA: 'off' },
  });
});
after(async () => {
  await chancery.stop();
  await smtp.close();
});

const newAddress = () => `bob.${randomBytes(5).toString('hex')}@acme.example`;
const invite = async (team: TestTeam, email: string): Promise<string> => {
  const made = await chancery.call('POST', invitations, { token: team.owner.token, body: { email, role: 'member' } });
  assert.equal(made.status, 201, made.text);
  return made.body.id;
};
const read = async (team: TestTeam, path: string) => (await chancery.call('GET', path, { token: team.owner.token })).body;
const stateOf = async (team: TestTeam, id: string) => (await read(team, `${invitations}/${id}`)).undeliverable;
const becomesUndeliverable = (team: TestTeam, id: string) =>
  eventually('the address to be undeliverable', async () => (await stateOf(team, id)) !== undefined);
const resend = async (team: TestTeam, id: string) => {
  await chancery.pool.query("UPDATE invitation SET sent_at = sent_at - interval '2 minutes' WHERE id = $1", [id]);
  const { status, text, body } = await chancery.call('POST', `${invitations}/${id}/resend`, { token: team.owner.token });
  assert.equal(status, 200, text);
  return body;
};
const events = async (team: TestTeam) =>
  (await chancery.pool.query("SELECT body FROM event WHERE team_id = $1 AND type = 'mail.undeliverable'", [team.id])).rows.map(
    ({ body }) => JSON.parse(body).data,
  );
/** Returns the envelope sender of the `n`th mail to an address, when it is recorded as sent. */
const senderOf = async (address: string, n = 1): Promise<string> => {
  const to = () => smtp.received.filter((mail) => mail.to.includes(address));
  await eventually(`mail ${n} to ${address}`, async () => {
    const { rows } = await chancery.pool.query("SELECT FROM mail_message WHERE recipient = $1 AND status = 'sent'", [address]);
    return to().length >= n && rows.length >= n;
  });
  return to()[n - 1]?.from ?? '';
};

/** A report as Postfix writes it. */
const reportOf = (address: string, action = 'failed', status = '5.1.1') =>
  [
    'From: MAILER-DAEMON@mx.acme.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="4F1A2.1796000000/mx.acme.example"',
    '',
    '--4F1A2.1796000000/mx.acme.example',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    "I'm sorry to have to inform you that your message could not be delivered.",
    '',
    '--4F1A2.1796000000/mx.acme.example',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.acme.example',
    'Arrival-Date: Mon, 30 Nov 2026 10:00:00 +0000 (UTC)',
    '',
    `Final-Recipient: rfc822; ${address}`,
    `Original-Recipient: rfc822;${address}`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; store.acme.example',
    `Diagnostic-Code: smtp; 550 ${status} <${address}>: Recipient address`,
    '    rejected: User unknown',
    '',
    '--4F1A2.1796000000/mx.acme.example',
    'Content-Type: text/rfc822-headers',
    '',
    'From: Chancery <no-reply@chancery.example>',
    'Subject: Hello',
    '',
    '--4F1A2.1796000000/mx.acme.example--',
    '',
  ].join('\r\n');
const send = (recipient: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${chancery.url}/api/v1/mail/bounces?recipient=${encodeURIComponent(recipient)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'message/rfc822', ...headers },
    body,
  });
const recorded = async (...report: Parameters<typeof send>) => {
  const answer = await send(...report);
  assert.equal(answer.status, 200, await answer.clone().text());
  return ((await answer.json()) as { recorded: boolean }).recorded;
};
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];

test('a recipient that the mail server rejects is undeliverable at once, for the team that sent the mail only', async () => {
  const [team, other] = [await chancery.team(), await chancery.team()];
  const email = newAddress();
  const theirs = await invite(other, email);
  await senderOf(email);
  smtp.unknown.add(email);
  const id = await invite(team, email);
  await becomesUndeliverable(team, id);
  const { since, ...state } = await stateOf(team, id);
  assert.deepEqual(state, { status: '5.1.1', diagnostic: '550 5.1.1 …: User unknown' });
  assert.ok(Math.abs(Date.parse(since) - Date.now()) < 120_000);
  const [listed] = await read(team, invitations);
  assert.deepEqual(listed.undeliverable, { since, ...state });
  assert.equal(await stateOf(other, theirs), undefined);
  assert.deepEqual(await events(other), []);
  const [event, ...more] = await events(team);
  assert.deepEqual([event.data, more], [{ ...state, resourceId: id }, []]);
  const journal = await chancery.call('GET', '/api/v1/security/audit?type=mail.undeliverable', { token: team.owner.token });
  assert.equal(journal.body.events.length, 1);
  assert.doesNotMatch(journal.text, /acme/);
});

test('a report about an accepted mail makes the address undeliverable, once', async () => {
  const team = await chancery.team();
  const email = newAddress();
  const id = await invite(team, email);
  const sender = await senderOf(email);
  assert.match(sender, /^bounces\+[a-z2-7]{45}@mail\.chancery\.example$/);
  assert.equal(await stateOf(team, id), undefined);
  assert.equal(await recorded(sender.toUpperCase(), reportOf(email)), true);
  await becomesUndeliverable(team, id);
  const { since: _since, ...state } = await stateOf(team, id);
  assert.deepEqual(state, { status: '5.1.1', diagnostic: '550 5.1.1 …: Recipient address rejected: User unknown' });
  for (let times = 0; times < 2; times += 1) assert.equal(await recorded(sender, reportOf(email)), false);
  assert.equal((await events(team)).length, 1);
  const { rows } = await chancery.pool.query('SELECT u::text AS row FROM undeliverable_address u WHERE team_id = $1', [team.id]);
  assert.deepEqual([rows.length, /acme/.test(rows[0].row)], [1, false], 'the address is not stored');
});

test('of 50 equal reports at once, one is recorded', async () => {
  const team = await chancery.team();
  const email = newAddress();
  await invite(team, email);
  const sender = await senderOf(email);
  const results = await Promise.all(Array.from({ length: 50 }, () => recorded(sender, reportOf(email))));
  assert.equal(results.filter(Boolean).length, 1);
});

test('an address that Chancery did not create is rejected', async () => {
  const team = await chancery.team();
  const email = newAddress();
  const id = await invite(team, email);
  const [, token = ''] = /\+(.*)@/.exec(await senderOf(email)) ?? [];
  const forged = [token.slice(0, -2) + (token.endsWith('aa') ? 'bb' : 'aa'), `${token}a`, token.slice(1), 'a'.repeat(45), ''];
  for (const one of forged) {
    const answer = await send(`bounces+${one}@mail.chancery.example`, reportOf(email));
    assert.deepEqual(await codeOf(answer), [422, 'bounce_address_invalid'], one);
  }
  assert.deepEqual(await codeOf(await send('bounces@mail.chancery.example', reportOf(email))), [422, 'bounce_address_invalid']);
  assert.equal(await stateOf(team, id), undefined);
});

test('the endpoint requires its token, a message, and at most 256 KiB', async () => {
  const team = await chancery.team();
  const email = newAddress();
  await invite(team, email);
  const sender = await senderOf(email);
  for (const authorization of ['', `Bearer ${secret.slice(1)}`, `Bearer ${team.owner.token}`]) {
    assert.deepEqual(await codeOf(await send(sender, reportOf(email), { authorization })), [401, 'invalid_token']);
  }
  assert.deepEqual(await codeOf(await send(sender, '{}', { 'content-type': 'application/json' })), [415, 'unsupported_media_type']);
  const large = `${reportOf(email)}${'x'.repeat(256 * 1024)}`;
  assert.deepEqual(await codeOf(await send(sender, large)), [413, 'payload_too_large']);
  assert.deepEqual(await events(team), []);
});

test('messages that report no failure have no effect', async () => {
  const team = await chancery.team();
  const email = newAddress();
  await invite(team, email);
  const sender = await senderOf(email);
  const nested = Array.from({ length: 2_000 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('');
  const costly = `Content-Type: multipart/report; boundary=a\r\n\r\n${'--a\r\n'.repeat(50_000)}`;
  const harmless = [
    reportOf(email, 'delayed', '4.4.1'),
    reportOf(email, 'delivered', '2.0.0'),
    'Subject: Out of office\r\nAuto-Submitted: auto-replied\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n',
    nested,
    costly,
    '',
  ];
  for (const message of harmless) assert.equal(await recorded(sender, message), false, message.slice(0, 100));
  assert.equal(await recorded(sender, reportOf(email)), true, 'the endpoint still works');
});

test('a resend clears the state, and a later report about the earlier mail has no effect', async () => {
  const team = await chancery.team();
  const email = newAddress();
  smtp.unknown.add(email);
  const id = await invite(team, email);
  await becomesUndeliverable(team, id);
  smtp.unknown.delete(email);
  assert.equal((await resend(team, id)).undeliverable, undefined);
  const first = await senderOf(email);
  await resend(team, id);
  const second = await senderOf(email, 2);
  assert.equal(await recorded(first, reportOf(email)), true, 'the mail has failed');
  await eventually('the job', async () => (await chancery.pool.query("SELECT FROM job WHERE name = 'mail-bounce'")).rows.length === 0);
  assert.equal(await stateOf(team, id), undefined);
  assert.equal(await recorded(second, reportOf(email)), true);
  await becomesUndeliverable(team, id);
  assert.equal((await events(team)).length, 2, 'each time the address becomes undeliverable');
});

test('the state of a member is visible to those who see the address, and accepting an invitation clears it', async () => {
  const team = await chancery.team();
  const email = newAddress();
  const id = await invite(team, email);
  assert.equal(await recorded(await senderOf(email), reportOf(email)), true);
  await becomesUndeliverable(team, id);
  const mail = smtp.received.find(({ to }) => to.includes(email))?.raw.replaceAll('=\r\n', '') ?? '';
  const [, token = ''] = /accept-invitation#token=(?:3D)?([\w-]{64})/.exec(mail) ?? [];
  const body = { token, firstName: 'Bob', lastName: 'Acme', password: 'a long unusual passphrase 7' };
  const joined = await chancery.call('POST', `${invitations}/accept`, { body });
  assert.equal(joined.status, 201, joined.text);
  const everyone: any[] = await read(team, members);
  const bob = everyone.find((one) => one.email === email);
  assert.deepEqual([bob.undeliverable, await stateOf(team, id)], [undefined, undefined]);

  const member = await chancery.user(team, { role: 'member' });
  const address = (await read(team, `${members}/${member.id}`)).email;
  smtp.unknown.add(address);
  const task = await chancery.call('POST', '/api/v1/tasks/', {
    token: team.owner.token,
    body: { title: 'Read this', assignedTo: member.id },
  });
  assert.equal(task.status, 201, task.text);
  await eventually('the member', async () => (await read(team, `${members}/${member.id}`)).undeliverable?.status === '5.1.1');
  const viewer = await chancery.user(team, { role: 'viewer' });
  const seen = await chancery.call('GET', `${members}/${member.id}`, { token: viewer.token });
  assert.deepEqual([seen.status, seen.body.email, seen.body.undeliverable], [200, undefined, undefined]);
  const event = (await events(team)).at(-1);
  assert.equal(event.data.userId, member.id);
});

test('the signer of a request shows the state, and a resend clears it', async () => {
  const team = await chancery.team();
  const email = newAddress();
  const request = await askToSign(chancery, team.owner, { signers: [{ email, name: 'Ada' }] });
  await outToSign(chancery, request.id);
  await chancery.database.inTeam(team.id, (tx) =>
    queueMail(tx, { to: email, team: team.id, budgeted: true, about: request.signers[0].id, subject: 'Sign', text: 'Sign', html: '' }),
  );
  assert.equal(await recorded(await senderOf(email), reportOf(email, 'failed', '5.2.1')), true);
  const signer = async () => (await read(team, `${signatures}/${request.id}`)).signers[0];
  await eventually('the signer', async () => (await signer()).undeliverable?.status === '5.2.1');
  assert.equal((await signer()).mail, 'failed');
  const [listed] = await read(team, `${signatures}/`);
  assert.equal(listed.signers[0].undeliverable.status, '5.2.1');
  await chancery.pool.query("UPDATE signature_signer SET sent_at = sent_at - interval '1 hour' WHERE email = $1", [email]);
  const again = await chancery.call('POST', `${signatures}/${request.id}/signers/${(await signer()).id}/resend`, {
    token: team.owner.token,
  });
  assert.deepEqual([again.status, again.body.signers[0].undeliverable], [200, undefined], again.text);
});

test('a booking shows the state of the visitor’s address', async () => {
  const team = await chancery.team();
  const email = newAddress();
  const form = { title: 'Consultation', type: 'form', fields: [{ id: 'name', type: 'text', label: 'Name' }] };
  const { id } = (await chancery.call('POST', '/api/v1/interfaces/', { token: team.owner.token, body: form })).body;
  await chancery.call('PUT', `/api/v1/interfaces/${id}/calendar`, { token: team.owner.token, body: plainCalendar });
  const world = await openBookingWorld(chancery, team.id);
  try {
    const { bookingId } = await world.book({ calendar: id, start: `${nextMonday()}T10:00:00.000Z`, visitor: { locale: 'en', email } });
    assert.equal(await recorded(await senderOf(email), reportOf(email)), true);
    const booking = () => read(team, `/api/v1/interfaces/${id}/bookings/${bookingId}`);
    await eventually('the booking', async () => (await booking()).undeliverable?.status === '5.1.1');
    assert.equal((await read(team, `/api/v1/interfaces/${id}/bookings`))[0].undeliverable.status, '5.1.1');
  } finally {
    await world.close();
  }
});

test('a submission shows the state of the visitor’s address until an erasure', async () => {
  const team = await chancery.team();
  const { token } = team.owner;
  const email = newAddress();
  const fields = [{ id: 'mail', type: 'email', label: 'Mail' }];
  const { id: form, publicToken } = await publishForm(chancery, team.owner, { title: 'Intake', fields, config: { receipt: true } });
  const body = { data: { mail: email.replace('bob', 'Bob') } };
  const sent = await chancery.call('POST', `/api/v1/interfaces/public/${publicToken}/submit`, { body });
  const submission = `/api/v1/interfaces/${form}/submissions/${sent.body.submissionId}`;
  assert.equal((await read(team, submission)).undeliverable, undefined);
  assert.equal(await recorded(await senderOf(email.replace('bob', 'Bob')), reportOf(email)), true);
  await eventually('the submission', async () => (await read(team, submission)).undeliverable?.status === '5.1.1');
  assert.equal((await read(team, `/api/v1/interfaces/${form}/submissions`))[0].undeliverable.status, '5.1.1');
  assert.equal((await chancery.call('DELETE', submission, { token })).status, 204);
  assert.equal((await read(team, submission)).undeliverable, undefined);
});

test('the script of the guide passes a report from a mail system to the endpoint', { skip: withoutCurl }, async () => {
  const team = await chancery.team();
  const email = newAddress();
  const id = await invite(team, email);
  const sender = await senderOf(email);
  const folder = await mkdtemp(join(tmpdir(), 'chancery-bounce-'));
  try {
    const token = join(folder, 'token');
    await writeFile(token, `Authorization: Bearer ${secret}\n`);
    const guide = await readFile('docs/operate/mail.md', 'utf8');
    const [, indented = ''] = /```sh\n( +#!\/bin\/sh\n[^]*?)```/.exec(guide) ?? [];
    const script = indented
      .replaceAll(/^ {3}/gm, '')
      .replace('/etc/postfix/chancery-token', token)
      .replace('https://chancery.example.com', chancery.url);
    const run = async (recipient: string, url = '') => {
      const shell = spawn('sh', ['-c', url === '' ? script : script.replace(chancery.url, url)], {
        env: { PATH: process.env.PATH, ORIGINAL_RECIPIENT: recipient },
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      shell.stdin.end(reportOf(email));
      return (await once(shell, 'exit'))[0];
    };
    assert.equal(await run(sender, 'http://127.0.0.1:9'), 75, 'Postfix tries again');
    assert.equal(await run(sender), 0);
    await becomesUndeliverable(team, id);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an address is cleared five days after it accepted a later mail', async () => {
  const team = await chancery.team();
  const email = newAddress();
  const id = await invite(team, email);
  assert.equal(await recorded(await senderOf(email), reportOf(email)), true);
  await becomesUndeliverable(team, id);
  const later = (days: number) => dropOldMail(chancery.database, new Date(Date.now() + days * 86_400_000));
  await later(6);
  assert.notEqual(await stateOf(team, id), undefined, 'no later mail');
  await chancery.pool.query(
    `INSERT INTO mail_message (id, team_id, recipient, subject, status, sent_at) VALUES (gen_random_uuid(), $1, $2, 'Later', 'sent', now())`,
    [team.id, email],
  );
  await later(4);
  assert.notEqual(await stateOf(team, id), undefined, 'a report can still come');
  await later(6);
  assert.equal(await stateOf(team, id), undefined);
});
