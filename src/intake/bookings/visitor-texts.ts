import type { MailDraft } from '../../platform/mail/compose.ts';
import type { NotificationKind } from './notifications.ts';

/** The languages of mails to visitors. */
export const visitorLanguages = ['en', 'de', 'ar', 'ja'] as const;
export type VisitorLanguage = (typeof visitorLanguages)[number];

/** Returns the mail language for a locale such as `de-AT`. */
export function visitorLanguage(locale: string): VisitorLanguage {
  const [tag = ''] = locale.toLowerCase().split(/[-_]/);
  return visitorLanguages.find((language) => language === tag) ?? 'en';
}

/** The data of a mail: texts without links, and formatted times. */
export type VisitorMailData = { title: string; with: string; time: string; before: string; requested: string; byVisitor: boolean };

type Words = {
  of: Record<NotificationKind, (said: VisitorMailData) => MailDraft>;
  /** The labels of the button, and of the link to the file for calendars. */
  confirm: string;
  manage: string;
  file: string;
  reason: (text: string) => string;
};

const en: Words = {
  of: {
    held: ({ title, with: by, time }) => ({
      subject: `Please confirm: ${title}`,
      paragraphs: [
        `you requested an appointment with ${by} (“${title}”): ${time}.`,
        'We reserve the time for 15 minutes. Confirm your booking within this time.',
      ],
    }),
    pending: ({ title, with: by, time }) => ({
      subject: `Your request: ${title}`,
      paragraphs: [
        `you requested an appointment with ${by} (“${title}”): ${time}.`,
        'The time is reserved for you. We will email you when it is confirmed.',
      ],
    }),
    confirmed: ({ title, with: by, time }) => ({
      subject: `Your appointment: ${title}`,
      paragraphs: [`your appointment with ${by} (“${title}”) is confirmed: ${time}.`],
    }),
    moved: ({ title, with: by, time, before }) => ({
      subject: `New time: ${title}`,
      paragraphs: [`your appointment with ${by} (“${title}”) was moved to ${time}.`, `Previous time: ${before}.`],
    }),
    move_requested: ({ title, with: by, time, requested }) => ({
      subject: `Your request for another time: ${title}`,
      paragraphs: [
        `you requested another time from ${by} (“${title}”): ${requested}.`,
        `Until this is confirmed, your appointment keeps its time: ${time}.`,
      ],
    }),
    move_declined: ({ title, with: by, time }) => ({
      subject: `New time declined: ${title}`,
      paragraphs: [`${by} did not confirm the other time that you requested. Your appointment (“${title}”) keeps its time: ${time}.`],
    }),
    cancelled: ({ title, with: by, time, byVisitor }) => ({
      subject: `Cancelled: ${title}`,
      paragraphs: [
        byVisitor
          ? `you cancelled your appointment with ${by} (“${title}”): ${time}.`
          : `${by} cancelled your appointment (“${title}”): ${time}.`,
      ],
    }),
    declined: ({ title, with: by, time }) => ({
      subject: `Declined: ${title}`,
      paragraphs: [`${by} cannot offer the appointment that you requested (“${title}”): ${time}.`],
    }),
    expired: ({ title, with: by, time }) => ({
      subject: `Not confirmed: ${title}`,
      paragraphs: [
        `the appointment that you requested with ${by} (“${title}”) was not confirmed in time: ${time}. You can choose another time.`,
      ],
    }),
    reminder: ({ title, with: by, time }) => ({
      subject: `Reminder: ${title}`,
      paragraphs: [`your appointment with ${by} (“${title}”) is coming up: ${time}.`],
    }),
  },
  confirm: 'Confirm your booking',
  manage: 'View, move or cancel',
  file: 'Add it to your calendar',
  reason: (text) => `The reason given: ${text}`,
};

