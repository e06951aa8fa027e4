import { messageLocales } from '#fields';
import { consolePages } from '../../../platform/mail/console-pages.ts';
import {
  composeMail,
  type MailDraft,
  type MailLook,
  type MailText,
  type MemberLanguage,
  memberLanguageOf,
} from '../../../platform/mail/compose.ts';
import { withoutLinks } from '../../../platform/text.ts';
import type { FailureRow } from './queries.ts';

/** Puts a title on one line. */
const inOneLine = (title: string): string => title.replaceAll(/\s+/g, ' ').trim();

const open: Record<MemberLanguage, { form: string; submissions: string }> = {
  en: { form: 'Open the form', submissions: 'Open the submissions' },
  de: { form: 'Formular öffnen', submissions: 'Antworten öffnen' },
  ar: { form: 'فتح النموذج', submissions: 'فتح الإجابات' },
  ja: { form: 'フォームを開く', submissions: '回答を開く' },
};
const submissionsOf = (language: MemberLanguage, { id }: { id: string }) => ({
  label: open[language].submissions,
  page: consolePages.submissions(id),
});

/** The data of a notification about submissions to one form. */
export type News = { id: string; title: string; more: number; all: number };

const news: Record<MemberLanguage, (said: News) => MailDraft> = {
  en: ({ title, more, all }) => ({
    subject: more === 1 ? `New submission: ${title}` : `${more} new submissions: ${title}`,
    paragraphs: [
      more === 1
        ? `“${title}” has a new submission. Total: ${all}.`
        : `“${title}” has ${more} new submissions since the last email. Total: ${all}.`,
      'Emails do not contain answers. Members with access can read them in the submissions of the form.',
    ],
  }),
  de: ({ title, more, all }) => ({
    subject: more === 1 ? `Neue Antwort: ${title}` : `${more} neue Antworten: ${title}`,
    paragraphs: [
      more === 1
        ? `Zu „${title}“ gibt es eine neue Antwort. Insgesamt: ${all}.`
        : `Zu „${title}“ gibt es seit der letzten E-Mail ${more} neue Antworten. Insgesamt: ${all}.`,
      'E-Mails enthalten keine Antworten. Berechtigte Mitglieder können sie bei den Antworten des Formulars lesen.',
    ],
  }),
  ar: ({ title, more, all }) => ({
    subject: more === 1 ? `إجابة جديدة: ${title}` : `إجابات جديدة (${more}): ${title}`,
    paragraphs: [
      more === 1
        ? `وردت إجابة جديدة على «${title}». الإجمالي: ${all}.`
        : `عدد الإجابات الجديدة على «${title}» منذ الرسالة الأخيرة: ${more}. الإجمالي: ${all}.`,
      'لا تتضمن الرسائل أي إجابات. يمكن للأعضاء المصرح لهم قراءتها ضمن إجابات النموذج.',
    ],
  }),
  ja: ({ title, more, all }) => ({
    subject: more === 1 ? `新しい回答: ${title}` : `新しい回答 ${more} 件: ${title}`,
    paragraphs: [
      more === 1
        ? `「${title}」に新しい回答がありました。合計: ${all} 件`
        : `前回のメール以降、「${title}」に新しい回答が ${more} 件ありました。合計: ${all} 件`,
      'メールに回答の内容は含まれません。権限のあるメンバーは、フォームの回答一覧で確認できます。',
    ],
  }),
};

export const newsMail = (locale: string, said: News): MailText => {
  const language = memberLanguageOf(locale);
  return composeMail(language, { ...news[language]({ ...said, title: inOneLine(said.title) }), button: submissionsOf(language, said) });
};

type Failures = { id: string; title: string; rows: readonly FailureRow[] };

