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
      text: 'Starts a job that writes an evidence pack of a document, a workflow or a signature request. The pack is a ZIP archive with proofs to one signed checkpoint. It has the files of the versions of each document, the journal entries, workflows with their tasks, and signature requests. Other tasks and drafts are included only if the requester may see them. It also has the identity proofs of the signers, an explanatory page, and a script that verifies it without the service. Allowed are the owner of the document, the requester of the signatures, and owner and administrators, unless a barrier excludes them. API clients that see the whole team are allowed too. The journal records the read of each version. The job waits some seconds until a checkpoint covers the list of files. A pack has up to 200 versions, 2 GiB and 10 000 entries, and lists omitted content. A team has two packs in progress at a time, a person may request five in 24 hours, and an API client 100. A pack is deleted after a day.',
      records: ['document.content_read', 'evidence.requested', 'evidence.manifest_recorded'],
      problems: ['not_found', 'evidence_in_progress', 'evidence_limit_reached'],
      body: { documentId: desk.document },
      answer: pack,
    },
    getEvidence: {
      text: 'Shows the status of a pack with its size and SHA-256, or the reason of its failure. Allowed are its owner and administrators. A barrier around its document hides it.',
      answer: { ...pack, status: 'ready', manifestSha256: desk.sha256, size: 381_022, sha256: desk.sha256, endedAt: desk.tuesday },
    },
    downloadEvidence: {
      text: 'Sends a ready pack, or the requested range of it, always as a download. Allowed are its owner and administrators. A barrier around its document hides it, and so does the erasure of the document.',
      records: ['evidence.downloaded'],
      problems: ['evidence_not_ready'],
    },
  },
};
