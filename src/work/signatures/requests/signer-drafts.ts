import type { SignerLocale } from './signer-locale.ts';

/* The texts of emails to signers. The console shows them before a request is sent, so this file imports no code of the service. */

type SignerMailDraft = { subject: string; paragraphs: readonly string[]; notes?: readonly string[] };
export type SignerMailKind = 'requested' | 'reminded' | 'completed' | 'voided' | 'declined' | 'expired';
/** Data of an email to a signer. `by` is the requester, in texts with the `team`. */
export type SignerMailData = {
  title: string;
  by: string;
  team: string;
  url: string;
  until: string;
  message?: string;
  documents?: readonly string[];
};
type SignerMailTexts = Record<SignerMailKind, (said: Omit<SignerMailData, 'url'>) => SignerMailDraft> & {
  code: (said: { title: string; code: string }) => SignerMailDraft;
};

const quoted = (message: string | undefined, before: string): string[] => (message === undefined ? [] : [`${before} ${message}`]);

/** The texts of emails to signers by language. */
export const signerMailDrafts: Record<SignerLocale, SignerMailTexts> = {
  en: {
    requested: ({ title, by, until, message }) => ({
      subject: `Please sign: ${title}`,
      paragraphs: [`${by} asks you to sign “${title}”. Please read it, and sign or decline by ${until}.`, ...quoted(message, 'Message:')],
      notes: ['This link is personal. Anyone who has it can sign in your name. Do not forward it.'],
    }),
    reminded: ({ title, by, until }) => ({
      subject: `Reminder: please sign ${title}`,
      paragraphs: [`${by} is waiting for your signature on “${title}”. The link is valid until ${until}.`],
    }),
    completed: ({ title }) => ({
      subject: `Signed by all: ${title}`,
      paragraphs: [`All signers have signed “${title}”, and it is sealed. Download the sealed file within 30 days.`],
    }),
    voided: ({ title, by }) => ({
      subject: `Signature no longer needed: ${title}`,
      paragraphs: [`${by} withdrew the request to sign “${title}”. You do not need to do anything.`],
    }),
    declined: ({ title, team }) => ({
      subject: `Not signed: ${title}`,
      paragraphs: [`A signer declined to sign “${title}” of ${team}, which ended the request. You do not need to do anything.`],
    }),
    expired: ({ title, team }) => ({
      subject: `Expired: ${title}`,
      paragraphs: [`The request of ${team} to sign “${title}” has expired. You do not need to do anything.`],
    }),
    code: ({ title, code }) => ({
      subject: `Your code: ${title}`,
      paragraphs: [
        `Your code to open “${title}”: ${code}`,
        'The code is valid for ten minutes. If you did not request it, ignore this email and do not share the code.',
      ],
    }),
  },
  de: {
    requested: ({ title, by, until, message }) => ({
      subject: `Bitte unterzeichnen: ${title}`,
      paragraphs: [
        `${by} bittet Sie, „${title}“ zu unterzeichnen. Bitte lesen Sie das Dokument und unterzeichnen Sie es oder lehnen Sie ab, bis ${until}.`,
        ...quoted(message, 'Nachricht:'),
      ],
      notes: ['Dieser Link ist persönlich. Wer ihn hat, kann in Ihrem Namen unterzeichnen. Leiten Sie ihn nicht weiter.'],
    }),
    reminded: ({ title, by, until }) => ({
      subject: `Erinnerung: Bitte unterzeichnen Sie ${title}`,
      paragraphs: [`${by} wartet auf Ihre Unterschrift unter „${title}“. Der Link gilt bis ${until}.`],
    }),
    completed: ({ title }) => ({
      subject: `Von allen unterzeichnet: ${title}`,
      paragraphs: [
        `Alle haben „${title}“ unterzeichnet, und das Dokument ist versiegelt. Laden Sie die versiegelte Datei innerhalb von 30 Tagen herunter.`,
      ],
    }),
    voided: ({ title, by }) => ({
      subject: `Unterschrift nicht mehr nötig: ${title}`,
      paragraphs: [`${by} hat die Anfrage zur Unterschrift unter „${title}“ zurückgezogen. Sie müssen nichts mehr tun.`],
    }),
    declined: ({ title, team }) => ({
      subject: `Nicht unterzeichnet: ${title}`,
      paragraphs: [
        `Eine der Personen, die „${title}“ von ${team} unterzeichnen sollten, hat abgelehnt. Damit ist die Anfrage beendet. Sie müssen nichts mehr tun.`,
      ],
    }),
    expired: ({ title, team }) => ({
      subject: `Abgelaufen: ${title}`,
      paragraphs: [`Die Anfrage von ${team} zur Unterschrift unter „${title}“ ist abgelaufen. Sie müssen nichts mehr tun.`],
    }),
    code: ({ title, code }) => ({
      subject: `Ihr Code: ${title}`,
      paragraphs: [
        `Ihr Code zum Öffnen von „${title}“: ${code}`,
        'Der Code gilt zehn Minuten. Falls Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail und geben Sie ihn nicht weiter.',
      ],
    }),
  },
  ar: {
    requested: ({ title, by, until, message }) => ({
      subject: `يُرجى التوقيع: ${title}`,
      paragraphs: [`يطلب منك ${by} توقيع «${title}». اقرأه وقرّر حتى ${until}.`, ...quoted(message, 'الرسالة:')],
      notes: ['هذا الرابط لك وحدك: من يملكه يستطيع التوقيع باسمك. لا تشاركه.'],
    }),
    reminded: ({ title, by, until }) => ({
      subject: `تذكير: يُرجى توقيع ${title}`,
      paragraphs: [`ينتظر ${by} توقيعك على «${title}». الرابط صالح حتى ${until}.`],
    }),
    completed: ({ title }) => ({
      subject: `وقّع الجميع: ${title}`,
      paragraphs: [`وقّع الجميع «${title}» وخُتم المستند. احصل على الملف المختوم خلال 30 يومًا.`],
    }),
    voided: ({ title, by }) => ({
      subject: `لم يعد مطلوبًا: ${title}`,
      paragraphs: [`سحب ${by} طلب توقيع «${title}». لا يلزمك فعل شيء.`],
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
    requested: ({ title, by, until, message }) => ({
      subject: `署名のお願い: ${title}`,
      paragraphs: [
        `${by} が「${title}」への署名をお願いしています。内容をご確認のうえ、${until} までにご判断ください。`,
        ...quoted(message, 'メッセージ:'),
      ],
      notes: ['このリンクはあなた専用です。リンクを持つ人は誰でもあなたの名前で署名できます。他の人に渡さないでください。'],
    }),
    reminded: ({ title, by, until }) => ({
      subject: `リマインダー: ${title} への署名をお願いします`,
      paragraphs: [`${by} が「${title}」への署名を待っています。リンクの有効期限は ${until} です。`],
    }),
    completed: ({ title }) => ({
      subject: `全員が署名しました: ${title}`,
      paragraphs: [`全員が「${title}」に署名し、文書が電子的に封印されました。30日以内にファイルを取得してください。`],
    }),
    voided: ({ title, by }) => ({
      subject: `不要になりました: ${title}`,
      paragraphs: [`${by} が「${title}」への署名の依頼を取り消しました。何もする必要はありません。`],
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

/** Emails with a button. They list the documents of a request with several. */
export const signerMailButtons: Record<SignerLocale, Partial<Record<SignerMailKind, string>>> = {
  en: { requested: 'Read and sign', reminded: 'Read and sign', completed: 'Download the file' },
  de: { requested: 'Lesen und unterzeichnen', reminded: 'Lesen und unterzeichnen', completed: 'Datei herunterladen' },
  ar: { requested: 'القراءة والتوقيع', reminded: 'القراءة والتوقيع', completed: 'تنزيل الملف' },
  ja: { requested: '確認して署名する', reminded: '確認して署名する', completed: 'ファイルを取得する' },
};
/** The requester with their team. The first team of a person often has their name. */
export const withTeam: Record<SignerLocale, (by: string, team: string) => string> = {
  en: (by, team) => `${by} of ${team}`,
  de: (by, team) => `${by} von ${team}`,
  ar: (by, team) => `${by} من ${team}`,
  ja: (by, team) => `${team} の ${by}`,
};
