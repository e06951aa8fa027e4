import { messageLocales } from '#fields';
import { composeMail, type Language, languageOf, type MailDraft, type MailLook, type MailText } from '../../../platform/mail/compose.ts';
import { withoutLinks } from '../../../platform/text.ts';
import type { FailureRow } from './queries.ts';

/** A title as a mail names it: in one line. */
const inOneLine = (title: string): string => title.replaceAll(/\s+/g, ' ').trim();

/** News of submissions to one form, for somebody of the team. */
export type News = { title: string; more: number; all: number };

const news: Record<Language, (said: News) => MailDraft> = {
  en: ({ title, more, all }) => ({
    subject: more === 1 ? `New submission: ${title}` : `${more} new submissions: ${title}`,
    paragraphs: [
      more === 1
        ? `Somebody has answered “${title}”. It is number ${all}.`
        : `“${title}” was answered ${more} times since the last mail. That makes ${all} in all.`,
      'Mails do not repeat what was answered: those with whom it is shared read it among the submissions of the form.',
    ],
  }),
  de: ({ title, more, all }) => ({
    subject: more === 1 ? `Neue Antwort: ${title}` : `${more} neue Antworten: ${title}`,
    paragraphs: [
      more === 1
        ? `Jemand hat „${title}“ beantwortet. Es ist die Antwort Nummer ${all}.`
        : `„${title}“ wurde seit der letzten Mail ${more}-mal beantwortet. Das sind insgesamt ${all} Antworten.`,
      'Was geantwortet wurde, steht in keiner Mail: Wer es lesen darf, findet es bei den Antworten des Formulars.',
    ],
  }),
};

export const newsMail = (locale: string, said: News): MailText => {
  const language = languageOf(locale);
  return composeMail(language, news[language]({ ...said, title: inOneLine(said.title) }));
};

type Failures = { title: string; rows: readonly FailureRow[] };

const failed: Record<Language, (said: Failures) => MailDraft> = {
  en: ({ title, rows }) => ({
    subject: `Something failed after submissions: ${title}`,
    paragraphs: [
      `What people answered to “${title}” was received and is safe. Something that was to follow has failed:`,
      ...rows.map(({ kind, code, submissions }) => `${kind}: ${code} (${submissions} ${submissions === 1 ? 'submission' : 'submissions'})`),
      'The submissions have the status `failed`, and each says what the problem is. Once it is mended, it is tried again there.',
    ],
  }),
  de: ({ title, rows }) => ({
    subject: `Etwas ist nach Antworten fehlgeschlagen: ${title}`,
    paragraphs: [
      `Was zu „${title}“ geantwortet wurde, ist eingegangen und sicher. Etwas, das folgen sollte, ist fehlgeschlagen:`,
      ...rows.map(({ kind, code, submissions }) => `${kind}: ${code} (${submissions} ${submissions === 1 ? 'Antwort' : 'Antworten'})`),
      'Die Antworten haben den Status `failed`, und jede sagt, woran es liegt. Ist das behoben, lässt es sich dort wiederholen.',
    ],
  }),
};

export const failuresMail = (locale: string, said: Failures): MailText => {
  const language = languageOf(locale);
  return composeMail(language, failed[language]({ ...said, title: inOneLine(said.title) }));
};

/** What whoever has submitted is told. */
export type Receipt = { title: string; by: string; time: string; reference: string };

type VisitorLanguage = (typeof messageLocales)[number];

const receipts: Record<VisitorLanguage, (said: Receipt) => MailDraft> = {
  en: ({ title, by, time, reference }) => ({
    subject: `Received: ${title}`,
    paragraphs: [
      `Your answers to “${title}” have been received by ${by}: ${time}.`,
      `Reference: ${reference}`,
      'This mail does not repeat what you answered. If you have not filled in this form, somebody has named your address by mistake, and there is nothing to do.',
    ],
  }),
  de: ({ title, by, time, reference }) => ({
    subject: `Eingegangen: ${title}`,
    paragraphs: [
      `Ihre Antworten zu „${title}“ sind bei ${by} eingegangen: ${time}.`,
      `Kennung: ${reference}`,
      'Was Sie geantwortet haben, steht nicht in dieser Mail. Falls Sie dieses Formular nicht ausgefüllt haben, hat jemand Ihre Adresse versehentlich angegeben, und Sie müssen nichts tun.',
    ],
  }),
  ar: ({ title, by, time, reference }) => ({
    subject: `تم الاستلام: ${title}`,
    paragraphs: [
      `استلمت ${by} إجاباتك على «${title}»: ${time}.`,
      `الرقم المرجعي: ${reference}`,
      'لا تتضمن هذه الرسالة ما أجبت به. إذا لم تملأ هذا النموذج فقد أدخل أحدهم عنوانك خطأً، ولا يلزمك فعل شيء.',
    ],
  }),
  ja: ({ title, by, time, reference }) => ({
    subject: `受け付けました: ${title}`,
    paragraphs: [
      `「${title}」へのご回答を ${by} が受け付けました: ${time}`,
      `受付番号: ${reference}`,
      'このメールに回答の内容は含まれていません。お心当たりがない場合は、誤ってこのアドレスが入力されたものですので、何もする必要はありません。',
    ],
  }),
};

/** A mail to whoever has submitted, in their language, with nothing that mail programs make a link of. */
export function receiptMail(locale: string, { title, ...said }: Omit<Receipt, 'by'>, look: MailLook): MailText {
  const [tag = ''] = locale.toLowerCase().split('-');
  const language = messageLocales.find((one) => one === tag) ?? 'en';
  const draft = receipts[language]({ ...said, title: withoutLinks(inOneLine(title)), by: withoutLinks(look.name) });
  return composeMail(language, draft, look);
}
