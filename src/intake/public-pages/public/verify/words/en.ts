/** What the page of signed files says. */
export const en = {
  title: 'Check a signed PDF',
  lead: 'Whether a PDF is as it was when it was signed, by whose certificate and when, wherever that was. What you choose is sent here, looked at, and not kept.',
  codeTitle: 'Look up a verification code',
  choose: 'Signed PDF, up to 25 MB',
  check: 'Check the signatures',
  another: 'Check another document',
  request: {
    title: 'Signed with this service',
    document: 'Document',
    team: 'Asked by',
    sealedAt: 'Sealed',
    roles: { signer: 'Signed by', approver: 'Approved by' },
    known: {
      link: 'by the link that was mailed to them',
      code: 'by the link and a code that were mailed to them',
      account: 'signed in with their account',
    },
  },
  signatures: 'Signatures in the file',
  signature: 'Signature {n}',
  timestamp: 'Timestamp {n}',
  by: 'Certificate of',
  issuer: 'Issued by',
  at: 'Time',
  atSaid: '{time}, as the file says',
  atVouched: '{time}, as a timestamp authority says',
  covers: 'Covers',
  whole: 'the whole file',
  part: 'only a part: something stands behind it',
  result: 'Result',
  added: 'Added after signing',
  addedText: '{bytes} bytes',
  addedTypes: 'Of these kinds: {types}',
  validPart: 'Valid for the part that it covers',
  results: { valid: 'Valid', modified: 'Changed after signing', invalid: 'Not good', unknown: 'Unknown' },
  limits: 'What this tells, and what not',
  limitsList: [
    'It tells whether the file is as it was when it was signed, and whose certificate the signature was made with.',
    'It does not tell who a person is beyond what the issuer of the certificate has checked, nor whether somebody else took a certificate back: nothing is asked of others.',
    'It does not tell whether a signature is an advanced or a qualified one. In documents that were signed with this service, the signature in the file is the seal of the service; the people who signed, and how they were known, stand on the certificate page at its end.',
  ],
  said: {
    valid: {
      title: 'Valid, and unchanged since it was signed',
      text: 'Nothing that a reader of PDF shows was changed or added since, and this service trusts each certificate.',
    },
    content_changed: {
      title: 'Changed after signing',
      text: 'What was signed is not what the file says now. Do not rely on it, and ask for the original.',
    },
    added_after_signing: {
      title: 'Added to after signing',
      text: 'What was signed is still there, and more stands behind it, which that signature does not cover. It may be a further signature, or a changed page: ask whoever gave it to you.',
    },
    broken_signature: { title: 'A signature is not real', text: 'It was not made with the key of the certificate that it names.' },
    weak_algorithm: { title: 'A signature proves nothing', text: 'It is of a kind that can be forged by now.' },
    revoked: { title: 'The certificate was taken back', text: 'Its key may be known to others.' },
    not_a_pdf: { title: 'This is not a PDF', text: 'Choose the PDF that you were given.' },
    unsigned: {
      title: 'No signature was found',
      text: 'Nothing in the file tells whether it was changed. The picture of a signature is none.',
    },
    too_many_signatures: { title: 'Too many signatures', text: 'More than 50 are not looked at.' },
    not_understood: {
      title: 'A signature is not understood',
      text: 'It is of a kind that this service does not know. Open the file in a reader of PDF that checks signatures.',
    },
    expired: {
      title: 'Unchanged, and the certificate has ended',
      text: 'The file is as it was signed. Nobody who is trusted says that this was while the certificate was good.',
    },
    untrusted: {
      title: 'Unchanged, by a signer who is not known here',
      text: 'The file is as it was signed. Who issued the certificate is not known to this service, and anybody can make one in any name.',
    },
  },
  tooLarge: 'The file is larger than 25 MB. Larger ones are not looked at.',
  none: 'There was no file. Choose the PDF that you were given.',
};

export type SignedFileWords = typeof en;
