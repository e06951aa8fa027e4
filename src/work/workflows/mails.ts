import { consolePages } from '../../platform/mail/console-pages.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';

type ReachedStep = { name: string | null; description: string | null };

const drafts: Record<Language, (workflow: string, steps: readonly string[]) => MailDraft> = {
  en: (workflow, steps) => ({
    subject: `${steps[0] ?? 'Notification'}: ${workflow}`,
    paragraphs: steps.map((step) => `The workflow “${workflow}” has reached the step “${step}”.`),
  }),
  de: (workflow, steps) => ({
    subject: `${steps[0] ?? 'Benachrichtigung'}: ${workflow}`,
    paragraphs: steps.map((step) => `Der Workflow „${workflow}“ ist beim Schritt „${step}“ angekommen.`),
  }),
};
const open: Record<Language, string> = { en: 'Open the workflow', de: 'Workflow öffnen' };
const unnamed: Record<Language, string> = { en: 'notification', de: 'Benachrichtigung' };

/** One mail to a person about notification steps. The author of a step wrote its `description`. */
export function notificationMail(locale: string, workflow: { id: string; name: string }, steps: readonly ReachedStep[]): MailText {
  const language = languageOf(locale);
  const { subject, paragraphs } = drafts[language](
    workflow.name,
    steps.map(({ name }) => name ?? unnamed[language]),
  );
  const written = steps.flatMap(({ description }, at) => [paragraphs[at] ?? '', ...(description === null ? [] : [description])]);
  const button = { label: open[language], page: consolePages.workflow(workflow.id) };
  return composeMail(language, { subject, paragraphs: written, button });
}
