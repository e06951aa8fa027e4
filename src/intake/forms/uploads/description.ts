import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const gone = ['interface_not_found', 'interface_closed', 'interface_full'];
const proof = ['altcha_required', 'altcha_invalid', 'altcha_expired', 'altcha_already_used'];
const refused = ['file_required', 'file_empty', 'file_infected', 'storage_full', 'upload_limit', 'uploads_disabled', 'quota_exceeded'];
const answer = { fileId: desk.submission, fileName: 'delivery-note.pdf', mediaType: 'application/pdf', size: 48_213 };

const flow =
  'Send it as `multipart/form-data` with the part `file`. Chancery detects the type from the content, not from the name. Types that the form does not accept get 415, and larger files get 413. With a configured virus scanner, Chancery scans each file, and rejects uploads while the scanner is unavailable. Send `fileId` as the answer to a field of type `file` or `signature`. Files without a submission are deleted after a day.';

export const uploadText: DomainText['operations'] = {
  uploadPublicFile: {
    text: `Uploads a file for a form before its submission. ${flow} The first file of a visitor starts a session. Send its cookie or \`x-submission-session\` with the next files and the answers: only that session can refer to the file. If the form requires a proof of work, send the part \`altcha\` before the part \`file\` of the first upload. A session can send at most 10 files and 100 MiB.`,
    records: ['upload.received'],
    problems: [...refused, ...gone, ...proof],
    never: ['not_found'],
    answer,
  },
  uploadApiFile: {
    text: `Uploads a file as a program for a later submission. The token of the API channel is the credential. ${flow} No proof of work is required.`,
    records: ['upload.received'],
    problems: [...refused, ...gone],
    never: ['not_found'],
    answer,
  },
  downloadSubmissionFile: {
    text: 'Downloads a file of a submission as an attachment that no browser shows or runs. `Range` requests a part of it. The journal records each download with its reader; `HEAD` reads and records nothing. With `If-None-Match` an unchanged file is not sent again. The file comes from a visitor: check it before you open it, even if a virus scanner found nothing.',
    records: ['submission.file_read'],
    problems: ['forbidden'],
  },
};
