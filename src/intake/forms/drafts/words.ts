import { messageLocales } from '#fields';
import { composeMail, type MailDraft, type MailLook, type MailText } from '../../../platform/mail/compose.ts';
import { withoutLinks } from '../../../platform/text.ts';

type DraftMailData = { title: string; by: string; url: string; until: string };

const texts: Record<(typeof messageLocales)[number], (said: DraftMailData) => MailDraft> = {
  en: ({ title, by, url, until }) => ({
    subject: `Resume your draft: ${title}`,
    paragraphs: [`Your answers to “${title}” of ${by} are saved until ${until}. You can resume them on any device.`],
    button: { label: 'Resume your draft', page: url },
    notes: [
      'Everyone with this link can read your answers, so do not forward it. If you saved no answers, someone entered your address by mistake. You can ignore this email.',
    ],
  }),
  de: ({ title, by, url, until }) => ({
    subject: `Weiter ausfüllen: ${title}`,
    paragraphs: [`Ihre Antworten zu „${title}“ von ${by} sind bis ${until} gespeichert. Sie können auf jedem Gerät weitermachen.`],
    button: { label: 'Weiter ausfüllen', page: url },
    notes: [
      'Jeder mit diesem Link kann Ihre Antworten lesen. Geben Sie ihn nicht weiter. Falls Sie nichts gespeichert haben, wurde Ihre Adresse versehentlich angegeben. Sie können diese E-Mail ignorieren.',
    ],
  }),
  ar: ({ title, by, url, until }) => ({
    subject: `متابعة التعبئة: ${title}`,
    paragraphs: [`إجاباتك على «${title}» لدى ${by} محفوظة حتى ${until}. يمكنك المتابعة على أي جهاز.`],
    button: { label: 'متابعة التعبئة', page: url },
    notes: ['من يملك هذا الرابط يستطيع قراءتها، فلا تعطه أحدًا. إذا لم تحفظ أي إجابات فقد أُدخل عنوانك خطأً، ويمكنك تجاهل هذه الرسالة.'],
  }),
  ja: ({ title, by, url, until }) => ({
    subject: `入力を続ける: ${title}`,
    paragraphs: [`${by} の「${title}」へのご回答は ${until} まで保存されています。どの端末でも続きを入力できます。`],
    button: { label: '入力を続ける', page: url },
    notes: [
      'このリンクを持つ人は誰でも内容を読めます。他の人に渡さないでください。お心当たりがない場合は、誤ってこのアドレスが入力されたものですので、何もする必要はありません。',
    ],
  }),
};

/** Writes the mail with the link to resume a draft. */
export function draftMail(locale: string, { title, ...said }: Omit<DraftMailData, 'by'>, look: MailLook): MailText {
  const [tag = ''] = locale.toLowerCase().split('-');
  const language = messageLocales.find((one) => one === tag) ?? 'en';
  const plain = (text: string) => withoutLinks(text.replaceAll(/\s+/g, ' ').trim());
  const draft = texts[language]({ ...said, title: plain(title), by: plain(look.name) });
  return composeMail(language, draft, look);
}
