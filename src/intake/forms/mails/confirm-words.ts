import { messageLocales } from '#fields';
import { composeMail, type MailDraft, type MailText } from '../../../platform/mail/compose.ts';
import { withoutLinks } from '../../../platform/text.ts';

type ConfirmationMailData = { title: string; by: string; url: string; until: string };

const texts: Record<(typeof messageLocales)[number], (said: ConfirmationMailData) => MailDraft> = {
  en: ({ title, by, url, until }) => ({
    subject: `Confirm your answers: ${title}`,
    paragraphs: [`Someone submitted “${title}” of ${by} with your email address. If it was you, confirm your answers by ${until}.`],
    button: { label: 'Confirm your answers', page: url },
    notes: ['If it was not you, ignore this email. Unconfirmed answers are deleted.'],
  }),
  de: ({ title, by, url, until }) => ({
    subject: `Bestätigen Sie Ihre Antworten: ${title}`,
    paragraphs: [
      `Jemand hat „${title}“ von ${by} ausgefüllt und diese Adresse angegeben. Falls Sie das waren, bestätigen Sie Ihre Antworten bis ${until}.`,
    ],
    button: { label: 'Antworten bestätigen', page: url },
    notes: ['Falls Sie das nicht waren, ignorieren Sie diese E-Mail. Ohne Bestätigung werden die Antworten gelöscht.'],
  }),
  ar: ({ title, by, url, until }) => ({
    subject: `أكّد إجاباتك: ${title}`,
    paragraphs: [`أجاب أحدهم على «${title}» لدى ${by} وذكر هذا العنوان. إذا كنت أنت، فأكّد ذلك حتى ${until} لتُحتسب الإجابات.`],
    button: { label: 'تأكيد الإجابات', page: url },
    notes: ['إذا لم تكن أنت، فلا تفعل شيئًا: تُحذف الإجابات من دون تأكيد.'],
  }),
  ja: ({ title, by, url, until }) => ({
    subject: `回答をご確認ください: ${title}`,
    paragraphs: [
      `${by} の「${title}」への回答で、このアドレスが入力されました。ご本人の場合は、${until} までに確認すると回答が有効になります。`,
    ],
    button: { label: '回答を確認する', page: url },
    notes: ['お心当たりがない場合は何もする必要はありません。確認されない回答は削除されます。'],
  }),
};

/** Writes the mail with the link to confirm a submission. */
export function confirmMail(locale: string, { title, by, ...said }: ConfirmationMailData): MailText {
  const [tag = ''] = locale.toLowerCase().split('-');
  const language = messageLocales.find((one) => one === tag) ?? 'en';
  const plain = (text: string) => withoutLinks(text.replaceAll(/\s+/g, ' ').trim());
  const draft = texts[language]({ ...said, title: plain(title), by: plain(by) });
  return composeMail(language, draft, { name: by });
}
