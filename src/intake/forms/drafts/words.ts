import { messageLocales } from '#fields';
import { composeMail, type MailDraft, type MailLook, type MailText } from '../../../platform/mail/compose.ts';
import { withoutLinks } from '../../../platform/text.ts';

type DraftMailData = { title: string; by: string; url: string; until: string };

const texts: Record<(typeof messageLocales)[number], (said: DraftMailData) => MailDraft> = {
  en: ({ title, by, url, until }) => ({
    subject: `Go on with: ${title}`,
    paragraphs: [
      `Your answers to “${title}” of ${by} are kept until ${until}. Go on with them here, on any device:`,
      url,
      'Whoever has this link can read them: pass it on to nobody. If you have kept no answers, somebody has named your address by mistake, and there is nothing to do.',
    ],
  }),
  de: ({ title, by, url, until }) => ({
    subject: `Weiter ausfüllen: ${title}`,
    paragraphs: [
      `Ihre Antworten zu „${title}“ von ${by} sind bis ${until} gespeichert. Hier geht es weiter, auf jedem Gerät:`,
      url,
      'Wer diesen Link hat, kann sie lesen: Geben Sie ihn nicht weiter. Falls Sie nichts gespeichert haben, hat jemand Ihre Adresse versehentlich angegeben, und Sie müssen nichts tun.',
    ],
  }),
  ar: ({ title, by, url, until }) => ({
    subject: `متابعة التعبئة: ${title}`,
    paragraphs: [
      `إجاباتك على «${title}» لدى ${by} محفوظة حتى ${until}. تابع من هنا على أي جهاز:`,
      url,
      'من يملك هذا الرابط يستطيع قراءتها، فلا تعطه أحدًا. إذا لم تحفظ أي إجابات فقد أدخل أحدهم عنوانك خطأً، ولا يلزمك فعل شيء.',
    ],
  }),
  ja: ({ title, by, url, until }) => ({
    subject: `入力を続ける: ${title}`,
    paragraphs: [
      `${by} の「${title}」へのご回答は ${until} まで保存されています。次のリンクから、どの端末でも続きを入力できます:`,
      url,
      'このリンクを持つ人は誰でも内容を読めます。他の人に渡さないでください。お心当たりがない場合は、誤ってこのアドレスが入力されたものですので、何もする必要はありません。',
    ],
  }),
};

/** The mail with the link by which somebody goes on with their draft. */
export function draftMail(locale: string, { title, ...said }: Omit<DraftMailData, 'by'>, look: MailLook): MailText {
  const [tag = ''] = locale.toLowerCase().split('-');
  const language = messageLocales.find((one) => one === tag) ?? 'en';
  const plain = (text: string) => withoutLinks(text.replaceAll(/\s+/g, ' ').trim());
  const draft = texts[language]({ ...said, title: plain(title), by: plain(look.name) });
  return composeMail(language, { ...draft, page: said.url }, look);
}
