import { composeMail, type MailText } from '../platform/mail/compose.ts';

const reasons = {
  gone: 'it answered 410 Gone, which asks senders to stop',
  failing: 'nothing could be delivered to it for five days',
} as const;

/** Tells the team's owner that an endpoint was switched off. The URL itself stays out: it may carry a secret. */
export function disabledMail(endpoint: { name: string; url: string }, reason: keyof typeof reasons): MailText {
  const { host } = new URL(endpoint.url);
  const text = [
    `The webhook endpoint “${endpoint.name}” at ${host} was switched off: ${reasons[reason]}.`,
    'Events that happen meanwhile are not queued for it. Deliveries that wait are kept for 72 hours.',
    'When the receiver works again, set `isActive` to true (PATCH /api/v1/webhooks/{id}) and send what was missed with POST /api/v1/webhooks/{id}/recover.',
  ];
  return composeMail('en', { subject: `Webhook endpoint “${endpoint.name}” was switched off`, paragraphs: text });
}
