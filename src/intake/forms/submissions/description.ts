import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const listed = {
  id: desk.submission,
  interfaceId: desk.interface,
  version: 1,
  channel: 'public',
  status: 'received',
  locale: 'en',
  data: { what: 'A pallet of solvent stands beside the escape door of hall 3.', anonymous: 'no' },
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
    text: 'Lists what was submitted, the newest first, 100 at a time without `limit`, to those who may read it: the owner of the interface, administrators, and with whom `submissions` was shared. What the hidden field caught, what waits for a mailed link and what was erased is listed where `status` asks for it.',
    problems: ['forbidden'],
    answer: [listed],
  },
  getSubmission: {
    text: 'Shows a submission with what follows from it and the files that came with it. One that was erased is shown without what was answered.',
    problems: ['forbidden'],
    answer: {
      ...listed,
      effects: [{ kind: 'document', status: 'done', resultId: desk.document, attempts: 1 }],
      files: [],
    },
  },
  exportSubmissions: {
    text: 'Has what was submitted written as a file, the oldest first, in the background and however much it is. Two are written at a time for a team. Whoever asked must be allowed to read the submissions when the file is written and when it is fetched. It is kept for a day; erasing a submission ends the exports of its form at once.',
    records: ['interface.submissions_exported'],
    problems: ['exports_in_progress'],
    body: { format: 'csv', from: desk.monday },
    answer: { ...exported, status: 'waiting' },
  },
  getSubmissionExport: {
    text: 'Shows whether the file of an export is written, how many submissions are in it, how large it is and what its SHA-256 is; or why it failed. It can be read for a day after it has ended, by those who may read the submissions.',
    problems: ['forbidden'],
    answer: { ...exported, status: 'done', submissions: 1_204, size: 381_022, sha256: desk.sha256, endedAt: desk.tuesday },
  },
  downloadSubmissionExport: {
    text: 'Sends the file of an export that is done, whole or the range that is asked for, always as a download. Whoever fetches it must be allowed to read the submissions at that time, whoever asked for it.',
    problems: ['export_not_ready', 'forbidden'],
  },
  eraseSubmission: {
    text: 'Erases the answers of a submission for good, with its files, the PDF that was made of it, whose verification code says from then on that it was withdrawn, the record it made in a registry with its history, and what its booking tells of the visitor; the appointment stands. The document that was made for it goes too, with all its versions: it is in no bin, and nobody takes it back. That there was a submission, when, and to which version, stays: counts stay right. The journal and events never had what was answered. For the owner of the interface and administrators; while a workflow about it is under way or a legal hold stands on its document, for nobody.',
    records: ['submission.erased'],
    problems: ['workflow_active', 'legal_hold_active', 'signature_pending'],
  },
  retrySubmission: {
    text: 'Tries again what was to follow from a submission and has failed: a document, a PDF, a workflow. It is done by the right of whoever has set that it follows, as the first time, and what is done already is not done twice. What fails again says why in `effects`, and the submission stays `failed`; a PDF is made within seconds after this. For the owner of the interface and administrators.',
    records: ['submission.retried', 'document.created'],
    problems: ['submission_not_failed'],
    answer: {
      ...listed,
      effects: [{ kind: 'document', status: 'done', resultId: desk.document, attempts: 2 }],
      files: [],
    },
  },
};
