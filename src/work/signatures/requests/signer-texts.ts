import { composeMail, type MailDraft, type MailText } from '../../../platform/mail/compose.ts';
import { withoutLinks } from '../../../platform/text.ts';
import { signerLocale, type SignerLocale } from './consent.ts';

/* What those are told who are asked to sign, and need no account. */

type Kind = 'asked' | 'reminded' | 'completed' | 'voided' | 'declined' | 'expired';
/** `by` has asked, for the team of that name. */
type SignerMailData = { title: string; by: string; team: string; url: string; until: string; message?: string | undefined };
type SignerMailTexts = Record<Kind, (said: SignerMailData) => MailDraft> & { code: (said: { title: string; code: string }) => MailDraft };

const quoted = (message: string | undefined, before: string): string[] => (message === undefined ? [] : [`${before} ${message}`]);

const words: Record<SignerLocale, SignerMailTexts> = {
  en: {
    asked: ({ title, by, team, url, until, message }) => ({
      subject: `Please sign: ${title}`,
      paragraphs: [
        `${by} of ${team} asks you to sign “${title}”. Read it and decide, until ${until}:`,
        url,
        ...quoted(message, 'They write:'),
        'The link is for you alone: whoever has it can sign in your name. Do not pass it on.',
      ],
    }),
    reminded: ({ title, by, team, url, until }) => ({
      subject: `Reminder: please sign ${title}`,
      paragraphs: [`${by} of ${team} waits for your signature under “${title}”. The link is good until ${until}:`, url],
    }),
    completed: ({ title, url }) => ({
      subject: `Signed by all: ${title}`,
      paragraphs: [`All have signed “${title}”, and it is sealed. Fetch the sealed file within 30 days:`, url],
    }),
    voided: ({ title, by, team }) => ({
      subject: `No longer needed: ${title}`,
      paragraphs: [`${by} of ${team} has taken back the request to sign “${title}”. You need to do nothing more.`],
    }),
    declined: ({ title, team }) => ({
      subject: `Not signed: ${title}`,
      paragraphs: [`Somebody who was asked to sign “${title}” of ${team} has declined. You need to do nothing more.`],
    }),
    expired: ({ title, team }) => ({
      subject: `Expired: ${title}`,
      paragraphs: [`The request of ${team} to sign “${title}” has expired. You need to do nothing more.`],
    }),
    code: ({ title, code }) => ({
      subject: `Your code: ${title}`,
      paragraphs: [
        `The code that opens “${title}”: ${code}`,
        'It is good for ten minutes. If you did not ask for it, do nothing and tell nobody.',
      ],
    }),
  },
  de: {
    asked: ({ title, by, team, url, until, message }) => ({
      subject: `Bitte unterzeichnen: ${title}`,
      paragraphs: [
        `${by} von ${team} bittet Sie, „${title}“ zu unterzeichnen. Lesen und entscheiden Sie bis ${until}:`,
        url,
        ...quoted(message, 'Dazu heißt es:'),
        'Der Link ist nur für Sie: Wer ihn hat, kann in Ihrem Namen unterzeichnen. Geben Sie ihn nicht weiter.',
      ],
    }),
    reminded: ({ title, by, team, url, until }) => ({
      subject: `Erinnerung: Bitte unterzeichnen Sie ${title}`,
      paragraphs: [`${by} von ${team} wartet auf Ihre Unterschrift unter „${title}“. Der Link gilt bis ${until}:`, url],
    }),
    completed: ({ title, url }) => ({
      subject: `Von allen unterzeichnet: ${title}`,
      paragraphs: [
        `Alle haben „${title}“ unterzeichnet, und es ist versiegelt. Holen Sie die versiegelte Datei innerhalb von 30 Tagen ab:`,
        url,
      ],
    }),
    voided: ({ title, by, team }) => ({
      subject: `Nicht mehr nötig: ${title}`,
      paragraphs: [`${by} von ${team} hat die Bitte zurückgenommen, „${title}“ zu unterzeichnen. Sie müssen nichts mehr tun.`],
    }),
    declined: ({ title, team }) => ({
      subject: `Nicht unterzeichnet: ${title}`,
      paragraphs: [`Jemand, der „${title}“ von ${team} unterzeichnen sollte, hat abgelehnt. Sie müssen nichts mehr tun.`],
    }),
    expired: ({ title, team }) => ({
      subject: `Abgelaufen: ${title}`,
      paragraphs: [`Die Bitte von ${team}, „${title}“ zu unterzeichnen, ist abgelaufen. Sie müssen nichts mehr tun.`],
    }),
    code: ({ title, code }) => ({
      subject: `Ihr Code: ${title}`,
      paragraphs: [
        `Der Code, der „${title}“ öffnet: ${code}`,
        'Er gilt zehn Minuten. Falls Sie ihn nicht angefordert haben, tun Sie nichts und geben Sie ihn niemandem.',
      ],
    }),
  },
  ar: {
    asked: ({ title, by, team, url, until, message }) => ({
      subject: `يُرجى التوقيع: ${title}`,
      paragraphs: [
        `يطلب منك ${by} من ${team} توقيع «${title}». اقرأه وقرّر حتى ${until}:`,
        url,
        ...quoted(message, 'كُتب لك:'),
        'هذا الرابط لك وحدك: من يملكه يستطيع التوقيع باسمك. لا تشاركه.',
      ],
    }),
    reminded: ({ title, by, team, url, until }) => ({
      subject: `تذكير: يُرجى توقيع ${title}`,
      paragraphs: [`ينتظر ${by} من ${team} توقيعك على «${title}». الرابط صالح حتى ${until}:`, url],
    }),
    completed: ({ title, url }) => ({
      subject: `وقّع الجميع: ${title}`,
      paragraphs: [`وقّع الجميع «${title}» وخُتم المستند. احصل على الملف المختوم خلال 30 يومًا:`, url],
    }),
    voided: ({ title, by, team }) => ({
      subject: `لم يعد مطلوبًا: ${title}`,
      paragraphs: [`سحب ${by} من ${team} طلب توقيع «${title}». لا يلزمك فعل شيء.`],
    }),
    declined: ({ title, team }) => ({
      subject: `لم يُوقّع: ${title}`,
      paragraphs: [`رفض أحد المطلوب توقيعهم على «${title}» لدى ${team}. لا يلزمك فعل شيء.`],
    }),
    expired: ({ title, team }) => ({
      subject: `انتهت المدة: ${title}`,
      paragraphs: [`انتهت مدة طلب ${team} لتوقيع «${title}». لا يلزمك فعل شيء.`],
    }),
    code: ({ title, code }) => ({
      subject: `رمزك: ${title}`,
      paragraphs: [`الرمز الذي يفتح «${title}»: ${code}`, 'الرمز صالح لعشر دقائق. إذا لم تطلبه فلا تفعل شيئًا ولا تخبر به أحدًا.'],
    }),
  },
  ja: {
    asked: ({ title, by, team, url, until, message }) => ({
      subject: `署名のお願い: ${title}`,
      paragraphs: [
        `${team} の ${by} が「${title}」への署名をお願いしています。内容をご確認のうえ、${until} までにご判断ください:`,
        url,
        ...quoted(message, 'メッセージ:'),
        'このリンクはあなた専用です。リンクを持つ人は誰でもあなたの名前で署名できます。他の人に渡さないでください。',
      ],
    }),
    reminded: ({ title, by, team, url, until }) => ({
      subject: `リマインダー: ${title} への署名をお願いします`,
      paragraphs: [`${team} の ${by} が「${title}」への署名を待っています。リンクの有効期限は ${until} です:`, url],
    }),
    completed: ({ title, url }) => ({
      subject: `全員が署名しました: ${title}`,
      paragraphs: [`全員が「${title}」に署名し、文書に印が付されました。30日以内にファイルを取得してください:`, url],
    }),
    voided: ({ title, by, team }) => ({
      subject: `不要になりました: ${title}`,
      paragraphs: [`${team} の ${by} が「${title}」への署名の依頼を取り消しました。何もする必要はありません。`],
    }),
    declined: ({ title, team }) => ({
      subject: `署名されませんでした: ${title}`,
      paragraphs: [`${team} の「${title}」への署名を依頼された方が辞退しました。何もする必要はありません。`],
    }),
    expired: ({ title, team }) => ({
      subject: `期限切れ: ${title}`,
      paragraphs: [`${team} からの「${title}」への署名の依頼は期限が切れました。何もする必要はありません。`],
    }),
    code: ({ title, code }) => ({
      subject: `コード: ${title}`,
      paragraphs: [`「${title}」を開くコード: ${code}`, '有効期限は10分です。お心当たりがない場合は何もせず、誰にも教えないでください。'],
    }),
  },
};

/** Titles, names and messages come from people who are strangers to the reader: nothing in them becomes a link. */
const plain = (text: string): string => withoutLinks(text.replaceAll(/\s+/g, ' ').trim());

/** A mail to somebody who is asked to sign, or gets a copy. */
export function signerMail(locale: string, kind: Kind, { url, message, ...said }: SignerMailData): MailText {
  const language = signerLocale(locale);
  const shown = { title: plain(said.title), by: plain(said.by), team: plain(said.team), until: said.until, url };
  const draft = words[language][kind]({ ...shown, ...(message === undefined ? {} : { message: plain(message) }) });
  return composeMail(language, { ...draft, page: url }, { name: said.team });
}

/** The mail with the code that opens a document. */
export function codeMail(locale: string, said: { title: string; code: string }): MailText {
  const language = signerLocale(locale);
  return composeMail(language, words[language].code({ ...said, title: plain(said.title) }));
}
