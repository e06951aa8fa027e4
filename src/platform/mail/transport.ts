import { createTransport } from 'nodemailer';

export type MailTransport = {
  /** Hands one mail to the server. Throws a {@link MailError}. */
  send(mail: { to: string; subject: string; text: string; html: string }): Promise<void>;
  close(): void;
};

/** A mail that was not taken. `permanent`: the server will never take it (5xx), so trying again is of no use. */
export class MailError extends Error {
  readonly permanent: boolean;
  constructor(message: string, permanent: boolean) {
    super(message);
    this.name = 'MailError';
    this.permanent = permanent;
  }
}

/** Sends by SMTP over kept connections. The URL's credentials appear in no error. */
export function createSmtpTransport(options: { smtpUrl: string; from: string }): MailTransport {
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
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
          text: mail.text,
          html: mail.html,
        });
      } catch (error) {
        const code = error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0;
        const kind = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
        throw new MailError(code ? `the mail server answered ${code}` : `the mail server could not be used (${kind})`, code >= 500);
      }
    },
    close: () => transport.close(),
  };
}