const failed: Record<MemberLanguage, (said: Failures) => MailDraft> = {
  en: ({ title, rows }) => ({
    subject: `Effects of submissions failed: ${title}`,
    paragraphs: [
      `The submissions to “${title}” are stored, but some of their effects failed:`,
      ...rows.map(({ kind, code, submissions }) => `${kind}: ${code} (${submissions} ${submissions === 1 ? 'submission' : 'submissions'})`),
      'These submissions have the status `failed`, and each shows its error. Fix the cause, then retry the submission.',
    ],
  }),
  de: ({ title, rows }) => ({
    subject: `Fehler bei der Verarbeitung von Antworten: ${title}`,
    paragraphs: [
      `Die Antworten zu „${title}“ sind gespeichert, aber ein Teil ihrer Verarbeitung ist fehlgeschlagen:`,
      ...rows.map(({ kind, code, submissions }) => `${kind}: ${code} (${submissions} ${submissions === 1 ? 'Antwort' : 'Antworten'})`),
      'Diese Antworten haben den Status `failed` und zeigen den Fehler. Beheben Sie die Ursache und wiederholen Sie dort die Verarbeitung.',
    ],
  }),
  ar: ({ title, rows }) => ({
    subject: `فشلت معالجة إجابات: ${title}`,
    paragraphs: [
      `حُفظت الإجابات على «${title}»، لكن جزءًا من معالجتها فشل:`,
      ...rows.map(({ kind, code, submissions }) => `${kind}: ${code} (عدد الإجابات: ${submissions})`),
      'حالة هذه الإجابات `failed`، وتعرض كل منها الخطأ. أصلح السبب ثم أعد معالجة الإجابة.',
    ],
  }),
  ja: ({ title, rows }) => ({
    subject: `回答の処理に失敗しました: ${title}`,
    paragraphs: [
      `「${title}」への回答は保存されましたが、処理の一部が失敗しました。`,
      ...rows.map(({ kind, code, submissions }) => `${kind}: ${code} (${submissions} 件)`),
      'これらの回答の状態は `failed` で、それぞれにエラーが表示されます。原因を解消してから、回答の処理を再実行してください。',
    ],
  }),
};

export const failuresMail = (locale: string, said: Failures): MailText => {
  const language = memberLanguageOf(locale);
  return composeMail(language, { ...failed[language]({ ...said, title: inOneLine(said.title) }), button: submissionsOf(language, said) });
};

/** A changed or deleted template that a published form names. */
export type TemplateNews = { id: string; title: string; kind: 'workflow' | 'document'; template: string; change: 'changed' | 'deleted' };

const templateWords: Record<MemberLanguage, (said: TemplateNews) => MailDraft> = {
  en: ({ title, kind, template, change }) => ({
    subject: change === 'changed' ? `Template changed: ${title}` : `Template deleted: ${title}`,
    paragraphs: [
      change === 'changed'
        ? `The ${kind} template “${template}”, which your form “${title}” uses, has changed.`
        : `The ${kind} template “${template}”, which your form “${title}” uses, was deleted.`,
      change === 'deleted'
        ? 'The next submissions are stored, but their outputs fail. Publish the form with another template.'
        : kind === 'document'
          ? 'The form uses the earlier version until it is published again. Check the template, then publish the form.'
          : 'The next submissions may be stored without their workflow. Check the steps of the template, then publish the form again.',
    ],
  }),
  de: ({ title, kind, template, change }) => ({
    subject: change === 'changed' ? `Vorlage geändert: ${title}` : `Vorlage gelöscht: ${title}`,
    paragraphs: [
      `Die ${kind === 'document' ? 'Dokumentvorlage' : 'Vorlage für Abläufe'} „${template}“, die Ihr Formular „${title}“ verwendet, wurde ${change === 'changed' ? 'geändert' : 'gelöscht'}.`,
      change === 'deleted'
        ? 'Weitere Antworten werden gespeichert, aber ihre Ergebnisse schlagen fehl. Veröffentlichen Sie das Formular mit einer anderen Vorlage.'
        : kind === 'document'
          ? 'Das Formular verwendet die frühere Version, bis es erneut veröffentlicht wird. Prüfen Sie die Vorlage und veröffentlichen Sie das Formular.'
          : 'Weitere Antworten werden möglicherweise ohne ihren Ablauf gespeichert. Prüfen Sie die Schritte der Vorlage und veröffentlichen Sie das Formular erneut.',
    ],
  }),
  ar: ({ title, kind, template, change }) => ({
    subject: change === 'changed' ? `تغيّر قالب: ${title}` : `حُذف قالب: ${title}`,
    paragraphs: [
      `${change === 'changed' ? 'تغيّر' : 'حُذف'} ${kind === 'document' ? 'قالب المستندات' : 'قالب سير العمل'} «${template}» الذي يستخدمه نموذجك «${title}».`,
      change === 'deleted'
        ? 'ستُحفظ الإجابات التالية، لكن مخرجاتها ستفشل. انشر النموذج مع قالب آخر.'
        : kind === 'document'
          ? 'يستخدم النموذج الإصدار السابق حتى يُنشر من جديد. راجع القالب ثم انشر النموذج.'
          : 'قد تُحفظ الإجابات التالية دون سير العمل الخاص بها. راجع خطوات القالب ثم انشر النموذج من جديد.',
    ],
  }),
  ja: ({ title, kind, template, change }) => ({
    subject: change === 'changed' ? `テンプレートが変更されました: ${title}` : `テンプレートが削除されました: ${title}`,
    paragraphs: [
      `フォーム「${title}」が使用する${kind === 'document' ? '文書テンプレート' : 'ワークフローテンプレート'}「${template}」が${change === 'changed' ? '変更' : '削除'}されました。`,
      change === 'deleted'
        ? '今後の回答は保存されますが、出力は失敗します。別のテンプレートを指定してフォームを公開してください。'
        : kind === 'document'
          ? '再度公開するまで、フォームは以前のバージョンを使用します。テンプレートを確認してから、フォームを公開してください。'
          : '今後の回答は、ワークフローなしで保存される場合があります。テンプレートの手順を確認してから、フォームを再度公開してください。',
    ],
  }),
};

