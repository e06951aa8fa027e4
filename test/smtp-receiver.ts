import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** `from` is the envelope sender. */
export type ReceivedMail = { from: string; to: string[]; raw: string; headers: string };

/**
 * A mail server that accepts and stores every mail, except mails to the addresses of `later`, and of `unknown`, which it rejects permanently. `url`
 * is the value for SMTP_URL.
 */
export type SmtpReceiver = { url: string; received: ReceivedMail[]; later: Set<string>; unknown: Set<string>; close(): Promise<void> };

export async function startSmtpReceiver(): Promise<SmtpReceiver> {
  const received: ReceivedMail[] = [];
  const later = new Set<string>();
  const unknown = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      if (unknown.has(address)) done(Object.assign(new Error(`5.1.1 <${address}>: User unknown`), { responseCode: 550 }));
      else done(later.has(address) ? Object.assign(new Error('later'), { responseCode: 450 }) : undefined);
    },
    onData(stream, { envelope }, done) {
      const keep = (raw: string) => {
        const { mailFrom } = envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw,
          headers: raw.slice(0, raw.indexOf('\r\n\r\n')),
        });
        done();
      };
      text(stream).then(keep, done);
    },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    later,
    unknown,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
