import { createHash } from 'node:crypto';

/** Languages of pages and emails for people without an account. */
export const signerLocales = ['en', 'de', 'ar', 'ja'] as const;
export type SignerLocale = (typeof signerLocales)[number];

/** Returns the supported language of a locale, or English. */
export function signerLocale(wanted: string | undefined): SignerLocale {
  const [tag = ''] = (wanted ?? '').toLowerCase().split('-');
  return signerLocales.find((one) => one === tag) ?? 'en';
}

/** ID of the consent texts. A changed text needs a new ID, and the old text stays here for existing signatures. */
export const consentId = 'simple-1';

const texts: Record<SignerLocale, string> = {
  en: 'I agree to sign this document electronically. By signing I show that I want to be bound by it, as I would by a signature on paper. The service records my name, my address, the time, the network address and the program that I sign with, and puts its own seal on the document when all have signed: it is a simple electronic signature. If I would rather sign on paper, or not at all, I decline.',
  de: 'Ich bin damit einverstanden, dieses Dokument elektronisch zu unterzeichnen. Mit meiner Unterschrift zeige ich, dass ich daran gebunden sein will wie durch eine Unterschrift auf Papier. Der Dienst hält meinen Namen, meine Adresse, den Zeitpunkt, die Netzadresse und das Programm fest, mit dem ich unterzeichne, und versieht das Dokument mit seinem eigenen Siegel, sobald alle unterzeichnet haben: Es ist eine einfache elektronische Signatur. Möchte ich lieber auf Papier oder gar nicht unterzeichnen, lehne ich ab.',
  ar: 'أوافق على توقيع هذا المستند إلكترونيًا. وبتوقيعي أُظهر أنني أريد الالتزام به كما لو وقّعته على الورق. تسجّل الخدمة اسمي وعنواني والوقت وعنوان الشبكة والبرنامج الذي أوقّع به، وتضع ختمها الخاص على المستند بعد توقيع الجميع: وهو توقيع إلكتروني بسيط. وإن فضّلت التوقيع على الورق أو عدم التوقيع، فأرفض.',
  ja: '私は、この文書に電子的に署名することに同意します。署名により、紙への署名と同様にこの文書に拘束される意思を示します。サービスは、私の氏名、アドレス、日時、ネットワークアドレス、署名に使用したプログラムを記録し、全員の署名後に文書へサービス自身の印を付します。これは単純な電子署名です。紙での署名を希望する場合、または署名しない場合は、辞退します。',
};

export type Consent = { id: string; locale: SignerLocale; text: string; sha256: string };

/** Returns the consent text: the text of the service, followed by the addition of the team. */
export function consentOf(locale: string, addition: string | null): Consent {
  const language = signerLocale(locale);
  const text = addition === null ? texts[language] : `${texts[language]}\n\n${addition}`;
  return { id: consentId, locale: language, text, sha256: createHash('sha256').update(text).digest('hex') };
}
