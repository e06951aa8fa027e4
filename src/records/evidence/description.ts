import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const pack = {
  id: desk.entry,
  documentId: desk.document,
  include: [],
  status: 'pending',
  createdAt: desk.tuesday,
};

export const description: DomainText = {
  operations: {
    requestEvidence: {
      text: 'Has a zip archive written of a document, a workflow or a request for signatures: the files of its versions, the entries of the journal about it, its workflows and their tasks, its requests and, of other tasks and of drafts, what whoever asks sees, with proofs to one signed checkpoint, what proves who signed, a page that explains, and a script that verifies all of it without the service. It is for the owner of the document, whoever asked for the signatures, and owner and administrators; barriers keep out all of them. That its files are read is recorded for each version. The job waits until the journal has the list of files under a checkpoint, which takes seconds. Up to 200 versions, 2 GiB and 10 000 entries are in it; it says what is left out. Two are written at a time for a team, and a person asks for five in 24 hours. It is kept for a day.',
      records: ['document.content_read', 'evidence.requested', 'evidence.manifest_recorded'],
      problems: ['not_found', 'evidence_in_progress', 'evidence_limit_reached'],
      body: { documentId: desk.document },
      answer: pack,
    },
    getEvidence: {
      text: 'Shows whether a pack is written, how large it is and what its SHA-256 is, or why it failed. It is for its owner and administrators. A barrier around its document hides it.',
      answer: { ...pack, status: 'ready', manifestSha256: desk.sha256, size: 381_022, sha256: desk.sha256, endedAt: desk.tuesday },
    },
    downloadEvidence: {
      text: 'Sends a pack that is ready, whole or the range that is asked for, always as a download. It is for its owner and administrators. A barrier around its document hides it, and so does the erasure of the document.',
      records: ['evidence.downloaded'],
      problems: ['evidence_not_ready'],
    },
  },
};
