/** The texts of the page for signed files. A name in braces is replaced by its value. */
export const en = {
  title: 'Check a signed PDF',
  intro:
    'Check whether a PDF is unchanged since it was signed, with the certificate and the time of each signature. The file is sent to this service, checked, and not stored.',
  codeTitle: 'Check a verification code',
  choose: 'Signed PDF, up to 25 MB',
  check: 'Check the signatures',
  another: 'Check another document',
  request: {
    title: 'Signed with this service',
    document: 'Document',
    team: 'Requested by',
    sealedAt: 'Sealed',
    roles: { signer: 'Signed by', approver: 'Approved by' },
    known: {
      link: 'by the link in the e-mail',
      code: 'by the link and a code in e-mails',
      account: 'signed in with their account',
    },
  },
  signatures: 'Signatures in the file',
  signature: 'Signature {n}',
  timestamp: 'Timestamp {n}',
  by: 'Certificate of',
  issuer: 'Issued by',
  at: 'Time',
  atSaid: '{time}, according to the file',
  atVouched: '{time}, according to a timestamp authority',
  covers: 'Covers',
  whole: 'the whole file',
  part: 'only a part: there is more content after it',
  result: 'Result',
  added: 'Added after signing',
  addedText: '{bytes} bytes',
  addedTypes: 'Types: {types}',
  validPart: 'Valid for the covered part',
  results: { valid: 'Valid', modified: 'Changed after signing', invalid: 'Invalid', unknown: 'Unknown' },
  limits: 'What this check proves',
  limitsList: [
    'It shows whether the file is unchanged since it was signed, and the certificate of each signature.',
    'The identity of a signer is only as certain as the check of the certificate issuer. This service does not ask issuers whether a certificate was revoked.',
    'It does not show whether a signature is advanced or qualified. In documents of this service, the signature in the file is the seal of the service. The signers, and how they were identified, are on the certificate page at the end.',
  ],
  said: {
    valid: {
      title: 'Valid and unchanged since it was signed',
      text: 'Nothing visible was changed or added after signing, and this service trusts each certificate.',
    },
    content_changed: {
      title: 'Changed after signing',
      text: 'The contents of the file differ from the signed contents. Do not rely on it, and ask for the original.',
    },
    added_after_signing: {
      title: 'Content added after signing',
      text: 'The signed contents are still there, but the file has more content that this signature does not cover. It can be another signature or a changed page: ask the person who gave you the file.',
    },
    broken_signature: { title: 'A signature is forged', text: 'It was not made with the key of its certificate.' },
    weak_algorithm: { title: 'A signature proves nothing', text: 'It uses an algorithm that can be forged today.' },
    revoked: { title: 'The certificate was revoked', text: 'Other people may have its key.' },
    not_a_pdf: { title: 'This is not a PDF', text: 'Choose the PDF that you received.' },
    unsigned: {
      title: 'No signature found',
      text: 'The file has no proof that it is unchanged. An image of a signature is not a digital signature.',
    },
    too_many_signatures: { title: 'Too many signatures', text: 'This service checks at most 50 signatures.' },
    not_understood: {
      title: 'Unknown type of signature',
      text: 'This service does not support it. Open the file in a PDF reader that verifies signatures.',
    },
    expired: {
      title: 'Unchanged, but the certificate has expired',
      text: 'The file is unchanged since it was signed. There is no trusted proof that it was signed while the certificate was valid.',
    },
    untrusted: {
      title: 'Unchanged, but the signer is unknown',
      text: 'The file is unchanged since it was signed. This service does not know the issuer of the certificate, and anyone can create a certificate with any name.',
    },
  },
  tooLarge: 'The file is larger than 25 MB, which is the maximum.',
  none: 'There is no file. Choose the PDF that you received.',
};

export type SignedFileWords = typeof en;
