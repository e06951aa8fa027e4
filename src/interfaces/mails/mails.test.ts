import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type Team, type User } from '../../../test/harness.ts';
import { type SmtpReceiver, startSmtpReceiver } from '../../../test/smtp-receiver.ts';
import { eventually } from '../../../test/webhook-receiver.ts';

const path = '/api/v1/interfaces';
let smtp: SmtpReceiver;
let chancery: Chancery;
let team: Team;
let maker: User;

before(async () => {
  smtp = await startSmtpReceiver();
  chancery = await startChancery({ settings: { SMTP_URL: smtp.url } });
  team = await chancery.team('Harbour & Lane. See evil.example');
  maker = await chancery.user(team);
});
after(async () => {
  await chancery.stop();
  await smtp.close();
});

const fields = [
  { id: 'what', type: 'text', label: 'What', required: true },
  { id: 'mail', type: 'email', label: 'Mail' },
];
type Form = { id: string; publicToken: string };

async function ok(method: string, at: string, { token }: User, body?: unknown) {
  const answer = await chancery.call(method, `${path}${at}`, { token, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}
async function formOf(members: object): Promise<Form> {
  const { id } = await ok('POST', '/', maker, { title: 'Intake', type: 'form', fields, ...members });
  return ok('POST', `/${id}/publish`, maker, { revision: 1 });
}
const send = ({ publicToken }: Form, data: object, headers: Record<string, string> = {}) =>
  chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data }, headers });
const query = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;

/** What a mail says, and its headers, whatever they are encoded as. */
function read({ raw, headers }: { raw: string; headers: string }): string {
  const parts = raw.split(/\r\n\r\n/).map((part) => {
    const compact = part.replaceAll(/\s/g, '');
    return /^[A-Za-z0-9+/]+=*(?:--.*)?$/.test(compact) ? Buffer.from(compact, 'base64').toString() : decodeQuoted(part);
  });
  const words = headers.replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
    kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString() : decodeQuoted(text.replaceAll('_', ' ')),
  );
  return `${words}\n${parts.join('\n')}`;
}
const decodeQuoted = (text: string): string => {
  const plain = text.replaceAll('=\r\n', '');
  return plain.replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());
};
const mailsTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address)).map(read);
const mailTo = (address: string, most = 1) =>
  eventually(`a mail to ${address}`, async () => {
    const found = mailsTo(address);
    assert.ok(found.length <= most, `${found.length} mails`);
    return found.length === most ? found : undefined;
  });
/** Has what waits for its time done now, as if that had passed. */
async function letTimePass() {
  await query("UPDATE interface_count SET told_at = told_at - interval '1 hour', failures_told_at = failures_told_at - interval '2 hours'");
  await query("UPDATE job SET due_at = now() WHERE name LIKE 'submission-%' AND state = 'waiting'");
}

test('those who are to hear of submissions do while they may read them: at once of the first, and then how many there were', async () => {
  const [reader, stranger, leaver] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  const form = await formOf({ config: { notify: [maker.id, reader.id, stranger.id, leaver.id] } });
  await ok('POST', `/${form.id}/shares`, maker, { userId: reader.id, rights: ['submissions'] });
  await query("UPDATE account SET status = 'disabled' WHERE id = $1", leaver.id);
  assert.equal((await send(form, { what: 'A secret concern' })).status, 200);
  const [first = ''] = await mailTo(reader.email);
  assert.match(first, /Subject: New submission: Intake/);
  assert.doesNotMatch(first, /secret/, 'no answers in mails');

  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => send(form, { what: `Concern ${n}` })));
  assert.ok(answers.every(({ status }) => status === 200));
  await eventually(
    'the news wait for their time',
    async () => (await query("SELECT FROM job WHERE name = 'submission-news' AND state = 'waiting'")).length > 0,
  );
  assert.equal(mailsTo(reader.email).length, 1);
  await letTimePass();
  const [, second = ''] = await mailTo(reader.email, 2);
  assert.match(second, /Subject: 50 new submissions: Intake/);
  assert.match(second, /51 in all/);
  await mailTo(maker.email, 2);
  assert.deepEqual([mailsTo(stranger.email), mailsTo(leaver.email)], [[], []]);
});

