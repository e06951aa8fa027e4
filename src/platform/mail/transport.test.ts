import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createSmtpTransport, maxMailConnections, MailError, type MailTransport } from './transport.ts';

type Received = { from: string; to: string[]; user: string | undefined; raw: string; connection: string };

const closing: (() => Promise<void> | void)[] = [];
after(async () => {
  for (const close of closing) await close();
});

const mail = {
  id: '0192f3c1-a8b9-7c3d-8e4f-5a6b7c8d9e0f',
  to: 'ada@example.org',
  subject: 'Your code',
  text: 'Your code is 123456.',
  html: '<p>Your code is <b>123456</b>.</p>',
};

/** Starts an SMTP server that stores accepted mails. */
async function startServer(options: SMTPServerOptions = {}): Promise<{ port: number; received: Received[]; server: SMTPServer }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const keep = (raw: string) => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === 'string' ? session.user : undefined,
          raw,
          connection: session.id,
        });
        done();
      };
      text(stream).then(keep, done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, received, server };
}

function transportTo(smtpUrl: string, options: { connectMs?: number; silenceMs?: number } = {}): MailTransport {
  const transport = createSmtpTransport({ smtpUrl, from: 'Chancery <no-reply@chancery.example>', ...options });
  closing.unshift(() => transport.close());
  return transport;
}

const answering = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

