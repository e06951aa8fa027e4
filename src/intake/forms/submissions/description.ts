import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const listed = {
  id: desk.submission,
  interfaceId: desk.interface,
  version: 1,
  channel: 'public',
  status: 'received',
  locale: 'en',
  data: { what: 'A pallet of solvent blocks the escape door of hall 3.', anonymous: 'no' },
  createdAt: desk.tuesday,
  updatedAt: desk.tuesday,
};

const exported = {
  id: desk.attempt,
  interfaceId: desk.interface,
  format: 'csv',
  filters: { from: desk.monday },
  createdBy: desk.priya.id,
  createdByType: 'user',
  createdAt: desk.tuesday,
};

export const submissionsText: DomainText['operations'] = {
  listSubmissions: {
    text: 'Lists submissions, newest first, 100 without `limit`. For the owner of the interface, administrators, and principals with the `submissions` right. Spam, unconfirmed and erased submissions are listed only if you ask for them with `status`.',
    problems: ['forbidden'],
    answer: [listed],
  },
  listTeamSubmissions: {
    text: 'Lists the submissions of all interfaces whose submissions you can read, newest first, 100 without `limit`. Filters and items are those of `listSubmissions`; `interfaceId` is the interface of each submission.',
    problems: [],
    answer: [listed],
  },
  getSubmission: {
    text: 'Returns a submission with its effects and files. An erased submission has no answers.',
    problems: ['forbidden'],
    answer: {
      ...listed,
      effects: [{ kind: 'document', status: 'done', resultId: desk.document, attempts: 1 }],
      files: [],
    },
  },
  traceSubmission: {
    text: 'Returns the effects and outputs of a submission: the results, failures and delays, with the reason, the attempts and the next attempt. `result` is present if the caller can read it: a document, record or workflow with its steps. An erased submission has no items.',
    problems: ['forbidden'],
    answer: {
      id: desk.submission,
      status: 'received',
      items: [
        {
          id: 'nda',
          make: 'document',
          status: 'done',
          attempts: 1,
          result: { id: desk.document, title: 'NDA Northwind', status: 'draft' },
        },
        {
          id: 'row',
          make: 'record',
          status: 'waiting',
          attempts: 2,
          nextAttemptAt: desk.wednesday,
          code: 'rate_limited',
          detail: 'The team sends too many requests.',
        },
      ],
    },
  },
  exportSubmissions: {
    text: 'Starts an export of submissions to a file, oldest first, of any size. Chancery writes it in the background, at most two at a time for each team. The requester needs the right to read the submissions when Chancery writes the file and when they download it. The file is available for a day. Erasing a submission ends the exports of its form at once.',
    records: ['interface.submissions_exported'],
    problems: ['exports_in_progress'],
    body: { format: 'csv', from: desk.monday },
    answer: { ...exported, status: 'waiting' },
  },
  getSubmissionExport: {
    text: 'Returns the status of an export. A finished export has the number of submissions, the size and the SHA-256 of the file; a failed one has the reason. Available for a day after the end, with the right to read the submissions.',
    problems: ['forbidden'],
    answer: { ...exported, status: 'done', submissions: 1_204, size: 381_022, sha256: desk.sha256, endedAt: desk.tuesday },
  },
  downloadSubmissionExport: {
    text: 'Downloads the file of a finished export, or a range of it. The caller needs the right to read the submissions at the time of the download, also if another member requested the export.',
    problems: ['export_not_ready', 'forbidden'],
  },
  eraseSubmission: {
    text: 'Erases the answers and files of a submission permanently. Also erases its PDF, its registry record with the history, and the visitor’s data in its booking. The verification code of the PDF then reports the status `withdrawn`, and the appointment stays. Deletes the documents of the submission with all versions, bypassing the bin. Cancels the workflows of its outputs with the reason `content_erased`. A record of an output that a member approved stays, without its link to the submission. The submission itself stays with its time and form version, so counts stay correct. The journal and events never contain answers. For the owner of the interface and administrators. Responds 409 while another workflow about the submission runs or a legal hold applies to its document.',
    records: ['submission.erased'],
    problems: ['workflow_active', 'legal_hold_active', 'signature_pending'],
  },
  retrySubmission: {
    text: 'Retries the failed effects of a submission: a document, a PDF or a workflow. Uses the rights of the member who configured the effect, as in the first attempt, and repeats no successful effect. If an effect fails again, `effects` has the reason, and the submission stays `failed`. Chancery makes a PDF within seconds after this. For the owner of the interface and administrators.',
    records: ['submission.retried', 'document.created'],
    problems: ['submission_not_failed'],
    answer: {
      ...listed,
      effects: [{ kind: 'document', status: 'done', resultId: desk.document, attempts: 2 }],
      files: [],
    },
  },
};
