import type { Breach, BrokenRule } from './checks.ts';
import { isDate } from './calendar.ts';

/** The languages of error texts. */
export const messageLocales = ['en', 'de', 'ar', 'ja'] as const;

type Words = Record<BrokenRule, string>;

const en: Words = {
  required: 'Please answer this question.',
  text: 'Please enter text.',
  characters: 'Please remove characters that cannot be shown.',
  number: 'Please enter a number.',
  integer: 'Please enter a whole number.',
  digits: 'Too many digits: at most {limit} are kept exactly.',
  yesNo: 'Please choose yes or no.',
  list: 'Please choose from the list.',
  option: 'Please choose one of the options.',
  duplicate: 'This was chosen twice.',
  email: 'Please enter an e-mail address, such as name@example.com.',
  phone: 'Please enter a phone number, such as +44 20 7946 0000.',
  url: 'Please enter a web address that begins with https:// or http://.',
  country: 'Please choose a country.',
  currency: 'Please choose a currency.',
  money: 'Please enter an amount, such as 12.50.',
  date: 'Please enter a date.',
  time: 'Please enter a time of day.',
  datetime: 'Please enter a date and a time.',
  address: 'Please enter an address.',
  upload: 'Please upload the file again.',
  record: 'Please choose an entry.',
  signature: 'Please sign.',
  consent: 'Please agree to go on.',
  min: 'Too small: the minimum is {limit}.',
  max: 'Too large: the maximum is {limit}.',
  step: 'Only multiples of {limit} are allowed.',
  minLength: 'Too short: the minimum length is {limit}.',
  maxLength: 'Too long: the maximum length is {limit}.',
  lines: 'Too many lines: the maximum is {limit}. Please use fewer line breaks.',
  pattern: 'Please use the required format.',
  patternTime: 'We could not check this format in time. Please shorten the answer, or try again later.',
  minItems: 'Please choose at least {limit}.',
  maxItems: 'Please choose at most {limit}.',
  accept: 'Files of this type are not accepted.',
  maxSizeMb: 'The file is too large: the maximum is {limit} MB.',
};

const de: Words = {
  required: 'Bitte beantworten Sie diese Frage.',
  text: 'Bitte geben Sie Text ein.',
  characters: 'Bitte entfernen Sie Zeichen, die nicht dargestellt werden können.',
  number: 'Bitte geben Sie eine Zahl ein.',
  integer: 'Bitte geben Sie eine ganze Zahl ein.',
  digits: 'Zu viele Ziffern: Höchstens {limit} werden genau übernommen.',
  yesNo: 'Bitte wählen Sie Ja oder Nein.',
  list: 'Bitte wählen Sie aus der Liste.',
  option: 'Bitte wählen Sie eine der Möglichkeiten.',
  duplicate: 'Das wurde zweimal gewählt.',
  email: 'Bitte geben Sie eine E-Mail-Adresse ein, etwa name@example.com.',
  phone: 'Bitte geben Sie eine Telefonnummer ein, etwa +49 30 901820.',
  url: 'Bitte geben Sie eine Webadresse ein, die mit https:// oder http:// beginnt.',
  country: 'Bitte wählen Sie ein Land.',
  currency: 'Bitte wählen Sie eine Währung.',
  money: 'Bitte geben Sie einen Betrag ein, etwa 12,50.',
  date: 'Bitte geben Sie ein Datum ein.',
  time: 'Bitte geben Sie eine Uhrzeit ein.',
  datetime: 'Bitte geben Sie Datum und Uhrzeit ein.',
  address: 'Bitte geben Sie eine Anschrift ein.',
  upload: 'Bitte laden Sie die Datei noch einmal hoch.',
  record: 'Bitte wählen Sie einen Eintrag.',
  signature: 'Bitte unterschreiben Sie.',
  consent: 'Bitte stimmen Sie zu, um fortzufahren.',
  min: 'Zu klein: Mindestens {limit} ist möglich.',
  max: 'Zu groß: Höchstens {limit} ist möglich.',
  step: 'Hier sind nur Vielfache von {limit} möglich.',
  minLength: 'Zu kurz: Die Mindestlänge ist {limit}.',
  maxLength: 'Zu lang: Die Höchstlänge ist {limit}.',
  lines: 'Zu viele Zeilen: Höchstens {limit} sind möglich. Bitte verwenden Sie weniger Zeilenumbrüche.',
  pattern: 'Bitte verwenden Sie das verlangte Format.',
  patternTime: 'Das Format konnte nicht rechtzeitig geprüft werden. Bitte kürzen Sie die Antwort, oder versuchen Sie es später erneut.',
  minItems: 'Bitte wählen Sie mindestens {limit}.',
  maxItems: 'Bitte wählen Sie höchstens {limit}.',
  accept: 'Dateien dieses Typs werden nicht akzeptiert.',
  maxSizeMb: 'Die Datei ist zu groß: Höchstens {limit} MB sind möglich.',
};