const de: Words = {
  of: {
    held: ({ title, with: by, time }) => ({
      subject: `Bitte bestätigen: ${title}`,
      paragraphs: [
        `Sie haben einen Termin bei ${by} angefragt („${title}“): ${time}.`,
        'Wir halten die Zeit 15 Minuten frei. Bestätigen Sie die Buchung in dieser Zeit.',
      ],
    }),
    pending: ({ title, with: by, time }) => ({
      subject: `Ihre Anfrage: ${title}`,
      paragraphs: [
        `Sie haben einen Termin bei ${by} angefragt („${title}“): ${time}.`,
        'Die Zeit ist für Sie reserviert. Sie erhalten eine E-Mail, sobald sie bestätigt ist.',
      ],
    }),
    confirmed: ({ title, with: by, time }) => ({
      subject: `Ihr Termin: ${title}`,
      paragraphs: [`Ihr Termin bei ${by} („${title}“) ist bestätigt: ${time}.`],
    }),
    moved: ({ title, with: by, time, before }) => ({
      subject: `Neue Zeit: ${title}`,
      paragraphs: [`Ihr Termin bei ${by} („${title}“) wurde verlegt auf: ${time}.`, `Bisher: ${before}.`],
    }),
    move_requested: ({ title, with: by, time, requested }) => ({
      subject: `Ihr Terminwunsch: ${title}`,
      paragraphs: [
        `Sie haben ${by} um eine andere Zeit gebeten („${title}“): ${requested}.`,
        `Bis zur Bestätigung gilt Ihr bisheriger Termin: ${time}.`,
      ],
    }),
    move_declined: ({ title, with: by, time }) => ({
      subject: `Neue Zeit abgelehnt: ${title}`,
      paragraphs: [
        `Die andere Zeit, um die Sie ${by} gebeten haben, wurde nicht bestätigt. Ihr Termin („${title}“) bleibt bestehen: ${time}.`,
      ],
    }),
    cancelled: ({ title, with: by, time, byVisitor }) => ({
      subject: `Abgesagt: ${title}`,
      paragraphs: [
        byVisitor
          ? `Sie haben Ihren Termin bei ${by} abgesagt („${title}“): ${time}.`
          : `${by} hat Ihren Termin abgesagt („${title}“): ${time}.`,
      ],
    }),
    declined: ({ title, with: by, time }) => ({
      subject: `Abgelehnt: ${title}`,
      paragraphs: [`${by} kann den angefragten Termin („${title}“) nicht anbieten: ${time}.`],
    }),
    expired: ({ title, with: by, time }) => ({
      subject: `Nicht bestätigt: ${title}`,
      paragraphs: [
        `Der angefragte Termin bei ${by} („${title}“) wurde nicht rechtzeitig bestätigt: ${time}. Wählen Sie gern einen anderen.`,
      ],
    }),
    reminder: ({ title, with: by, time }) => ({
      subject: `Erinnerung: ${title}`,
      paragraphs: [`Ihr Termin bei ${by} („${title}“) steht bevor: ${time}.`],
    }),
  },
  confirm: 'Buchung bestätigen',
  manage: 'Ansehen, verlegen oder absagen',
  file: 'In den Kalender übernehmen',
  reason: (text) => `Der angegebene Grund: ${text}`,
};

const ar: Words = {
  of: {
    held: ({ title, with: by, time }) => ({
      subject: `يرجى التأكيد: ${title}`,
      paragraphs: [`لقد طلبت موعدًا لدى ${by} («${title}»): ${time}.`, 'الموعد محجوز لك لمدة 15 دقيقة. يرجى تأكيد حجزك خلالها.'],
    }),
    pending: ({ title, with: by, time }) => ({
      subject: `طلبك: ${title}`,
      paragraphs: [`لقد طلبت موعدًا لدى ${by} («${title}»): ${time}.`, 'الوقت محجوز لك، وسنخبرك عند تأكيده.'],
    }),
    confirmed: ({ title, with: by, time }) => ({
      subject: `موعدك: ${title}`,
      paragraphs: [`تم تأكيد موعدك لدى ${by} («${title}»): ${time}.`],
    }),
    moved: ({ title, with: by, time, before }) => ({
      subject: `موعد جديد: ${title}`,
      paragraphs: [`أصبح موعدك لدى ${by} («${title}») في وقت جديد: ${time}.`, `سابقًا: ${before}.`],
    }),
    move_requested: ({ title, with: by, time, requested }) => ({
      subject: `طلبك لوقت آخر: ${title}`,
      paragraphs: [`لقد طلبت من ${by} وقتًا آخر («${title}»): ${requested}.`, `إلى أن يتم تأكيد ذلك يبقى موعدك كما هو: ${time}.`],
    }),
    move_declined: ({ title, with: by, time }) => ({
      subject: `لم يتغير الموعد: ${title}`,
      paragraphs: [`لم يتم تأكيد الوقت الآخر الذي طلبته من ${by}. يبقى موعدك («${title}») كما هو: ${time}.`],
    }),
    cancelled: ({ title, with: by, time, byVisitor }) => ({
      subject: `أُلغي: ${title}`,
      paragraphs: [byVisitor ? `لقد ألغيت موعدك لدى ${by} («${title}»): ${time}.` : `ألغى ${by} موعدك («${title}»): ${time}.`],
    }),
    declined: ({ title, with: by, time }) => ({
      subject: `لم يُقبل: ${title}`,
      paragraphs: [`لا يستطيع ${by} تقديم الموعد الذي طلبته («${title}»): ${time}.`],
    }),
    expired: ({ title, with: by, time }) => ({
      subject: `لم يتم التأكيد: ${title}`,
      paragraphs: [`لم يتم تأكيد الموعد الذي طلبته لدى ${by} («${title}») في الوقت المحدد: ${time}. يسعدنا أن تختار موعدًا آخر.`],
    }),
    reminder: ({ title, with: by, time }) => ({
      subject: `تذكير: ${title}`,
      paragraphs: [`اقترب موعدك لدى ${by} («${title}»): ${time}.`],
    }),
  },
  confirm: 'تأكيد الحجز',
  manage: 'عرض الموعد أو تغييره أو إلغاؤه',
  file: 'إضافة الموعد إلى تقويمك',
  reason: (text) => `السبب المذكور: ${text}`,
};

