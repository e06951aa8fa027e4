import { consolePages } from '../../platform/mail/console-pages.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';

const open: Record<Language, string> = { en: 'Open the connections', de: 'Verbindungen öffnen' };

type Reason = 'gone' | 'failing';

const drafts: Record<Language, (name: string, host: string, reason: Reason) => MailDraft> = {
  en: (name, host, reason) => ({
    subject: `Webhook endpoint “${name}” disabled`,
    paragraphs: [
      `The webhook endpoint “${name}” at ${host} was disabled: ${reason === 'gone' ? 'it responded with 410 Gone, which asks senders to stop' : 'all deliveries to it failed for five days'}.`,
      'New events are not queued for a disabled endpoint. Waiting deliveries are kept for 72 hours.',
      'When the receiver works again, activate the endpoint, and then send the missed events.',
    ],
    notes: ['API: PATCH /api/v1/webhooks/{id} with `isActive: true`, then POST /api/v1/webhooks/{id}/recover.'],
  }),
  de: (name, host, reason) => ({
    subject: `Webhook-Endpunkt „${name}“ deaktiviert`,
    paragraphs: [
      `Der Webhook-Endpunkt „${name}“ bei ${host} wurde deaktiviert: ${reason === 'gone' ? 'Er hat mit 410 Gone geantwortet und damit um das Ende der Zustellungen gebeten' : 'Alle Zustellungen an ihn sind fünf Tage lang fehlgeschlagen'}.`,
      'Neue Ereignisse werden für einen deaktivierten Endpunkt nicht vorgemerkt. Wartende Zustellungen bleiben 72 Stunden erhalten.',
      'Sobald der Empfänger wieder arbeitet, aktivieren Sie den Endpunkt und senden Sie die verpassten Ereignisse nach.',
    ],
    notes: ['API: PATCH /api/v1/webhooks/{id} mit `isActive: true`, dann POST /api/v1/webhooks/{id}/recover.'],
  }),
};

/** Composes the mail to the team’s owner about a disabled endpoint. The mail has only the host, because the URL may contain a secret. */
export function disabledMail(locale: string, endpoint: { name: string; url: string }, reason: Reason): MailText {
  const language = languageOf(locale);
  const draft = drafts[language](endpoint.name, new URL(endpoint.url).host, reason);
  return composeMail(language, { ...draft, button: { label: open[language], page: consolePages.connections() } });
}