export const templateMail = (locale: string, said: TemplateNews): MailText => {
  const language = memberLanguageOf(locale);
  const draft = templateWords[language]({ ...said, title: inOneLine(said.title), template: inOneLine(said.template) });
  return composeMail(language, { ...draft, button: { label: open[language].form, page: consolePages.form(said.id) } });
};

/** The data of a receipt for a visitor. */
export type Receipt = { title: string; by: string; time: string; reference: string };

type VisitorLanguage = (typeof messageLocales)[number];

const receipts: Record<VisitorLanguage, (said: Receipt) => MailDraft> = {
  en: ({ title, by, time, reference }) => ({
    subject: `Received: ${title}`,
    paragraphs: [
      `Your answers to “${title}” were received by ${by}: ${time}.`,
      `Reference: ${reference}`,
      'This email does not contain your answers. If you did not fill in this form, someone entered your address by mistake. You can ignore this email.',
    ],
  }),
  de: ({ title, by, time, reference }) => ({
    subject: `Eingegangen: ${title}`,
    paragraphs: [
      `Ihre Antworten zu „${title}“ sind bei ${by} eingegangen: ${time}.`,
      `Kennung: ${reference}`,
      'Diese E-Mail enthält Ihre Antworten nicht. Falls Sie dieses Formular nicht ausgefüllt haben, wurde Ihre Adresse versehentlich angegeben. Sie können diese E-Mail ignorieren.',
    ],
  }),
  ar: ({ title, by, time, reference }) => ({
    subject: `تم الاستلام: ${title}`,
    paragraphs: [
      `استلمت ${by} إجاباتك على «${title}»: ${time}.`,
      `الرقم المرجعي: ${reference}`,
      'لا تتضمن هذه الرسالة ما أجبت به. إذا لم تملأ هذا النموذج فقد أُدخل عنوانك خطأً، ويمكنك تجاهل هذه الرسالة.',
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

/** Writes the receipt in the language of the visitor. Removes text that mail programs would turn into links. */
export function receiptMail(locale: string, { title, ...said }: Omit<Receipt, 'by'>, look: MailLook): MailText {
  const [tag = ''] = locale.toLowerCase().split('-');
  const language = messageLocales.find((one) => one === tag) ?? 'en';
  const draft = receipts[language]({ ...said, title: withoutLinks(inOneLine(title)), by: withoutLinks(look.name) });
  return composeMail(language, draft, look);
}
