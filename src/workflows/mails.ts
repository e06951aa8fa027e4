import { composeMail } from '../platform/mail/compose.ts';

/** What a notification step tells its people. */
export function notificationMail(workflow: string, step: string | null, description: string | null) {
  const paragraphs = [
    `The workflow “${workflow}” has reached the step “${step ?? 'notification'}”.`,
    ...(description === null ? [] : [description]),
  ];
  return composeMail('en', { subject: `${step ?? 'Notification'}: ${workflow}`, paragraphs });
}