async function failure(sending: Promise<void>): Promise<MailError> {
  const error = await sending.then(
    () => assert.fail('the mail was sent'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof MailError, String(error));
  return error;
}

describe('a mail', () => {
  test('arrives with both bodies, its sender and the mark of automatic mail', async () => {
    const { port, received } = await startServer();
    await transportTo(`smtp://127.0.0.1:${port}`).send(mail);
    const [one] = received;
    assert.ok(one && received.length === 1);
    assert.deepEqual([one.from, one.to], ['no-reply@chancery.example', ['ada@example.org']]);
    assert.match(one.raw, /^From: Chancery <no-reply@chancery\.example>\r$/m);
    assert.match(one.raw, /^To: (<)?ada@example\.org>?\r$/m);
    assert.match(one.raw, /^Subject: Your code\r$/m);
    assert.match(one.raw, /^Auto-Submitted: auto-generated\r$/m);
    assert.match(one.raw, /^Message-ID: <0192f3c1-a8b9-7c3d-8e4f-5a6b7c8d9e0f@chancery\.example>\r$/m);
    assert.match(one.raw, /^Content-Type: multipart\/alternative;/m);
    assert.ok(one.raw.includes(mail.text) && one.raw.includes(mail.html));
  });

  test('without an HTML body is plain text', async () => {
    const { port, received } = await startServer();
    await transportTo(`smtp://127.0.0.1:${port}`).send({ ...mail, html: '' });
    assert.match(received[0]?.raw ?? '', /^Content-Type: text\/plain; charset=utf-8\r$/m);
  });

  test('with letters of any script arrives complete', async () => {
    const { port, received } = await startServer();
    await transportTo(`smtp://127.0.0.1:${port}`).send({ ...mail, subject: 'Ваш код — 確認 🔑', text: 'Grüße\n.\nein Punkt allein' });
    const raw = received[0]?.raw ?? '';
    const subject = raw.replaceAll(/\r\n /g, ' ').match(/^Subject: (.*)\r$/m)?.[1] ?? '';
    const words = [...subject.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi)].map(([, encoding = '', word = '']) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64')
        : Buffer.from(
            word
              .replaceAll('_', ' ')
              .replaceAll(/=([0-9A-F]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ),
    );
    assert.equal(Buffer.concat(words).toString(), 'Ваш код — 確認 🔑');
    assert.ok(raw.includes('ein Punkt allein'));
  });

  test('shares a few connections with 50 others', async () => {
    const { port, received } = await startServer();
    const transport = transportTo(`smtp://127.0.0.1:${port}`);
    await Promise.all(Array.from({ length: 50 }, (_, n) => transport.send({ ...mail, to: `p${n}@example.org` })));
    assert.equal(new Set(received.flatMap(({ to }) => to)).size, 50);
    assert.ok(new Set(received.map(({ connection }) => connection)).size <= maxMailConnections);
  });
});

describe('input of a caller', { concurrency: true }, () => {
  test('cannot add headers to the mail', async () => {
    const { port, received } = await startServer();
    const transport = transportTo(`smtp://127.0.0.1:${port}`);
    for (const end of ['\r\n', '\n', '\r', '\u2028', '\0\r\n'])
      await transport.send({ ...mail, subject: `Hello${end}Bcc: eve@example.org${end}${end}body` });
    assert.equal(received.length, 5);
    for (const { raw, to } of received) {
      assert.deepEqual(to, ['ada@example.org']);
      assert.doesNotMatch(raw, /^bcc:/im);
      assert.match(raw, /^Subject: .*Bcc/m);
    }
  });

  const addresses = [
    'ada@example.org\r\nBcc: eve@example.org',
    'ada@example.org\nRCPT TO:<eve@example.org>',
    'ada@example.org>\r\nDATA',
    'ada@example.org, eve@example.org',
    'ada@example.org eve@example.org',
    'Ada <ada@example.org>, Eve <eve@example.org>',
    'group: eve@example.org;',
    '',
  ];
  for (const to of addresses) {
    test(`is not sent to the recipient ${JSON.stringify(to)}`, async () => {
      const { port, received } = await startServer();
      const transport = transportTo(`smtp://127.0.0.1:${port}`);
      const error = await failure(transport.send({ ...mail, to }));
      assert.equal(error.permanent, true);
      assert.ok(!error.message.includes('eve@'));
      assert.deepEqual(received, []);
      await transport.send(mail);
    });
  }

  test('cannot read files or URLs', async () => {
    const { port, received } = await startServer();
    await failure(transportTo(`smtp://127.0.0.1:${port}`).send({ ...mail, html: { path: '/etc/hostname' } as unknown as string }));
    assert.deepEqual(received, []);
  });
});

describe('the login', () => {
  const auth: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      if (username === 'chancery' && password === 'p@ss/w:rd') done(null, { user: username });
      else done(answering(535, '5.7.8 not with p@ss/w:rd'));
    },
  };

  test('uses the user and password of the URL', async () => {
    const { port, received } = await startServer(auth);
    await transportTo(`smtp://chancery:${encodeURIComponent('p@ss/w:rd')}@127.0.0.1:${port}`).send(mail);
    assert.equal(received[0]?.user, 'chancery');
  });

  test('that is rejected shows no password and is not permanent', async () => {
    const { port } = await startServer(auth);
    for (const url of [`smtp://chancery:wrong-secret@127.0.0.1:${port}`, `smtp://127.0.0.1:${port}`]) {
      const error = await failure(transportTo(url).send(mail));
      assert.equal(error.permanent, false);
      assert.doesNotMatch(error.message + String(error.stack) + JSON.stringify(error), /wrong-secret|p@ss/);
      assert.equal(error.cause, undefined);
    }
  });
});

