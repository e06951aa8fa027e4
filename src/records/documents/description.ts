import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const comment = {
  id: desk.comment,
  documentId: desk.document,
  version: 1,
  createdBy: desk.priya.id,
  createdByType: 'user',
  text: 'Clause 4 now names both affiliates.',
  createdAt: desk.tuesday,
};
const version = {
  number: 1,
  fileName: 'nda-acme-robotics.pdf',
  mediaType: 'application/pdf',
  size: 48_213,
  sha256: desk.sha256,
  createdBy: desk.priya.id,
  createdByType: 'user',
  createdAt: desk.monday,
};

const document = {
  id: desk.document,
  title: 'NDA with Acme Robotics',
  description: 'Mutual, two years, before the pilot project',
  reference: '2026-014',
  folderId: desk.folder,
  userId: desk.olivia.id,
  status: 'in_review',
  currentVersion: version,
  createdBy: desk.priya.id,
  createdByType: 'user',
  metadata: { matter: '2026-014', counterparty: 'Acme Robotics GmbH' },
  labels: ['NDA'],
  createdAt: desk.monday,
  updatedAt: desk.tuesday,
};

const grant = { id: desk.grant, userId: desk.jonas.id, access: 'read', reason: 'share', grantedBy: desk.olivia.id, since: desk.tuesday };

const dates = {
  documentId: desk.document,
  effectiveAt: '2026-06-01',
  expiresAt: '2027-05-31',
  noticePeriod: 'P3M',
  renewal: 'tacit',
  renewalPeriod: 'P1Y',
  remindBefore: 'P2W',
  noticeAt: '2027-02-28',
  endsAt: '2027-05-31',
  timezone: 'Europe/Berlin',
  setBy: desk.priya.id,
  setByType: 'user',
  updatedAt: desk.tuesday,
};

const retention = {
  folderId: desk.folder,
  action: 'delete',
  after: 'P10Y',
  from: 'expires',
  effectiveFrom: desk.wednesday,
  setBy: desk.olivia.id,
  createdAt: desk.tuesday,
  updatedAt: desk.tuesday,
};

const hold = {
  id: desk.hold,
  folderId: desk.folder,
  status: 'standing',
  reason: 'Litigation with Acme Robotics, file 2026-014',
  createdBy: desk.marcus.id,
  createdByType: 'user',
  createdAt: desk.tuesday,
};

/** Errors of uploads besides those of the document. */
const upload = ['file_required', 'file_infected', 'quota_exceeded', 'storage_full'];

/** A task grant that stays after a share is revoked. */
const revoked = {
  dependentGrants: [
    {
      id: '019d2f4e-6a00-7c2b-9a54-000000000053',
      documentId: desk.document,
      userId: desk.marcus.id,
      taskId: desk.approvalTask,
      grantedBy: desk.priya.id,
      since: desk.tuesday,
    },
  ],
};

