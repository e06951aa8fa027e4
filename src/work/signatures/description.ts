import type { DomainText } from '../../platform/http/openapi/texts.ts';
import { requestText } from './requests/description.ts';

/** The API texts of these operations. */
export const description: DomainText = {
  members: requestText.members ?? {},
  operations: {
    ...requestText.operations,
    verifySignedFile: {
      text: `Verifies the signatures of any PDF. Send it as multipart/form-data with the part \`file\` (at most 25 MiB). The file is not stored.

The status is \`valid\` if the file is unchanged, and this service sealed it or the operator trusts the certificate or its authority (\`VERIFY_TRUST\`).
It is \`modified\` if signed content changed or content was added after signing. \`added\` describes that content, even if no page shows it.
It is \`invalid\` if a signature does not match its certificate or uses a weak algorithm (SHA-1, short keys).
It is \`unknown\` if the file is not signed, not trusted or not supported.

If there are several signatures, the most severe status applies. A signature of a part of the file does not cover later content.

If this service sealed the file and every byte is the same, \`request\` has the signers and times of the certificate page.

Revocation lists and timestamps added after signing do not count as changes. The service does not check whether other issuers revoked a certificate, and does
not fetch addresses from the file. You can verify 10 files a minute from one IP address.`,
      problems: ['file_required', 'file_too_complex', 'storage_full'],
      answer: {
        status: 'valid',
        signatures: [{ status: 'valid', kind: 'signature', covers: 'whole', name: 'Olivia Owner', issuer: 'Example Trust Services' }],
      },
      otherAnswers: {
        'Sealed by this service': {
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
        'Content was added after signing': {
          status: 'modified',
          reason: 'added_after_signing',
          signatures: [{ status: 'valid', kind: 'signature', covers: 'part', name: 'Olivia Owner', issuer: 'Example Trust Services' }],
          added: { bytes: 1_204, objects: 2, types: ['Annot', 'Page'] },
        },
        'Not signed': { status: 'unknown', reason: 'unsigned', signatures: [] },
      },
    },
  },
};