const ar: Words = {
  required: 'يرجى الإجابة عن هذا السؤال.',
  text: 'يرجى إدخال نص.',
  characters: 'يرجى إزالة الأحرف التي لا يمكن عرضها.',
  number: 'يرجى إدخال رقم.',
  integer: 'يرجى إدخال عدد صحيح.',
  digits: 'عدد الأرقام كبير جدًا: الحد الأقصى الذي يُحفظ بدقة هو {limit}.',
  yesNo: 'يرجى اختيار نعم أو لا.',
  list: 'يرجى الاختيار من القائمة.',
  option: 'يرجى اختيار أحد الخيارات.',
  duplicate: 'تم اختيار هذا مرتين.',
  email: 'يرجى إدخال عنوان بريد إلكتروني، مثل name@example.com.',
  phone: 'يرجى إدخال رقم هاتف، مثل ‎+971 4 123 4567.',
  url: 'يرجى إدخال عنوان ويب يبدأ بـ ‎https:// أو ‎http://.',
  country: 'يرجى اختيار بلد.',
  currency: 'يرجى اختيار عملة.',
  money: 'يرجى إدخال مبلغ، مثل 12.50.',
  date: 'يرجى إدخال تاريخ.',
  time: 'يرجى إدخال وقت.',
  datetime: 'يرجى إدخال التاريخ والوقت.',
  address: 'يرجى إدخال عنوان.',
  upload: 'يرجى تحميل الملف مرة أخرى.',
  record: 'يرجى اختيار أحد المدخلات.',
  signature: 'يرجى التوقيع.',
  consent: 'يرجى الموافقة للمتابعة.',
  min: 'القيمة صغيرة جدًا: الحد الأدنى هو {limit}.',
  max: 'القيمة كبيرة جدًا: الحد الأقصى هو {limit}.',
  step: 'يُسمح هنا بمضاعفات {limit} فقط.',
  minLength: 'النص قصير جدًا: الحد الأدنى للطول هو {limit}.',
  maxLength: 'النص طويل جدًا: الحد الأقصى للطول هو {limit}.',
  lines: 'عدد الأسطر كبير جدًا: الحد الأقصى هو {limit}. يُرجى تقليل فواصل الأسطر.',
  pattern: 'يرجى استخدام التنسيق المطلوب.',
  patternTime: 'تعذر التحقق من التنسيق في الوقت المحدد. يرجى اختصار الإجابة أو إعادة المحاولة لاحقًا.',
  minItems: 'يرجى اختيار {limit} على الأقل.',
  maxItems: 'يرجى اختيار {limit} على الأكثر.',
  accept: 'لا تُقبل هنا ملفات من هذا النوع.',
  maxSizeMb: 'الملف كبير جدًا: الحد الأقصى هو {limit} ميغابايت.',
};

const ja: Words = {
  required: 'この質問に回答してください。',
  text: '文字を入力してください。',
  characters: '表示できない文字を削除してください。',
  number: '数値を入力してください。',
  integer: '整数を入力してください。',
  digits: '桁数が多すぎます。正確に保存できるのは{limit}桁までです。',
  yesNo: '「はい」または「いいえ」を選択してください。',
  list: '一覧から選択してください。',
  option: '選択肢の中から選択してください。',
  duplicate: '同じものが重複して選択されています。',
  email: 'メールアドレスを入力してください(例:name@example.com)。',
  phone: '電話番号を入力してください(例:+81 3 1234 5678)。',
  url: 'https:// または http:// で始まるウェブアドレスを入力してください。',
  country: '国を選択してください。',
  currency: '通貨を選択してください。',
  money: '金額を入力してください(例:12.50)。',
  date: '日付を入力してください。',
  time: '時刻を入力してください。',
  datetime: '日付と時刻を入力してください。',
  address: '住所を入力してください。',
  upload: 'ファイルをもう一度アップロードしてください。',
  record: '項目を選択してください。',
  signature: '署名してください。',
  consent: '続けるには同意が必要です。',
  min: '値が小さすぎます。最小値は {limit} です。',
  max: '値が大きすぎます。最大値は {limit} です。',
  step: '{limit} の倍数のみ入力できます。',
  minLength: '短すぎます。最小の長さは {limit} です。',
  maxLength: '長すぎます。最大の長さは {limit} です。',
  lines: '行数が多すぎます。最大 {limit} 行です。改行を減らしてください。',
  pattern: '指定された形式で入力してください。',
  patternTime: '時間内に形式を確認できませんでした。回答を短くするか、後でもう一度お試しください。',
  minItems: '{limit} 個以上選択してください。',
  maxItems: '選択できるのは {limit} 個までです。',
  accept: 'この種類のファイルは受け付けていません。',
  maxSizeMb: 'ファイルが大きすぎます。最大は {limit} MB です。',
};

const early: Record<(typeof messageLocales)[number], { min: string; max: string }> = {
  en: { min: 'Too early: the earliest is {limit}.', max: 'Too late: the latest is {limit}.' },
  de: { min: 'Zu früh: Frühestens {limit} ist möglich.', max: 'Zu spät: Spätestens {limit} ist möglich.' },
  ar: { min: 'مبكر جدًا: أقرب موعد هو {limit}.', max: 'متأخر جدًا: آخر موعد هو {limit}.' },
  ja: { min: '早すぎます。最も早いのは {limit} です。', max: '遅すぎます。最も遅いのは {limit} です。' },
};

const words = { en, de, ar, ja };

/** Returns the language of error texts for a locale. */
export function messageLocale(locale: string): (typeof messageLocales)[number] {
  const base = locale.toLowerCase().split('-')[0];
  return messageLocales.find((one) => one === base) ?? 'en';
}

/** Returns the error text for a broken rule, in the language of the locale if available, otherwise in English. */
export function messageOf({ rule, limit }: Breach, locale: string): string {
  const ours = messageLocale(locale);
  const text = typeof limit === 'string' && (rule === 'min' || rule === 'max') ? early[ours][rule] : words[ours][rule];
  return limit === undefined ? text : text.replace('{limit}', () => shown(limit, ours));
}

function shown(limit: number | string, locale: string): string {
  if (typeof limit === 'number') return new Intl.NumberFormat(locale, { maximumFractionDigits: 10 }).format(limit);
  return isDate(limit) ? new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(limit)) : limit;
}
