import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { tokens } from '../src/platform/design/tokens.ts';
import { fillMail, mailAddresses } from '../src/platform/mail/compose.ts';
import { consolePages, settingsPages } from '../src/platform/mail/console-pages.ts';
import { createSmtpTransport, type MailTransport } from '../src/platform/mail/transport.ts';
import { type Chancery, sharedChancery } from './harness.ts';
import { isPage } from './mail-links.ts';
import { base, mailSamples, team } from './mail-samples.ts';

let server: SMTPServer;
let transport: MailTransport;
let chancery: Chancery;
const received = new Map<string, string>();
const addresses = mailAddresses({ BASE_URL: base });

before(async () => {
  chancery = await sharedChancery();
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

/** Returns the links of a mail: the text that readers see, and where they lead. `isButton`: drawn as a button. */
const linksOf = (html: string) =>
  [...html.matchAll(/<a\s([^>]*)>([^<]*)<\/a\s*>/g)].map(([, attributes = '', shown = '']) => ({
    shown: unescaped(shown).trim(),
    href: unescaped(/href="([^"]*)"/.exec(attributes)?.[1] ?? ''),
    isButton: attributes.includes('inline-block'),
  }));

const elements = ['html', 'head', 'meta', 'title', 'style', 'body', 'div', 'table', 'tr', 'td', 'h1', 'p', 'a', 'br', 'strong', 'bdi'];

describe('each mail arrives through a mail server', () => {
  for (const [what, { write, languages, page }] of Object.entries(mailSamples)) {
    test(`${what}: text and HTML have the same content, the button and full links in each language`, async () => {
      const written = new Set<string>();
      for (const language of languages) {
        const to = `${what.replaceAll(/\W+/g, '.')}.${language}@example.org`;
        const mail = fillMail(write(language), addresses, team);
        await transport.send({ ...mail, id: randomUUID(), to });
        const found = read(received.get(to) ?? '');
        assert.equal(found.subject, mail.subject);
        assert.equal(found.text, mail.text.trim());
        assert.match(found.text, new RegExp(`\n\n(?:Team|الفريق|チーム): ${team}$`), 'the name of the team');
        assert.match(found.html, new RegExp(`^<!doctype html>\\s*<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`));
        // Only tags of the templates, and no external or active content.
        for (const [, tag = ''] of found.html.matchAll(/<\/?([a-z]\w*)/gi)) assert.ok(elements.includes(tag), `<${tag}> in ${what}`);
        const shown = unescaped(
          found.html.replaceAll(/<\/?(?:a|bdi)\b[^>]*>/g, '').replaceAll(/<style>[^]*?<\/style>|<div[^]*?<\/div>|<[^>]+>/g, ' '),
        ).replaceAll(/\s+/g, ' ');
        for (const line of found.text.split('\n\n')) {
          const plain = line.replaceAll(/\s+/g, ' ');
          const [label = '', address = ''] = plain.split(/: (?=https:\S+$)/);
          assert.ok(shown.includes(plain) || (shown.includes(label) && found.html.includes(escaped(address))), `the HTML has “${plain}”`);
        }
        const links = linksOf(found.html);
        for (const { href } of links) assert.ok(found.text.includes(href), `the text part has ${href}`);
        const buttons = links.filter(({ isButton }) => isButton);
        assert.deepEqual(
          buttons.map(({ href }) => href),
          page === undefined ? [] : [`${base}${page}`],
        );
        const [button] = buttons;
        if (button) {
          assert.ok(found.text.split('\n\n').includes(`${button.shown}: ${button.href}`), 'the text part has the button');
          assert.ok(
            links.some(({ shown: address, href }) => address === href && href === button.href),
            'its address is visible',
          );
        }
        assert.doesNotMatch(`${found.subject}${found.text}`, /undefined|null|NaN|\[object|\$\{|\d{4}-\d\d-\d\dT|invalid/);
        assert.match(found.text, /^[^\p{Ll}]/u, 'a mail begins with a capital letter');
        assert.ok(found.subject.length > 5 && found.subject.length <= 200);
        assert.ok(!found.text.includes('secret=s'), 'only the host of a URL');
        written.add(found.text);
      }
      assert.equal(written.size, languages.length, 'the languages differ');
    });
  }
});

const escaped = (address: string) => address.replaceAll('&', '&amp;');

test('each button leads to a page', async () => {
  const bad: string[] = [];
  for (const page of new Set(Object.values(mailSamples).flatMap(({ page: one }) => one ?? [])))
    if (!(await isPage(`${chancery.url}${page}`))) bad.push(page);
  assert.deepEqual(bad, []);
});

/** Screens of the console that mails lead to and that do not exist yet. */
const planned = ['/bookings/*', '/forms/*', '/forms/*/submissions', '/agents/*', '/connections'];

test('each page for members is a page of the service, a screen of the console or a planned one', () => {
  const screens = globSync('console/src/screens/*/routes.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bpath: '([^']*)'/g)].map(([, path = '']) => path.replaceAll(/\$\w+/g, '*')),
  );
  assert.ok(screens.includes('/login'));
  const pages = ['/tasks/*', '/forgot-password'];
  const { settings, ...others } = consolePages;
  const linked = [
    ...settingsPages.map((one) => settings(one)),
    ...Object.values(others).map((page: (...ids: never[]) => string) => page(...(['*', '*'] as never[]))),
  ].map((address) => new URL(address).pathname);
  assert.deepEqual(
    linked.map((path) => path.replace('/app', '')).filter((path) => ![...screens, ...pages, ...planned].includes(path)),
    [],
  );
});

test('every file that writes mails is in the walk', () => {
  const walked = readFileSync('test/mail-samples.ts', 'utf8');
  const files = globSync('src/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && /\bcomposeMail\(/.test(readFileSync(file, 'utf8')) && !file.includes('platform/mail'),
  );
  assert.ok(files.length > 15);
  for (const file of files)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^export (?:function|const) (\w*Mail)\b/gm))
      assert.match(walked, new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '../${file}'`), `${name} of ${file}`);
});

test('the colours of mails are those of the design', () => {
  const used = readFileSync('src/platform/mail/layout.ts', 'utf8').match(/#[\da-f]{6}\b/g) ?? [];
  const known = (tokens.match(/#[\da-f]{3,6}\b/g) ?? []).map((one) => (one.length === 4 ? one.replaceAll(/[\da-f]/g, '$&$&') : one));
  assert.deepEqual(
    [...new Set(used)].filter((one) => !known.includes(one)),
    [],
  );
});