export const description: DomainText = {
  operations: {
    listDocuments: {
      text: 'Lists the documents that the caller may read. These are their own documents, documents in folders shared with them, and documents shared with them or given by an open task. Owner, administrators and API clients see all documents of the team. `q` matches a part of the title. `label` selects documents with that label; repeat it to require several. `reference` matches the whole reference. Documents are omitted if a barrier excludes the caller. Without `limit` the response has up to 10 000 documents and 4 MiB, and `Link` points to the next page.',
      answer: [document],
    },
    searchDocuments: {
      text: 'Searches titles and the text of the newest versions of documents that the caller may read. From three characters on it also matches a part of a title. Words match literally and in their other forms in the language of the team’s owner. `"a phrase"`, `or` and `-without` are supported. Matches in the title come first, then the best matches in the text. If more than 1 000 documents of the team match, the newest come first. A page may have fewer than `limit` results while `Link` points to another page. A title is searchable at once. Text is searchable within seconds of the upload, up to 500 000 characters. Supported are PDF, Word, OpenDocument, plain text, Markdown, CSV, JSON and XML. Documents are omitted if they are in the bin or erased, or if a barrier excludes the caller. The journal records results that an administrator sees by their role alone. `title` and `passage` are plain text, never markup.',
      records: ['document.found'],
      answer: [
        {
          document,
          title: [
            { text: 'NDA', match: true },
            { text: ' with Acme Robotics', match: false },
          ],
          passage: [
            { text: 'shall survive for two years after this ', match: false },
            { text: 'NDA', match: true },
            { text: ' has ended', match: false },
          ],
        },
      ],
    },
    listDocumentLabels: {
      text: 'Lists the labels of the documents that the caller may read, the most used first, with the number of these documents. The maximum returns 500 labels, from the newest 100 000 documents with labels. Labels are compared regardless of case. Documents in the bin do not count.',
      answer: [
        { label: 'NDA', documents: 12 },
        { label: 'Renewal', documents: 3 },
      ],
    },
    createDocument: {
      text: 'Creates a document in a folder that the caller may write to, or outside of any folder for the caller alone. Sent as JSON, the document has no file yet. Sent as `multipart/form-data` with the part `file`, the file becomes version 1 with its size and SHA-256. `metadata` is for your own data, 16 KiB at most. A file above `MAX_UPLOAD_MB` returns 413. A rejected or interrupted request creates nothing. Repeating the request without an `Idempotency-Key` creates a second document.',
      records: ['document.created'],
      problems: ['matter_not_found', 'matter_closed', 'parent_not_found', ...upload],
      body: {
        title: document.title,
        description: document.description,
        reference: document.reference,
        folderId: desk.folder,
        metadata: document.metadata,
      },
      answer: { ...document, status: 'draft', updatedAt: desk.monday },
    },
    listDocumentBin: {
      text: 'Lists the documents of the caller in the bin. Owner, administrators and API clients see all of the team. `deletedAt` is the time of the deletion. 30 days later the document and its files are deleted permanently.',
      answer: [{ ...document, status: 'draft', deletedAt: desk.wednesday }],
    },
    getDocument: {
      text: 'Shows a document with its newest version. A document that the caller may not read returns 404, as if it did not exist.',
      answer: document,
    },
    updateDocument: {
      text: 'Changes the given members: title, description, reference, metadata, labels or status. Callers set the status to `draft` or `archived`; reviews, approvals and signatures set the others. You may send a document back as you read it: read-only members are ignored. In `metadata`, `null` removes a member, and omitted members stay. `labels` replaces all labels. A document with an open signature request cannot be archived. The journal records the old and new value of each changed member.',
      records: ['document.updated'],
      problems: ['matter_closed', 'signature_pending'],
      body: { title: 'Mutual NDA with Acme Robotics', metadata: { matter: '2026-014b' } },
      answer: {
        ...document,
        title: 'Mutual NDA with Acme Robotics',
        metadata: { matter: '2026-014b', counterparty: 'Acme Robotics GmbH' },
        updatedAt: desk.wednesday,
      },
    },
    deleteDocument: {
      text: 'Moves a document to the bin. `restoreDocument` restores it within 30 days. Allowed are the document’s owner, callers who may write in its folder, and owner and administrators of the team. While it is in the bin, tasks about it give no access to it. A legal hold gives 409 `legal_hold_active`, and an open signature request 409 `signature_pending`. Repeating the request returns 404.',
      records: ['document.deleted'],
      problems: ['matter_closed', 'legal_hold_active', 'signature_pending'],
    },
    moveDocument: {
      text: 'Moves a document into a folder, or out of any folder. In another owner’s tree it belongs to that owner. Callers other than its owner and administrators may move it only if the move gives no user new access.',
      records: ['document.moved'],
      problems: ['matter_not_found', 'matter_closed', 'parent_not_found', 'legal_hold_active'],
      body: { folderId: desk.archive },
      answer: { ...document, folderId: desk.archive, updatedAt: desk.wednesday },
    },
    moveDocuments: {
      text: 'Moves up to 100 documents into one folder, or out of any folder, by the rules for a single document. It moves all or none; `errors` points to the rejected ones. The journal has one entry for each document. The response keeps the order of the request.',
      records: ['document.moved'],
      problems: ['matter_not_found', 'matter_closed', 'not_found', 'parent_not_found', 'legal_hold_active'],
      body: { documentIds: [desk.document], folderId: desk.archive },
      answer: [{ ...document, folderId: desk.archive, updatedAt: desk.wednesday }],
    },
    labelDocuments: {
      text: 'Replaces the labels of up to 100 documents, each by the rules of `updateDocument` and in a separate transaction. The response is 200 even if some fail, with a result for each item in its order. A duplicate is a 400, and nothing changes. With an `Idempotency-Key` a repetition returns completed items again and retries failed ones.',
      records: ['document.updated'],
      body: { items: [{ id: desk.document, labels: ['nda'] }] },
      answer: { results: [{ id: desk.document, status: 200, document }] },
    },
    deleteDocuments: {
      text: 'Moves up to 100 documents to the bin, each by the rules of `deleteDocument` and in a separate transaction. The response is 200 even if some fail, with a result for each item in its order. A duplicate is a 400, and nothing changes. With an `Idempotency-Key` a repetition returns completed items again and retries failed ones.',
      records: ['document.deleted'],
      body: { items: [{ id: desk.document }] },
      answer: { results: [{ id: desk.document, status: 204 }] },
    },
    listDocumentComments: {
      text: 'Lists the comments on a document and on its versions, oldest first. All callers who may read the document can list them. Without `limit` the response has up to 10 000 comments and 4 MiB, and `Link` has the address of the rest.',
      answer: [comment],
    },
    createDocumentComment: {
      text: 'Adds a comment of up to 4 000 characters to a document, or to one of its versions. All callers who may read the document can read it. Viewers, auditors and callers with emergency access cannot comment. The journal and the event have the author and time, without the text. A repetition without an `Idempotency-Key` adds a second comment.',
      records: ['document.commented'],
      problems: ['matter_closed'],
      body: { text: comment.text, version: 1 },
      answer: comment,
    },
    deleteDocumentComment: {
      text: 'Deletes your comment. A legal hold on the document gives 409 `legal_hold_active`. Repeating the request returns 404.',
      records: ['document.comment_deleted'],
      problems: ['matter_closed', 'legal_hold_active'],
    },
    listDocumentVersions: {
      text: 'Lists the versions of a document with their sizes and hashes, the newest first. A version never changes: a correction is another version.',
      answer: [{ ...version, preview: 'ready' }],
    },
    uploadDocumentVersion: {
      text: 'Adds a file as the next version of a document and makes it the current one. If a workflow on the document says so, its decisions start again on the new version. A workflow that rejects new versions gives 409 `document_under_decision`. Callers with access to the workflow get its identifier. An open signature request gives 409 `signature_pending`. A new version sets an approved or signed document to `draft`. A rejected or interrupted upload adds nothing. A repetition without an `Idempotency-Key` adds another version.',
      records: ['document.version_added'],
      problems: ['matter_closed', 'document_under_decision', 'signature_pending', ...upload],
      answer: { ...version, number: 2, fileName: 'nda-acme-robotics-signed.pdf', size: 61_004, createdAt: desk.wednesday },
    },
    downloadDocument: {
      text: 'Sends the file of the newest version, or of the one that `version` names, with its media type and name. `Range` requests a part of it. The journal records the read, its actor and what allowed it. `HEAD` reads nothing and records nothing. With `If-None-Match` an unchanged file is not sent again.',
      records: ['document.content_read'],
      problems: ['forbidden', 'document_has_no_file'],
    },
    downloadDocuments: {
      text: 'Sends the newest versions of several documents as one uncompressed ZIP archive. Name the documents, or a folder: the archive then has all documents in it and in its accessible subfolders. Access is checked just before each file is added, and the journal records each as a separate download. Files are named by the title and the file extension. Characters that file systems reject are replaced, and equal names get numbers. `errors.txt` lists what could not be read and why, such as a document without a file. If none of the named documents is readable, the response is 404. An archive has at most 1 000 files of 5 GiB in all (422 `download_too_large`). A team reads at most three archives at once on each node (429 `downloads_in_progress`). An archive without its central directory is incomplete.',
      records: ['document.content_read'],
      problems: ['not_found', 'download_too_large', 'downloads_in_progress'],
      body: { documentIds: [desk.document] },
    },
    previewDocument: {
      text: 'Sends the first page of the newest version, or of the one that `version` names, as a WebP image 800 pixels wide. Every caller who may download that version may see it. A job creates it within seconds of the upload, in a process that has access to that file only. It covers PDF, PNG and JPEG, by the media type of the upload, up to 32 MiB. Until then the response is 409 `preview_pending`. A failure returns 422 `preview_failed`, which gives the reason. Other types, such as Word and OpenDocument files and texts, return 422 `no_preview`. `ETag` is the hash of the image; with `If-None-Match` an unchanged image is not sent again. The journal records reads that only an administrator’s role allowed. `preview` in the list of versions shows the state of each.',
      records: ['document.content_read'],
      problems: ['document_has_no_file', 'preview_pending', 'preview_failed', 'no_preview'],
    },
    compareDocumentVersions: {
      text: 'Compares the texts of two versions. Each change has the removed and the added text, with a few common words around it, in the order of the text. Words are compared by the rules of their language, and white space and line breaks are ignored. If more than about 3 000 words differ, lines are compared instead. The response has the first 500 changes with up to 2 000 characters on each side; `changed` counts all. It reads PDF, Word, OpenDocument and text files, up to 500 000 characters of each. A version without text returns 422 `no_text_to_compare`. The work runs in limited processes, two comparisons at a time on a node. Every caller who may download both versions may compare them. The journal records a read of both; `HEAD` records nothing.',
      records: ['document.content_read'],
      problems: ['no_text_to_compare', 'versions_too_different'],
      answer: {
        documentId: desk.document,
        from: 1,
        to: 2,
        changed: 1,
        changes: [{ before: 'shall survive for ', removed: 'two', added: 'three', after: ' years after this agreement has ended' }],
      },
    },
    restoreDocument: {
      text: 'Restores a document from the bin into its folder, or outside of any folder if that one is gone. Allowed are the owner of the document, and owner, administrators and API clients of the whole team. If the document was in a folder with a barrier and that folder is in the bin too, restore the folder first.',
      records: ['document.restored'],
      problems: ['matter_closed', 'folder_barred', 'legal_hold_active'],
      answer: document,
    },
    listRetentionRules: {
      text: 'Lists the retention rules of the folders that the caller may read, in the order of the folders. A team has at most 200. Rules that were removed are not listed.',
      answer: [retention],
    },
    getRetentionRule: {
      text: 'Shows the retention rule of a folder to every caller who may read its content. Rules of folders above it also apply; read them there. A folder without a rule of its own returns 404.',
      answer: retention,
    },
    putRetentionRule: {
      text: 'Sets how long documents in a folder are retained, and what happens afterwards. `delete` moves documents to the bin, `review` creates a task for their owner, and `keep` does nothing. Allowed are the owner of the folder, and owner and administrators of the team. The rule covers all subfolders, except those with a barrier of their own. If several rules apply, the longest wins; if they end on the same day, the milder wins. A rule that is new or may delete earlier waits seven days, and nothing that it covers is deleted until then. The folder’s owner gets a mail, unless a barrier excludes them. If rules would move more than a tenth of a team’s documents to the bin in one day, they wait for `confirmRetention`. Documents under a legal hold or in review stay.',
      records: ['folder.retention_set'],
      problems: ['retention_rule_invalid', 'retention_rule_limit'],
      body: { action: 'delete', after: 'P10Y', from: 'expires' },
      answer: retention,
    },
    removeRetentionRule: {
      text: 'Removes the retention rule of a folder. For seven days no rule, including rules of folders above, deletes the documents that it covered. The folder’s owner gets a mail, unless a barrier excludes them. Repeating the request returns 404.',
      records: ['folder.retention_removed'],
    },
    previewRetention: {
      text: 'Lists the documents in a folder and below it that retention rules cover, with the action and its day for each. By default it applies the current rules; with `action`, `after` and `from` it applies those to this folder instead. Allowed are callers who may set the rule. Documents under a legal hold are listed too; documents in subfolders with a barrier are not. A page may have fewer than `limit` results while `Link` points to another page.',
      problems: ['forbidden'],
      answer: [
        {
          documentId: desk.document,
          title: document.title,
          folderId: desk.folder,
          action: 'delete',
          on: '2037-05-31',
          ruleFolderId: desk.folder,
        },
      ],
    },
    confirmRetention: {
      text: 'Applies the rule of a folder to all documents that are due today and wait for confirmation. Later documents may need another confirmation. Allowed are owner and administrators of the team, who must be members of the barrier if there is one.',
      records: ['folder.retention_confirmed'],
      problems: ['retention_not_pending'],
      answer: { ...retention, confirmedBy: desk.olivia.id },
    },
    getDocumentDates: {
      text: 'Shows the key dates of a document: its term, its renewal and the calculated days. `noticeAt` is the last day to give notice of the next end, and `endsAt` is that end. Days are in the time zone of the team. Months follow the calendar: three months before 31 May is 28 or 29 February. A document that renews itself moves to its next term when notice is too late. A document without dates has only `renewal: none`.',
      answer: dates,
    },
    putDocumentDates: {
      text: 'Replaces all key dates of a document: omitted members and `null` clear a date. Allowed are callers who may change the document. Calculated members may be sent back as you read them. `remindBefore` sets how long before a date Chancery announces it, at 07:00 in the time zone of the team. It sends `document.date_approaching` and a mail to the document’s owner. With `startsTemplate` it also starts a workflow for the document from that template. The start uses the rights, on that day, of the caller who set it; API clients and connected apps need `workflows:write`. Each date is announced once, and late rather than never.',
      records: ['document.dates_changed'],
      problems: ['dates_invalid', 'template_not_found'],
      body: {
        effectiveAt: '2026-06-01',
        expiresAt: '2027-05-31',
        noticePeriod: 'P3M',
        renewal: 'tacit',
        renewalPeriod: 'P1Y',
        remindBefore: 'P2W',
      },
      answer: dates,
    },
    listComingDates: {
      text: 'Lists the notice days and expiry days of documents that the caller may read, by day. The list runs from today to the day before `before`, or for the next 90 days. For a document that renews itself it has the next notice day, or the end of the term if no notice is agreed. A page examines at most 1 000 dates of the team. It may have fewer than `limit` results, or none, while `Link` points to another page. Documents in the bin are not listed.',
      answer: [{ documentId: desk.document, title: document.title, folderId: desk.folder, kind: 'notice', date: '2027-02-28' }],
    },
    listLegalHolds: {
      text: 'Lists the active and lifted legal holds of the team, the oldest first. A barrier hides the holds in its folder from callers that it excludes.',
      answer: [hold],
    },
    placeLegalHold: {
      text: 'Places a legal hold on a document, or on a folder with its present and future content, including documents in the bin. While it is active, no user, job or deletion of the team deletes any of it, and nothing moves out of the folder. Workflows on a held document, and the submission that it was created from, are not deleted or erased. A resource may have several holds and is free when all are lifted. A hold gives no user access. Allowed are owner and administrators of the team. A repetition without an `Idempotency-Key` places another hold.',
      records: ['legal_hold.placed'],
      problems: ['not_found', 'hold_limit'],
      body: { folderId: desk.folder, reason: hold.reason },
      answer: hold,
    },
    getLegalHold: {
      text: 'Shows a legal hold: its document or folder, its reason, the user who placed it and the user who lifted it.',
      answer: hold,
    },
    liftLegalHold: {
      text: 'Lifts a legal hold with a reason. Resources without another hold may be deleted from then on. Documents that have been in the bin for 30 days are deleted the next night. Allowed are owner and administrators of the team.',
      records: ['legal_hold.lifted'],
      problems: ['hold_lifted'],
      body: { reason: 'Settled out of court' },
      answer: { ...hold, status: 'lifted', liftedBy: desk.olivia.id, liftedAt: desk.wednesday, liftReason: 'Settled out of court' },
    },
    listDocumentAccess: {
      text: 'Lists the users with access to a document, with the reason, the grantor and the start of each access. Allowed are the owner of the document, and owner and administrators of the team. `privilegedAccess` lists reads and changes that only an administrator’s role allowed.',
      problems: ['forbidden'],
      answer: {
        grants: [
          { userId: desk.olivia.id, access: 'write', reason: 'owner', since: desk.monday },
          grant,
          {
            id: '019d2f4e-6a00-7c2b-9a54-000000000053',
            userId: desk.marcus.id,
            access: 'read',
            reason: 'task',
            taskId: desk.approvalTask,
            grantedBy: desk.priya.id,
            since: desk.tuesday,
          },
        ],
        privilegedAccess: [{ id: desk.entry, type: 'document.content_read', userId: desk.marcus.id, at: desk.tuesday, version: 1 }],
      },
    },
    shareDocument: {
      text: 'Shares a single document with a member, a group or the whole team, to read or to write. Its folder is not shared. Allowed are the owner of the document, and owner and administrators of the team. A second share with the same principal replaces the first.',
      records: ['access.granted', 'document.shared'],
      problems: ['self_share_not_allowed', 'member_not_found', 'group_not_found'],
      body: { userId: desk.jonas.id, access: 'read' },
      answer: grant,
    },
    revokeDocumentGrant: {
      text: 'Revokes a share of the document, or the access that a task gives to its assignee, from the next request on. An open task without that access loses its assignee, and an administrator assigns it. Access that the principal of a share gave to others by tasks stays: `dependentGrants` lists it. With `cascade=true` it ends too, except for access given by the owner of the document. Repeating the request returns 404.',
      records: ['access.ended'],
      answer: revoked,
    },
  },
  members: {
    currentVersion: 'The newest version; absent if the document has no file',
    file: 'The file, with its name',
    reference: 'The reference under which the team files it, such as a file number',
    'Document.userId': 'The owner of the document: the owner of the folder tree, or its creator outside of any folder',
    'Document.status':
      '`draft`; `in_review` while a workflow on it is in progress; `approved` or `signed` as the result; `archived` by a user',
    'UpdateDocumentRequest.status': 'Callers can set `draft` or `archived`',
    'DocumentComment.documentId': 'The commented document',
    'DocumentVersion.number': 'Counts from 1',
    'DocumentVersion.fileName': 'The file name of the upload',
    'DocumentVersion.mediaType': 'The media type of the upload',
    'MoveDocumentsRequest.documentIds': 'Each once, in any order',
    'ShareDocumentRequest.userId': 'The member who gets access',
    'listDocuments.status': 'Only documents in this state',
    'ComingDate.title': 'The title of the document',
    'ComingDate.date': 'The day, in the zone of the team',
    'listLegalHolds.status': 'Only active or only lifted holds',
    'listLegalHolds.folderId': 'Only holds on this folder itself',
    'listLegalHolds.documentId': 'Only holds on this document itself',
    'downloadDocument.version': 'The number of a version, instead of the newest',
    'previewDocument.version': 'The number of a version, instead of the newest',
  },
};
