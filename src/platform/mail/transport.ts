import { createTransport } from 'nodemailer';

export type MailTransport = {
  /** Hands one mail to the server. `id` makes its Message-ID: one that is sent twice can be told. Throws a {@link MailError}. */
  send(mail: { id: string; to: string; subject: string; text: string; html: string }): Promise<void>;
  /** Connects and signs in, and sends nothing. Throws a {@link MailError}. */
  verify(): Promise<void>;
  close(): void;
};

/**
 * A mail that was not taken. `permanent`: this mail will never be taken, so trying again is of no use. That is a 5xx for the
 * recipient or the content, or an address that is none. A server that refuses us (the login, the sender, the connection) is a
 * matter of settings, which an operator mends: its 5xx is not permanent for the mails that wait.
 */
export class MailError extends Error {
  readonly permanent: boolean;
  constructor(message: string, permanent: boolean) {
    super(message);
    this.name = 'MailError';
    this.permanent = permanent;
  }
}

/** What the transport library adds to its errors. */
type Failure = { message?: unknown; code?: unknown; command?: unknown; responseCode?: unknown; response?: unknown };

function mailError(failure: Failure): MailError {
  const command = typeof failure.command === 'string' ? failure.command : 'API';
  if (typeof failure.responseCode === 'number') {
    // The enhanced status (RFC 3463) says what is wrong; the text after it may name people.
    const [status = ''] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(String(failure.response)) ?? [];
    const answer = [failure.responseCode, ...(status === '' ? [] : [status])].join(' ');
    const permanent = Math.floor(failure.responseCode / 100) === 5 && ['RCPT TO', 'DATA'].includes(command);
    return new MailError(`the mail server answered ${answer} to ${command.replace(/^AUTH .*/, 'AUTH')}`, permanent);
  }
  if (failure.code === 'EENVELOPE') return new MailError('the recipient is not an address that mail can be sent to', true);
  return new MailError(`the mail server could not be used (${typeof failure.code === 'string' ? failure.code : 'unknown'})`, false);
}

/**
 * The connections of one node to the mail server. The jobs that send mails start no more than this: a mail that waited for a connection would
 * wait behind mails of another team.
 */
export const maxMailConnections = 10;

/**
 * Sends by SMTP over kept connections. The URL's credentials appear in no error. A server that does not answer is given up after
 * `connectMs`, and after `silenceMs` within a conversation (milliseconds).
 */
export function createSmtpTransport(options: { smtpUrl: string; from: string; connectMs?: number; silenceMs?: number }): MailTransport {
  // The library would send a mail without a sender, which most servers refuse.
  if (!/[^\s@<>]@[^\s@<>]/.test(options.from)) {
    throw new Error('The sender of mails must be an address, such as `Chancery <no-reply@example.org>`.');
  }
  const [, domain = ''] = /@([^\s@<>]+)/.exec(options.from) ?? [];
  const connectMs = options.connectMs ?? 10_000;
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: maxMailConnections,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: options.silenceMs ?? 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail({
          from: options.from,
          to: { name: '', address: mail.to },
          subject: mail.subject,
          messageId: `<${mail.id}@${domain}>`,
          text: mail.text,
          html: mail.html,
          // Automatic replies to it are not wanted (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw mailError(error instanceof Error ? error : {});
      }
    },
    async verify() {
      try {
        await transport.verify();
      } catch (error) {
        throw mailError(error instanceof Error ? error : {});
      }
    },
    close: () => transport.close(),
  };
}
