import { composeMail, type MailDraft, type MailText, type MemberLanguage, memberLanguageOf } from '../../platform/mail/compose.ts';
import type { FailureRecipient } from './kinds.ts';

const drafts: Record<MemberLanguage, (title: string) => MailDraft> = {
  en: (title) => ({
    subject: `Document could not be created: ${title}`,
    paragraphs: [
      `we could not create the document of “${title}”. Three attempts failed. The answers are stored safely.`,
      'The status of the document shows the cause. You can retry there.',
    ],
  }),
  de: (title) => ({
    subject: `Dokument konnte nicht erstellt werden: ${title}`,
    paragraphs: [
      `wir konnten das Dokument zu „${title}“ nicht erstellen. Drei Versuche sind fehlgeschlagen. Die Antworten sind sicher gespeichert.`,
      'Der Status des Dokuments zeigt die Ursache. Dort können Sie es erneut erstellen lassen.',
    ],
  }),
  ar: (title) => ({
    subject: `تعذر إنشاء المستند: ${title}`,
    paragraphs: [
      `تعذر إنشاء مستند «${title}». فشلت ثلاث محاولات. الإجابات محفوظة بأمان.`,
      'تعرض حالة المستند السبب، ويمكنك إعادة المحاولة هناك.',
    ],
  }),
  ja: (title) => ({
    subject: `文書を作成できませんでした: ${title}`,
    paragraphs: [
      `「${title}」の文書を作成できませんでした。3 回の試行が失敗しました。回答は安全に保存されています。`,
      '原因は文書の状態に表示されます。そこから再試行できます。',
    ],
  }),
};

/** Builds the mail about a document that could not be created. */
export function failedMail({ locale, title }: FailureRecipient): MailText {
  const language = memberLanguageOf(locale);
  return composeMail(language, drafts[language](title));
}
