import type { DomainText } from '../../platform/http/openapi/texts.ts';
import { requestText } from './requests/description.ts';

/** What the description of the API says of these operations. */
export const description: DomainText = {
  members: requestText.members ?? {},
  operations: {
    ...requestText.operations,
    verifySignedFile: {
      text: `Says of a PDF, signed wherever it was, whether it is as it was signed, by whom and when. \`valid\`: nothing was changed or added, and the operator of
this service trusts the certificate or its authority (\`VERIFY_TRUST\`), or the seal is of this service. \`modified\`: what was signed was changed, or something was added behind it,
which \`added\` names: an object that nothing shows as well. \`invalid\`: a signature is not of the key of its certificate, or of a kind that is broken by now (SHA-1, short keys). \`unknown\`:
not signed, not trusted, or not understood. Among several signatures the gravest rules, and who signed a part has not agreed to what came later.

Where the file is one that this service sealed, byte for byte, \`request\` says who signed it and when, as its certificate page does.

What only proves a signature, such as revocation lists and timestamps of the document, leaves it whole. Whether a certificate of others was revoked is not
looked up, and nothing that the file names is fetched. The file is at most 25 MiB and is not kept. From one
address 10 files a minute are looked at.`,
      problems: ['file_required', 'file_too_complex', 'storage_full'],
      answer: {
        status: 'valid',
        signatures: [{ status: 'valid', kind: 'signature', covers: 'whole', name: 'Olivia Owner', issuer: 'Example Trust Services' }],
      },
      otherAnswers: {
        'It was sealed by this service': {
          status: 'valid',
          request: {
            id: '019d2f4e-6a00-7c2b-9a54-000000000091',
            title: 'Services agreement',
            team: 'Harbour & Lane',
            sealedAt: '2026-03-10T09:00:04.000Z',
            signers: [{ name: 'Ada Acme', role: 'signer', signedAt: '2026-03-10T09:00:00.000Z', known: 'code' }],
          },
          signatures: [
            { status: 'valid', kind: 'signature', covers: 'whole', name: 'chancery.example', issuer: 'chancery.example Seal Authority' },
          ],
        },
        'Something was added': {
          status: 'modified',
          reason: 'added_after_signing',
          signatures: [{ status: 'valid', kind: 'signature', covers: 'part', name: 'Olivia Owner', issuer: 'Example Trust Services' }],
          added: { bytes: 1_204, objects: 2, types: ['Annot', 'Page'] },
        },
        'It is not signed': { status: 'unknown', reason: 'unsigned', signatures: [] },
      },
    },
  },
};
