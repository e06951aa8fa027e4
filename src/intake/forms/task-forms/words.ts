import {
  composeMail,
  type MailDraft,
  type MailLook,
  type MailText,
  type MemberLanguage,
  memberLanguageOf,
} from '../../../platform/mail/compose.ts';

type TaskFormMailData = { title: string; url: string };

const texts: Record<MemberLanguage, (said: TaskFormMailData) => MailDraft> = {
  en: ({ title, url }) => ({
    subject: `Please fill in: ${title}`,
    paragraphs: [`you have a task to fill in the form “${title}”. The button opens your personal link, which works once.`],
    button: { label: 'Fill in the form', page: url },
    notes: ['Your submission completes the task. The link stops working when the task ends or is reassigned.'],
  }),
  de: ({ title, url }) => ({
    subject: `Bitte ausfüllen: ${title}`,
    paragraphs: [`Sie haben die Aufgabe, das Formular „${title}“ auszufüllen. Der Link ist nur für Sie und gilt einmal.`],
    button: { label: 'Formular ausfüllen', page: url },
    notes: ['Mit dem Absenden ist die Aufgabe erledigt. Der Link gilt nicht mehr, wenn die Aufgabe endet oder neu zugewiesen wird.'],
  }),
  ar: ({ title, url }) => ({
    subject: `يرجى ملء النموذج: ${title}`,
    paragraphs: [`لديك مهمة لملء النموذج «${title}». الرابط شخصي وصالح لمرة واحدة.`],
    button: { label: 'ملء النموذج', page: url },
    notes: ['إرسال إجاباتك يُكمل المهمة. يتوقف الرابط عن العمل عند انتهاء المهمة أو إسنادها إلى شخص آخر.'],
  }),
  ja: ({ title, url }) => ({
    subject: `フォームへの入力をお願いします: ${title}`,
    paragraphs: [`フォーム「${title}」に入力するタスクがあります。リンクは個人用で、1 回だけ有効です。`],
    button: { label: 'フォームに入力する', page: url },
    notes: ['回答を送信するとタスクが完了します。タスクが終了するか再割り当てされると、リンクは無効になります。'],
  }),
};

/** Writes the mail with the form link of a task. */
export function taskFormMail(locale: string, { title, url }: TaskFormMailData, look: MailLook): MailText {
  const language = memberLanguageOf(locale);
  return composeMail(language, texts[language]({ title: title.replaceAll(/\s+/g, ' ').trim(), url }), look);
}
