import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const gone = ['interface_not_found', 'interface_closed', 'interface_full'];
const proof = ['altcha_required', 'altcha_invalid', 'altcha_expired', 'altcha_already_used'];
const refused = ['file_required', 'file_empty', 'file_infected', 'storage_full', 'upload_limit', 'uploads_disabled', 'quota_exceeded'];
const answer = { fileId: desk.submission, fileName: 'delivery-note.pdf', mediaType: 'application/pdf', size: 48_213 };

const flow =
  'What the file is its bytes say, whatever its name or its sender: what the form does not take is 415, one that is larger than the form takes 413. Where the operator has a virus scanner each file is looked through, and none is taken while that is away. `fileId` is what the answer to a field of the type `file` or `signature` holds; what nobody submits within a day is deleted.';

export const uploadText: DomainText['operations'] = {
  uploadPublicFile: {
    text: `Takes a file from who fills in a form, before they submit it. ${flow} The first file of a visitor begins their session, whose cookie or \`x-submission-session\` is sent with the next and with the answers: only that session may name the file. Where the form asks for a proof of work, the part \`altcha\` stands before the part \`file\` of that first one. A session sends at most 10 files and 100 MiB.`,
    records: ['upload.received'],
    problems: [...refused, ...gone, ...proof],
    never: ['not_found'],
    answer,
  },
  uploadApiFile: {
    text: `Takes a file from a program, by the token of the API channel, for a submission that it will send. ${flow} No proof of work is asked for.`,
    records: ['upload.received'],
    problems: [...refused, ...gone],
    never: ['not_found'],
    answer,
  },
  downloadSubmissionFile: {
    text: 'Sends a file of a submission, as a download that no browser shows or runs; `Range` asks for a part of it. That it was read, and by whom, stands in the journal; `HEAD` reads nothing and records nothing. With `If-None-Match` an unchanged file is not sent again. Visitors have sent it: look at what it is before you open it, also where a virus scanner found nothing.',
    records: ['submission.file_read'],
    problems: ['forbidden', 'range_not_satisfiable'],
  },
};