test('whoever has answered gets a receipt in their language, without a word of what they answered and without links', async () => {
  const form = await formOf({
    title: { en: 'Report evil.example', de: 'Meldung' },
    config: { receipt: true },
    publicSettings: { locale: 'en', locales: ['en', 'de'] },
  });
  const { body } = await send(form, { what: 'A secret concern', mail: 'visitor@example.org' }, { 'accept-language': 'de' });
  const [mail = ''] = await mailTo('visitor@example.org');
  assert.match(mail, /Subject: Eingegangen: Meldung/);
  assert.ok(mail.includes(body.submissionId), 'by the reference it is found again');
  assert.doesNotMatch(mail, /secret|evil\.example|https?:\/\/[^w]/, mail);
  assert.equal((await send(form, { what: 'Without an address' })).status, 200);
});

test('one address gets three receipts an hour, however many forms and submissions name it', async () => {
  const [form, other] = [await formOf({ config: { receipt: true } }), await formOf({ config: { receipt: true } })];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send(n % 2 ? form : other, { what: 'x', mail: 'Victim@example.org' })),
  );
  assert.ok(
    answers.every(({ status }) => status === 200),
    'the answers are taken all the same',
  );
  await eventually('all are dealt with', async () => (await query("SELECT FROM job WHERE name = 'submission-receipt'")).length === 0);
  await eventually('the mails are sent', async () => (await query("SELECT FROM mail_message WHERE status = 'queued'")).length === 0);
  assert.equal(smtp.received.filter(({ to }) => /victim/i.test(to.join())).length, 3);
});

test('no title and no address makes a header or another recipient', async () => {
  const form = await formOf({ title: 'Hello\r\nBcc: bcc@evil.example\r\n\r\nBody', config: { receipt: true, notify: [maker.id] } });
  for (const mail of [
    'a@example.org\r\nBcc: bcc@evil.example',
    'a@example.org, bcc@evil.example',
    '<bcc@evil.example> a@example.org',
    '"a b"@example.org',
  ])
    assert.equal((await send(form, { what: 'x', mail })).status, 422, mail);
  assert.equal((await send(form, { what: 'x', mail: 'injected@example.org' })).status, 200);
  await mailTo('injected@example.org');
  for (const { raw } of smtp.received) assert.doesNotMatch(raw, /^bcc:/im);
  assert.ok(smtp.received.every(({ to }) => !to.includes('bcc@evil.example')));
});

test('of what failed the owner hears once an hour, with what it was and of how many', async () => {
  const folder = await chancery.folder(maker, { name: 'Gone' });
  const form = await formOf({ title: 'Failing', config: { createsDocument: true, folderId: folder.id } });
  await chancery.call('DELETE', `/api/v1/smartdoc/folders/${folder.id}`, { token: maker.token });
  const known = mailsTo(maker.email).length;
  for (const what of ['A secret concern', 'Another']) assert.equal((await send(form, { what })).status, 200);
  const failed = () =>
    mailsTo(maker.email)
      .slice(known)
      .filter((mail) => /Something failed after submissions: Failing/.test(mail));
  await eventually('the owner is told', async () => failed().length === 1);
  assert.doesNotMatch(failed().join(), /secret/);
  await send(form, { what: 'A third' });
  await eventually(
    'it waits',
    async () => (await query("SELECT FROM job WHERE name = 'submission-failures' AND state = 'waiting'")).length === 1,
  );
  await letTimePass();
  await eventually('the owner is told of all', async () =>
    failed().some((mail) => /document: parent_not_found \(3 submissions\)/.test(mail)),
  );
  assert.equal(failed().length, 2);
});
