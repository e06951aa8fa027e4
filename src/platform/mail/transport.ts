import { createTransport } from 'nodemailer';
import type { BounceAddresses } from './bounce-addresses.ts';
import { rejectionOf } from './rejection.ts';
import type { Rejection } from './undeliverable-queries.ts';

export type MailTransport = {
  /** Sends one mail to the server. `id` forms the Message-ID, so that duplicates can be detected. Throws a {@link MailError}. */
  send(mail: { id: string; to: string; subject: string; text: string; html: string }): Promise<void>;
  /** Connects and authenticates without sending. Throws a {@link MailError}. */
  verify(): Promise<void>;
  close(): void;
};

/**
 * Thrown if the server did not accept a mail. `permanent` means that retries are useless: a 5xx for the recipient or the content, or an invalid
 * address. A 5xx for the login, the sender or the connection is a configuration error that the operator can fix, so it is not permanent.
 */
export class MailError extends Error {
  readonly permanent: boolean;
  /** The permanent rejection of the recipient; undefined for a rejected content. */
  readonly rejection: Rejection | undefined;
  constructor(message: string, permanent: boolean, rejection?: Rejection) {
    super(message);
    this.name = 'MailError';
    this.permanent = permanent;
    this.rejection = rejection;
  }
}

/** The members that the mail library adds to its errors. */
type Failure = { message?: unknown; code?: unknown; command?: unknown; responseCode?: unknown; response?: unknown };

function mailError(failure: Failure): MailError {
  const command = typeof failure.command === 'string' ? failure.command : 'API';
  if (typeof failure.responseCode === 'number') {
    // Only the enhanced status code (RFC 3463) is kept; the text after it can contain names.
    const [status = ''] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(String(failure.response)) ?? [];
    const answer = [failure.responseCode, ...(status === '' ? [] : [status])].join(' ');
    const permanent = Math.floor(failure.responseCode / 100) === 5 && ['RCPT TO', 'DATA'].includes(command);
    const rejection = permanent && command === 'RCPT TO' ? rejectionOf(String(failure.response), status) : undefined;
    return new MailError(`the mail server responded ${answer} to ${command.replace(/^AUTH .*/, 'AUTH')}`, permanent, rejection);
  }
  if (failure.code === 'EENVELOPE') {
    const message = 'the recipient is not a valid email address';
    return new MailError(message, true, rejectionOf(message, '5.1.3'));
  }
  return new MailError(`the mail server is unavailable (${typeof failure.code === 'string' ? failure.code : 'unknown'})`, false);
}

/**
 * Number of connections of a node to the mail server. Mail jobs have the same concurrency, so that no mail waits for a connection behind mails of
 * other teams.
 */
export const maxMailConnections = 10;

/**
 * Creates a transport that sends by SMTP over pooled connections. Errors never contain the credentials of the URL. A silent server is disconnected
 * after
 * `connectMs`, or after `silenceMs` during a session (milliseconds).
 */
export function createSmtpTransport(options: {
  smtpUrl: string;
  from: string;
  /** The envelope senders; without them the sender is `from`. */
  bounces?: BounceAddresses | undefined;
  connectMs?: number;
  silenceMs?: number;
}): MailTransport {
  // The library would send a mail without a sender, which most servers reject.
  if (!/[^\s@<>]@[^\s@<>]/.test(options.from)) {
    throw new Error('MAIL_FROM must contain an email address, such as `Chancery <no-reply@example.org>`.');
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
          // Suppresses automatic replies (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
          // Reports of failure (RFC 3461) without the body of the mail, which can contain codes and links.
          ...(options.bounces && {
            envelope: { from: options.bounces.of(mail.id), to: mail.to },
            dsn: { id: mail.id, return: 'headers', notify: 'failure' },
          }),
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
