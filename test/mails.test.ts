import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import type { AccountMails } from '../src/identity/accounts/mail-texts.ts';
import { accountMail } from '../src/identity/accounts/mails.ts';
import { fillMail, type Language, languages, type MailText } from '../src/platform/mail/compose.ts';
import { createSmtpTransport, type MailTransport } from '../src/platform/mail/transport.ts';
import { barrierMail } from '../src/records/folders/mails.ts';
import { assignedMail, barrierChangedMail, digestMail, escalatedMail, overdueMail } from '../src/work/tasks/mails.ts';
import { endedMail, endsSoonMail, invitationMail, partingMail } from '../src/identity/teams/mails.ts';
import { disabledMail } from '../src/automation/webhooks/mails.ts';
import { notificationMail } from '../src/work/workflows/mails.ts';

let server: SMTPServer;
let transport: MailTransport;
const received = new Map<string, string>();

before(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, { envelope }, done) {
      const keep = (raw: string) => {
        for (const { address } of envelope.rcptTo) received.set(address, raw);
        done();
      };
      text(stream).then(keep, done);
    },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.server.address() as AddressInfo;
  transport = createSmtpTransport({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Chancery <no-reply@chancery.example>' });
});
after(async () => {
  transport.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const link = 'https://chancery.example/reset-password#token=abc-_123';
const [name, team] = ['Zoë <b>&"O’Neil"', 'Müller & Söhne <Wien>'];

/** The parameters of each account mail. Every new mail must be added here. */
const parts: { [Kind in keyof AccountMails]: Parameters<AccountMails[Kind]>[] } = {
  verification: [
    [name, '123456', 600],
    [name, '123456', 1],
  ],
  alreadyRegistered: [['https://chancery.example']],
  passwordReset: [[name, link, 1_800]],
  passwordChanged: [[name]],
  sessionEnded: [[name]],
  newDevice: [[name, 'Firefox <x>', '2026-11-21T10:00:00.000Z']],
  twoFactorOn: [[name]],
  twoFactorOff: [[name]],
  appOff: [[name]],
  passkeyAdded: [[name, 'Phone & Co']],
  passkeyRemoved: [
    [name, 'Phone', 'password alone'],
    [name, 'Phone', 'second factor left'],
  ],
  appConnected: [[name, 'Assistant <b>', 'claude.example', 'https://chancery.example']],
  identityLinked: [[name, 'login.example']],
  identityRemoved: [
    [name, 'login.example', 'person'],
    [name, 'login.example', 'administrator'],
  ],
  identityRejected: [[name, 'login.example']],
  memberIdentityRejected: [[name, 'login.example']],
  backupCodeUsed: [
    [name, 9],
    [name, 1],
  ],
  orphaned: [
    [
      name,
      {
        person: 'Ann & Co <b>',
        why: 'gone',
        made: [
          { kind: 'client', name: 'Import <1>', now: 'waits' },
          { kind: 'client', name: 'Reader', now: 'goes on' },
          { kind: 'connection', name: 'https://login.example', now: 'goes on' },
          { kind: 'invitation', name: 'new@example.org', now: 'ended' },
        ],
      },
    ],
    [name, { person: 'Ann', why: 'reset', made: [{ kind: 'endpoint', name: 'Hook', now: 'goes on' }] }],
  ],
  guessing: [
    [name, 'password'],
    [name, 'codes'],
    [name, 'codes stopped'],
  ],
  emailChange: [[name, '654321', 90]],
  emailChangeNotice: [[name]],
  emailChanged: [[name]],
  ownershipGiven: [[name]],
  ownershipTaken: [[name]],
  accountDeleted: [[name]],
};

const endpoint = { name: 'Hook & <1>', url: 'https://hooks.example/in?secret=s' };
/** Renders every mail of the service, by name. */
const mails: Record<string, (language: Language) => MailText> = Object.fromEntries([
  ...Object.entries(parts).flatMap(([kind, all]) =>
    (all as unknown[][]).map((given, n) => [
      `${kind}${n === 0 ? '' : ` ${n + 1}`}`,
      (language: Language) => accountMail(language, kind as keyof AccountMails, ...(given as [never])),
    ]),
  ),
  ...(['admin', 'member', 'viewer', 'guest', 'auditor'] as const).map((role) => [
    `invitation as ${role}`,
    (language: Language) =>
      invitationMail(language, {
        team,
        role,
        endsAt: role === 'guest' ? '2026-06-01T10:00:00.000Z' : null,
        zone: 'UTC',
        by: name,
        link,
        lives: 259_200,
      }),
  ]),
  [
    'invitation by a client',
    (language: Language) =>
      invitationMail(language, { team, role: 'member', endsAt: null, zone: 'UTC', by: undefined, link, lives: 3_600 }),
  ],
  ['guest ended', (language: Language) => endedMail(language, name, team)],
  ...(['guest', 'sponsor'] as const).map((to) => [
    `end of a guest, to the ${to}`,
    (language: Language) => endsSoonMail(language, { team, guest: name, endsAt: '2026-06-01T10:00:00.000Z', zone: 'UTC' }, to),
  ]),
  ...(['removed', 'left'] as const).map((why) => [why, (language: Language) => partingMail(language, why, name, team)]),
  ...(['requested', 'granted', 'succeeded'] as const).map((kind) => [
    `barrier ${kind}`,
    (language: Language) => barrierMail(kind, language, { who: name, folder: 'Merger <A&B>', reason: 'An erasure request' }),
  ]),
  ...(['gone', 'failing'] as const).map((why) => [`endpoint ${why}`, (language: Language) => disabledMail(language, endpoint, why)]),
  [
    'notification',
    (language: Language) =>
      notificationMail(language, 'Review <1>', [{ name: 'Sign & send', description: 'See https://files.example/a?b=1&c=2' }]),
  ],
  ...(
    [
      ['assigned', assignedMail, [{ id: '01999999-0000-7000-8000-000000000000', title: 'Review <b> & https://files.example/a?b=1' }], 1],
      [
        'assigned several',
        assignedMail,
        [
          { id: 'a', title: 'One' },
          { id: 'b', title: 'Two' },
        ],
        3,
      ],
      ['digest', digestMail, [{ id: 'a', title: 'One' }], 5],
      ['overdue', overdueMail, [{ id: 'a', title: 'One' }], 5],
      ['unassigned by a barrier', barrierChangedMail, [{ id: 'a', title: 'One' }], 1],
      ['several unassigned by a barrier', barrierChangedMail, [{ id: 'a', title: 'One' }], 3],
      ['overdue still', escalatedMail, [{ id: 'a', title: 'One' }], 1],
      ['digest of one', digestMail, [{ id: 'a', title: 'One' }], 1],
    ] as const
  ).map(([what, write, named, count]) => [`tasks ${what}`, (language: Language) => write(language, { named, count })]),
  ['notification without a name', (language: Language) => notificationMail(language, 'Review', [{ name: null, description: null }])],
]);

/** The mails with one main link. */
const withButton = new Set([
  'passwordReset',
  ...['admin', 'member', 'viewer', 'guest', 'auditor'].map((role) => `invitation as ${role}`),
  'invitation by a client',
  ...['assigned', 'overdue still', 'digest of one'].map((what) => `tasks ${what}`),
]);

const bytesOf = (quoted: string) =>
  Buffer.from(
    quoted.replaceAll(/=([0-9A-F]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Returns the subject and the two bodies as a mail program reads them. */
function read(raw: string): { subject: string; text: string; html: string } {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? 'none';
  const bodyOf = (type: string) => {
    const part = raw.split(`--${boundary}`).find((one) => one.includes(`Content-Type: ${type}`)) ?? '';
    const at = part.indexOf('\r\n\r\n');
    const body = part.slice(at + 4);
    const encoding = /Content-Transfer-Encoding: ([\w-]+)/i.exec(part.slice(0, at))?.[1];
    const bytes =
      encoding === 'base64'
        ? Buffer.from(body, 'base64')
        : encoding === 'quoted-printable'
          ? bytesOf(body.replaceAll(/=\r\n/g, ''))
          : Buffer.from(body);
    return bytes.toString().replaceAll('\r\n', '\n').trim();
  };
  const subject = /^Subject: ([^]*?)\r\n(?! )/m.exec(head + '\r\n')?.[1] ?? '';
  const words = subject.replaceAll(/\r\n /g, ' ').replaceAll(/\?= =\?/g, '?==?');
  return {
    subject: words.replaceAll(/(?:=\?UTF-8\?[QB]\?[^?]*\?=)+/gi, (run) =>
      Buffer.concat(
        [...run.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi)].map(([, encoding = '', word = '']) =>
          encoding.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : bytesOf(word.replaceAll('_', ' ')),
        ),
      ).toString(),
    ),
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
  };
}

const unescaped = (html: string) =>
  html.replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('each mail arrives through a mail server', () => {
  for (const [what, write] of Object.entries(mails)) {
    test(`${what}: text and HTML have the same content and full links in each language`, async () => {
      const written = new Set<string>();
      for (const language of languages) {
        const to = `${what.replaceAll(/\W+/g, '.')}.${language}@example.org`;
        const mail = fillMail(write(language), { baseUrl: 'https://chancery.example' }, team);
        await transport.send({ ...mail, id: randomUUID(), to });
        const found = read(received.get(to) ?? '');
        assert.equal(found.subject, mail.subject);
        assert.equal(found.text, mail.text.trim());
        assert.ok(found.text.endsWith(`\n\nTeam: ${team}`), 'the name of the team');
        assert.match(found.html, new RegExp(`^<!doctype html>\\s*<html lang="${language}">`));
        // Only tags of the templates, no external or active content, and no link without its written address.
        for (const [, tag = ''] of found.html.matchAll(/<\/?([a-z]+)/gi))
          assert.ok(['html', 'body', 'p', 'a', 'strong', 'table', 'tr', 'td'].includes(tag), `<${tag}> in ${what}`);
        const paragraphs = [...found.html.matchAll(/<p>([^]*?)<\/p>/g)].map(([, inner = '']) =>
          unescaped(inner.replaceAll(/<[^>]+>/g, '')),
        );
        assert.equal(paragraphs.join('\n\n'), found.text);
        const links = [...found.html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)];
        for (const [, href, shown] of links) assert.equal(shown, href);
        const buttons = [...found.html.matchAll(/<a href="([^"]*)" style=/g)].map(([, href = '']) => unescaped(href));
        assert.deepEqual(
          buttons.filter((href) => !found.text.includes(href)),
          [],
          'the address of a button is also written as text',
        );
        assert.deepEqual(
          links.map(([, href = '']) => unescaped(href)),
          found.text.match(/https?:\/\/\S+[\w/=-]/g) ?? [],
        );
        assert.equal(buttons.length > 0, withButton.has(what), 'a mail with one main link has a button');
        assert.doesNotMatch(`${found.subject}${found.text}`, /undefined|null|NaN|\[object|\$\{/);
        assert.ok(found.subject.length > 5 && found.subject.length <= 200);
        assert.ok(!found.text.includes('secret=s'), 'only the host of a URL');
        written.add(found.text);
      }
      assert.equal(written.size, languages.length, 'the languages differ');
    });
  }
});
