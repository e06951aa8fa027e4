import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';

type Reason = 'gone' | 'failing';

const drafts: Record<Language, (name: string, host: string, reason: Reason) => MailDraft> = {
  en: (name, host, reason) => ({
    subject: `Webhook endpoint “${name}” was switched off`,
    paragraphs: [
      `The webhook endpoint “${name}” at ${host} was switched off: ${
        reason === 'gone' ? 'it answered 410 Gone, which asks senders to stop' : 'nothing could be delivered to it for five days'
      }.`,
      'Events that happen meanwhile are not queued for it. Deliveries that wait are kept for 72 hours.',
      'When the receiver works again, set `isActive` to true (PATCH /api/v1/webhooks/{id}) and send what was missed with POST /api/v1/webhooks/{id}/recover.',
    ],
  }),
  de: (name, host, reason) => ({
    subject: `Der Webhook-Endpunkt „${name}“ wurde abgeschaltet`,
    paragraphs: [
      `Der Webhook-Endpunkt „${name}“ bei ${host} wurde abgeschaltet: ${
        reason === 'gone'
          ? 'Er hat mit 410 Gone geantwortet und damit um das Ende der Zustellungen gebeten'
          : 'Fünf Tage lang konnte ihm nichts zugestellt werden'
      }.`,
      'Ereignisse, die inzwischen eintreten, werden für ihn nicht vorgemerkt. Wartende Zustellungen bleiben 72 Stunden erhalten.',
      'Sobald der Empfänger wieder arbeitet, setzen Sie `isActive` auf true (PATCH /api/v1/webhooks/{id}) und senden Sie das Versäumte mit POST /api/v1/webhooks/{id}/recover nach.',
    ],
  }),
};

/** Tells the team's owner that an endpoint was switched off. The URL itself stays out: it may carry a secret. */
export function disabledMail(locale: string, endpoint: { name: string; url: string }, reason: Reason): MailText {
  const language = languageOf(locale);
  return composeMail(language, drafts[language](endpoint.name, new URL(endpoint.url).host, reason));
}
