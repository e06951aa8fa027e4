import { createHash } from 'node:crypto';
import { isSignedBy, type RequestDocument } from './documents.ts';
import type { RequestRow } from './queries.ts';
import { signerLocale, type SignerLocale } from './signer-locale.ts';
import type { SignerRow } from './signer-queries.ts';

/**
 * The consent texts by ID: `simple-1` for a request with one document, `envelope-1` for several, which the text lists. A changed text needs a new ID,
 * and the old text stays here for existing signatures.
 */
const simple: Record<SignerLocale, string> = {
  en: 'I agree to sign this document electronically. By signing I show that I want to be bound by it, as I would by a signature on paper. The service records my name, my address, the time, the network address and the program that I sign with, and puts its own seal on the document when all have signed: it is a simple electronic signature. If I would rather sign on paper, or not at all, I decline.',
  de: 'Ich bin damit einverstanden, dieses Dokument elektronisch zu unterzeichnen. Mit meiner Unterschrift zeige ich, dass ich daran gebunden sein will wie durch eine Unterschrift auf Papier. Der Dienst hält meinen Namen, meine Adresse, den Zeitpunkt, die Netzadresse und das Programm fest, mit dem ich unterzeichne, und versieht das Dokument mit seinem eigenen Siegel, sobald alle unterzeichnet haben: Es ist eine einfache elektronische Signatur. Möchte ich lieber auf Papier oder gar nicht unterzeichnen, lehne ich ab.',
  ar: 'أوافق على توقيع هذا المستند إلكترونيًا. وبتوقيعي أُظهر أنني أريد الالتزام به كما لو وقّعته على الورق. تسجّل الخدمة اسمي وعنواني والوقت وعنوان الشبكة والبرنامج الذي أوقّع به، وتضع ختمها الخاص على المستند بعد توقيع الجميع: وهو توقيع إلكتروني بسيط. وإن فضّلت التوقيع على الورق أو عدم التوقيع، فأرفض.',
  ja: '私は、この文書に電子的に署名することに同意します。署名により、紙への署名と同様にこの文書に拘束される意思を示します。サービスは、私の氏名、アドレス、日時、ネットワークアドレス、署名に使用したプログラムを記録し、全員の署名後に文書へサービス自身の印を付します。これは単純な電子署名です。紙での署名を希望する場合、または署名しない場合は、辞退します。',
};

const envelope: Record<SignerLocale, string> = {
  en: 'I agree to sign the documents listed below electronically. By signing once I sign each of them, and show that I want to be bound by them, as I would by signatures on paper. The service records my name, my address, the time, the network address and the program that I sign with. When all have signed, it puts its own seal on each document: they are simple electronic signatures. If I would rather sign on paper, or not sign one of them, I decline.',
  de: 'Ich bin damit einverstanden, die unten genannten Dokumente elektronisch zu unterzeichnen. Mit einer Unterschrift unterzeichne ich jedes von ihnen und zeige, dass ich daran gebunden sein will wie durch Unterschriften auf Papier. Der Dienst hält meinen Namen, meine Adresse, den Zeitpunkt, die Netzadresse und das Programm fest, mit dem ich unterzeichne. Sobald alle unterzeichnet haben, versieht er jedes Dokument mit seinem eigenen Siegel: Es sind einfache elektronische Signaturen. Möchte ich lieber auf Papier unterzeichnen oder eines der Dokumente nicht unterzeichnen, lehne ich ab.',
  ar: 'أوافق على توقيع المستندات المذكورة أدناه إلكترونيًا. وبتوقيع واحد أوقّع كل مستند منها وأُظهر أنني أريد الالتزام بها كما لو وقّعتها على الورق. تسجّل الخدمة اسمي وعنواني والوقت وعنوان الشبكة والبرنامج الذي أوقّع به، وتضع ختمها الخاص على كل مستند بعد توقيع الجميع: وهي توقيعات إلكترونية بسيطة. وإن فضّلت التوقيع على الورق أو عدم توقيع أحد المستندات، فأرفض.',
  ja: '私は、下記の文書に電子的に署名することに同意します。一度の署名により各文書に署名し、紙への署名と同様に各文書に拘束される意思を示します。サービスは、私の氏名、アドレス、日時、ネットワークアドレス、署名に使用したプログラムを記録し、全員の署名後に各文書へサービス自身の印を付します。これらは単純な電子署名です。紙での署名を希望する場合、またはいずれかの文書に署名しない場合は、辞退します。',
};

export type Consent = { id: string; locale: SignerLocale; text: string; sha256: string };

/**
 * Returns the consent text of a signer, in the language of the signer. It has the text of the service, for several documents their titles and hashes,
 * and the addition of the team.
 */
export function consentFor({ request, signer }: { request: RequestRow; signer: Pick<SignerRow, 'id' | 'role' | 'locale'> }): Consent {
  const { documents, consent_addition: addition } = request;
  const locale = signerLocale(signer.locale);
  const [id, own] =
    documents.length === 1
      ? ['simple-1', [simple[locale]]]
      : ['envelope-1', [envelope[locale], listed(documents.filter((document) => isSignedBy(document, signer)))]];
  const text = [...own, ...(addition === null ? [] : [addition])].join('\n\n');
  return { id, locale, text, sha256: createHash('sha256').update(text).digest('hex') };
}

const listed = (documents: readonly RequestDocument[]): string =>
  documents.map(({ title, presentedSha256 }, at) => `${at + 1}. ${title}\nSHA-256 ${presentedSha256 ?? ''}`).join('\n');