const ja: Words = {
  of: {
    held: ({ title, with: by, time }) => ({
      subject: `ご確認ください：${title}`,
      paragraphs: [`${by}へのご予約（「${title}」）を承りました：${time}`, '15分間お取り置きします。その間に予約を確定してください。'],
    }),
    pending: ({ title, with: by, time }) => ({
      subject: `ご予約の申し込み：${title}`,
      paragraphs: [
        `${by}へのご予約（「${title}」）のお申し込みを承りました：${time}`,
        'この時間をお取り置きしています。確定しましたらお知らせします。',
      ],
    }),
    confirmed: ({ title, with: by, time }) => ({
      subject: `ご予約の確定：${title}`,
      paragraphs: [`${by}とのご予約（「${title}」）が確定しました：${time}`],
    }),
    moved: ({ title, with: by, time, before }) => ({
      subject: `日時の変更：${title}`,
      paragraphs: [`${by}とのご予約（「${title}」）の日時が変わりました：${time}`, `変更前：${before}`],
    }),
    move_requested: ({ title, with: by, time, requested }) => ({
      subject: `日時変更の申し込み：${title}`,
      paragraphs: [`${by}に日時の変更（「${title}」）を申し込みました：${requested}`, `確定するまでは、いまのご予約のままです：${time}`],
    }),
    move_declined: ({ title, with: by, time }) => ({
      subject: `日時は変わりません：${title}`,
      paragraphs: [`${by}に申し込まれた日時の変更は確定しませんでした。ご予約（「${title}」）はいまのままです：${time}`],
    }),
    cancelled: ({ title, with: by, time, byVisitor }) => ({
      subject: `キャンセル：${title}`,
      paragraphs: [
        byVisitor
          ? `${by}とのご予約（「${title}」）をキャンセルしました：${time}`
          : `${by}がご予約（「${title}」）をキャンセルしました：${time}`,
      ],
    }),
    declined: ({ title, with: by, time }) => ({
      subject: `お受けできません：${title}`,
      paragraphs: [`${by}は、お申し込みのご予約（「${title}」）をお受けできません：${time}`],
    }),
    expired: ({ title, with: by, time }) => ({
      subject: `確定しませんでした：${title}`,
      paragraphs: [`${by}へのご予約（「${title}」）は期限までに確定しませんでした：${time}。ほかの日時をお選びください。`],
    }),
    reminder: ({ title, with: by, time }) => ({
      subject: `リマインダー：${title}`,
      paragraphs: [`${by}とのご予約（「${title}」）の時間が近づいています：${time}`],
    }),
  },
  confirm: '予約を確定する',
  manage: '確認・変更・キャンセル',
  file: 'カレンダーに追加する',
  reason: (text) => `理由：${text}`,
};

export const visitorWords: Record<VisitorLanguage, Words> = { en, de, ar, ja };
