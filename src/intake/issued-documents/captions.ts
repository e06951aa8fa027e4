/** The fixed texts of a document. */
export type Captions = {
  kind: string;
  page: string;
  nothing: string;
  given: string;
  notGiven: string;
  submitted: string;
  reference: string;
  booked: string;
  version: string;
  verify: string;
  verifyHelp: string;
  code: string;
  yes: string;
  no: string;
};

const english: Captions = {
  kind: 'Record of answers',
  page: '{page} of {pages}',
  nothing: 'No answer',
  given: 'Agreed',
  notGiven: 'Not agreed',
  submitted: 'Submitted',
  reference: 'Reference',
  booked: 'Booked time',
  version: 'Version of the form',
  verify: 'Is this copy authentic?',
  verifyHelp:
    'Scan the code or open the address, and choose this file there. The page shows the issuer and the date of the document, and whether the file is unchanged. The file stays on your device.',
  code: 'Code with the verification address',
  yes: 'Yes',
  no: 'No',
};

const german: Captions = {
  kind: 'Protokoll der Antworten',
  page: '{page} von {pages}',
  nothing: 'Keine Angabe',
  given: 'Zugestimmt',
  notGiven: 'Nicht zugestimmt',
  submitted: 'Eingereicht',
  reference: 'Kennung',
  booked: 'Gebuchter Termin',
  version: 'Version des Formulars',
  verify: 'Ist diese Kopie echt?',
  verifyHelp:
    'Scannen Sie den Code oder öffnen Sie die Adresse und wählen Sie dort diese Datei aus. Die Seite zeigt, wer das Dokument wann ausgestellt hat und ob die Datei unverändert ist. Die Datei bleibt auf Ihrem Gerät.',
  code: 'Code mit der Adresse zur Prüfung',
  yes: 'Ja',
  no: 'Nein',
};

const arabic: Captions = {
  kind: 'سجل الإجابات',
  page: '{page} من {pages}',
  nothing: 'بلا إجابة',
  given: 'تمت الموافقة',
  notGiven: 'لم تتم الموافقة',
  submitted: 'تاريخ الإرسال',
  reference: 'الرقم المرجعي',
  booked: 'الموعد المحجوز',
  version: 'إصدار النموذج',
  verify: 'هل هذه النسخة أصلية؟',
  verifyHelp:
    'امسح الرمز أو افتح العنوان ثم اختر هذا الملف هناك. تبيّن الصفحة من أصدر المستند ومتى، وهل بقي الملف دون تغيير. يبقى الملف على جهازك.',
  code: 'رمز يقود إلى عنوان التحقق',
  yes: 'نعم',
  no: 'لا',
};

const japanese: Captions = {
  kind: '回答の記録',
  page: '{page} / {pages} ページ',
  nothing: '未回答',
  given: '同意済み',
  notGiven: '未同意',
  submitted: '送信日時',
  reference: '受付番号',
  booked: '予約日時',
  version: 'フォームの版',
  verify: 'この文書が本物か確認する',
  verifyHelp:
    'コードを読み取るかアドレスを開き、そこでこのファイルを選択してください。文書の発行者と発行日時、ファイルが改変されていないかが表示されます。ファイルは端末の外に送信されません。',
  code: '確認用アドレスを開くコード',
  yes: 'はい',
  no: 'いいえ',
};

const byLanguage: Readonly<Record<string, Captions>> = { en: english, de: german, ar: arabic, ja: japanese };

/** Returns the captions of a locale such as `de-AT`, otherwise in English. */
export function captionsOf(locale: string): { captions: Captions; language: string } {
  const language = new Intl.Locale(locale).language;
  const captions = byLanguage[language];
  return captions ? { captions, language } : { captions: english, language: 'en' };
}