describe('a response of the server', { concurrency: true }, () => {
  const cases: [string, SMTPServerOptions, boolean, RegExp][] = [
    [
      '4xx to the recipient: retry',
      { onRcptTo: (_to, _s, done) => done(answering(451, '4.7.1 greylisted')) },
      false,
      /responded 451 4\.7\.1 to RCPT TO$/,
    ],
    [
      '5xx to the recipient: permanent',
      { onRcptTo: (_to, _s, done) => done(answering(550, '5.1.1 no ada@example.org here')) },
      true,
      /responded 550 5\.1\.1 to RCPT TO$/,
    ],
    [
      '5xx to the sender: an error of the settings',
      { onMailFrom: (_from, _s, done) => done(answering(550, '5.7.1 not yours')) },
      false,
      /responded 550 5\.7\.1 to MAIL FROM$/,
    ],
    [
      '4xx to the content: retry',
      { onData: (stream, _s, done) => stream.resume().on('end', () => done(answering(452, '4.3.1 full'))) },
      false,
      /responded 452 4\.3\.1 to DATA$/,
    ],
    [
      '5xx to the content: permanent',
      { onData: (stream, _s, done) => stream.resume().on('end', () => done(answering(554, 'spam'))) },
      true,
      /responded 554 to DATA$/,
    ],
    [
      'an unknown status to the content: retry',
      { onData: (stream, _s, done) => stream.resume().on('end', () => done(answering(999, 'what'))) },
      false,
      /responded 999 to DATA$/,
    ],
    [
      '5xx as a greeting: an error of the settings',
      { onConnect: (_s, done) => done(answering(554, 'go away')) },
      false,
      /responded 554 to CONN$/,
    ],
  ];
  for (const [name, options, permanent, message] of cases) {
    test(name, async () => {
      const { port } = await startServer(options);
      const error = await failure(transportTo(`smtp://127.0.0.1:${port}`).send(mail));
      assert.match(error.message, message);
      assert.equal(error.permanent, permanent);
      assert.doesNotMatch(error.message, /ada@/);
    });
  }

  test('to one mail does not stop the next', async () => {
    const { port, received } = await startServer({
      onRcptTo: ({ address }, _session, done) => (address.startsWith('gone') ? done(answering(550, '5.1.1 no such user')) : done()),
    });
    const transport = transportTo(`smtp://127.0.0.1:${port}`);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => transport.send({ ...mail, to: `${n % 2 === 0 ? 'gone' : 'here'}${n}@example.org` })),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 10);
    assert.equal(received.length, 10);
  });
});

/** Starts a server that accepts connections but does not speak SMTP. */
async function startSilent(talk: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
    talk(socket);
  });
  const sockets = new Set<Socket>();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('an unavailable server', () => {
  const quick = { connectMs: 300, silenceMs: 400 };

  test('rejects the connection: retry', async () => {
    const { port, server } = await startServer();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    const error = await failure(transportTo(`smtp://user:secret@127.0.0.1:${port}`).send(mail));
    assert.deepEqual([error.permanent, error.message], [false, 'the mail server is unavailable (ESOCKET)']);
  });

  test('accepts the connection and is silent: timeout', async () => {
    const port = await startSilent(() => undefined);
    const error = await failure(transportTo(`smtp://127.0.0.1:${port}`, { connectMs: 300 }).send(mail));
    assert.equal(error.permanent, false);
    assert.match(error.message, /ETIMEDOUT/);
  });

  test('greets and then hangs: timeout, also for other mails', async () => {
    const port = await startSilent((socket) => socket.write('220 slow.example ESMTP\r\n'));
    const transport = transportTo(`smtp://127.0.0.1:${port}`, quick);
    const errors = await Promise.all(Array.from({ length: 8 }, () => failure(transport.send(mail))));
    assert.ok(errors.every((error) => !error.permanent));
  });

  test('disconnects during a mail: retry, with a bounded number of internal attempts', async () => {
    let connections = 0;
    const port = await startSilent((socket) => {
      connections += 1;
      socket.end('220 gone.example ESMTP\r\n');
    });
    const error = await failure(transportTo(`smtp://127.0.0.1:${port}`, quick).send(mail));
    assert.equal(error.permanent, false);
    assert.ok(connections >= 1 && connections < 20);
  });
});

test('a sender without an email address is rejected at the start', () => {
  for (const from of ['', 'no-reply', 'Chancery <>', '@example.org', 'no reply @ example.org', 'a\r\n@x']) {
    assert.throws(() => createSmtpTransport({ smtpUrl: 'smtp://127.0.0.1:9', from }), /must contain an email address, such as/);
  }
});
