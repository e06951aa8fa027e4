import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

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

/** What an upload is refused with, beside what its document is. */
const upload = ['file_required', 'file_infected', 'quota_exceeded', 'storage_full'];

/** The grant of a task that stays when a share is revoked. */
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
      text: 'Lists the documents that the caller may read: their own, those in folders shared with them, those given to them by themselves or by an open task, and for owner, administrators and API clients all of the team. `q` finds a part of the title, `label` those with a label, or with all where it is repeated. `reference` finds the documents with exactly this reference. Documents behind a barrier that the caller is outside of are not there. Without `limit` the answer holds up to 10 000 documents and 4 MiB, and `Link` leads to the rest.',
      answer: [document],
    },
    searchDocuments: {
      text: 'Finds documents that the caller may read by words of their titles and of the text of their newest versions, and by a part of a title from three characters on. Words are found in other forms of theirs as the language of the team has them (that of its owner), and as they stand. `"a phrase"`, `or` and `-without` are understood. What has it in the title comes first, then what fits best; where more than 1 000 documents of the team have it, the newest come first, and a page may hold fewer than `limit` while `Link` leads on. Text is taken within seconds of an upload of PDF, Word and OpenDocument files and of plain text, Markdown, CSV, JSON and XML, up to 500 000 characters; a title is found at once. What is in the bin, erased, or behind a barrier that the caller is outside of is not. That an administrator was shown something by their role alone stands in the journal. `title` and `passage` are pieces of text, never markup.',
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
      text: 'Lists the labels of the documents that the caller may read, with how many of these have each, the commonest first: 500 at most, of the newest 100 000 documents with labels. Upper and lower case are one label. What is in the bin does not count.',
      answer: [
        { label: 'NDA', documents: 12 },
        { label: 'Renewal', documents: 3 },
      ],
    },
    createDocument: {
      text: 'Makes a document in a folder that the caller may write in, or outside of any folder for themself alone. As JSON it has no file yet; as `multipart/form-data` with the part `file`, the file becomes version 1 with its size and SHA-256. What is one’s own stands in `metadata`, 16 KiB at most. A file past `MAX_UPLOAD_MB` is 413, and whatever was refused, or whose connection was cut, leaves nothing behind. A repetition without an `Idempotency-Key` makes a second document.',
      records: ['document.created'],
      problems: ['parent_not_found', ...upload],
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
      text: 'Lists the documents in the bin: one’s own, and for owner, administrators and API clients all of the team. `deletedAt` says since when; after 30 days a document is gone for good, with its files.',
      answer: [{ ...document, status: 'draft', deletedAt: desk.wednesday }],
    },
    getDocument: {
      text: 'Shows a document with its newest version. A document that the caller may not read is 404, as if it did not exist.',
      answer: document,
    },
    updateDocument: {
      text: 'Changes the members that are given: title, description, reference, metadata, labels, and the state. By hand the state is `draft` or `archived`; the others follow from reviews, approvals and signatures. A document may be sent back as it was read: what cannot be changed here is left as it is. In `metadata` a member that is `null` is removed, and one that is not named stays; `labels` are given whole. A document with an open signature request is not archived. The entry in the journal says each changed member from what to what.',
      records: ['document.updated'],
      problems: ['signature_pending'],
      body: { title: 'Mutual NDA with Acme Robotics', metadata: { matter: '2026-014b' } },
      answer: {
        ...document,
        title: 'Mutual NDA with Acme Robotics',
        metadata: { matter: '2026-014b', counterparty: 'Acme Robotics GmbH' },
        updatedAt: desk.wednesday,
      },
    },
    deleteDocument: {
      text: 'Moves a document to the bin, from where `restoreDocument` brings it back for 30 days. It is for whoever may write in its folder, its owner, and owner and administrators of the team. Tasks about it open it to nobody while it is there. What a legal hold stands on is 409 `legal_hold_active`, and what people are asked to sign 409 `signature_pending`. A repetition is 404.',
      records: ['document.deleted'],
      problems: ['legal_hold_active', 'signature_pending'],
    },
    moveDocument: {
      text: 'Moves a document into a folder, or out of any. Into another tree it becomes the property of that tree’s owner. Whoever is neither its owner nor an administrator moves it only to where nobody reaches it who did not reach it before: moving opens nothing.',
      records: ['document.moved'],
      problems: ['parent_not_found', 'legal_hold_active'],
      body: { folderId: desk.archive },
      answer: { ...document, folderId: desk.archive, updatedAt: desk.wednesday },
    },
    moveDocuments: {
      text: 'Moves up to 100 documents into one folder, or out of any, by the rules for a single one: all of them, or none where one is refused, which `errors` points to. Each stands in the journal by itself. The answer has them in the order in which they were named.',
      records: ['document.moved'],
      problems: ['not_found', 'parent_not_found', 'legal_hold_active'],
      body: { documentIds: [desk.document], folderId: desk.archive },
      answer: [{ ...document, folderId: desk.archive, updatedAt: desk.wednesday }],
    },
    listDocumentVersions: {
      text: 'Lists the versions of a document with their sizes and hashes, the newest first. A version is never changed: a correction is another version.',
      answer: [{ ...version, preview: 'ready' }],
    },
    uploadDocumentVersion: {
      text: 'Adds a file as the next version of a document, and makes it the current one. What is decided on the version before begins again where a workflow says so, on the new one; while a workflow refuses new versions it is 409 `document_under_decision`, which names the workflow to who sees it, and while people are asked to sign the document 409 `signature_pending`. A newer version of an approved or signed document is a draft. Whatever was refused, or whose connection was cut, leaves nothing behind. A repetition without an `Idempotency-Key` adds another version.',
      records: ['document.version_added'],
      problems: ['document_under_decision', 'signature_pending', ...upload],
      answer: { ...version, number: 2, fileName: 'nda-acme-robotics-signed.pdf', size: 61_004, createdAt: desk.wednesday },
    },
    downloadDocument: {
      text: 'Sends the file of the newest version, or of the one that `version` names, with its media type and name; `Range` asks for a part of it. That it was read, by whom and what allowed it stands in the journal; `HEAD` reads nothing and records nothing. With `If-None-Match` an unchanged file is not sent again.',
      records: ['document.content_read'],
      problems: ['forbidden', 'document_has_no_file', 'range_not_satisfiable'],
    },
    downloadDocuments: {
      text: 'Sends the newest versions of several documents as one zip archive, uncompressed: those that are named, or all in a folder and in the folders in it that are open to the caller. Whether a file may be read is asked when it is its turn, and each that was read stands in the journal as a download by itself. Files are named by titles, with endings of theirs; what no file system takes is replaced, and of two with the same name one is numbered. What could not be read, such as a document without a file or one that was closed meanwhile, stands with its reason in `errors.txt`; where nothing of what was named may be read, the answer is 404. An archive has at most 1 000 files of 5 GiB in all (422 `download_too_large`), and a team reads three at a time on each node (429 `downloads_in_progress`). An archive that ends without its directory is not whole.',
      records: ['document.content_read'],
      problems: ['not_found', 'download_too_large', 'downloads_in_progress'],
      body: { documentIds: [desk.document] },
    },
    previewDocument: {
      text: 'Sends the first page of the newest version, or of the one that `version` names, as a picture (WebP, 800 pixels wide), to whoever may download that version. It is made by a job within seconds of the upload, in a process that sees that file alone: of PDF, PNG and JPEG, by the media type of the upload, up to 32 MiB. Until then it is 409 `preview_pending`; where none could be made 422 `preview_failed`, which says why; Word and OpenDocument files, texts and others have none and are 422 `no_preview`. `ETag` is its hash, and with `If-None-Match` it is not sent again. That an administrator was shown it by their role alone stands in the journal. The list of versions says how it stands with each in `preview`.',
      records: ['document.content_read'],
      problems: ['document_has_no_file', 'preview_pending', 'preview_failed', 'no_preview'],
    },
    compareDocumentVersions: {
      text: 'Says what differs between the texts of two versions: each change with what stands in the one, what in the other, and a few words around it that both have, in the order of the text. Words are compared as their language has them, and white space and line breaks are not; where more than some 3 000 words are other ones, lines are. The first 500 changes are told, of each 2 000 characters on either side, and `changed` counts all. Texts are taken as for the search, of PDF, Word and OpenDocument files and of text, 500 000 characters of each; where one has none it is 422 `no_text_to_compare`. All of it is done in processes with limits, two comparisons at a time on a node. Whoever may download both versions may compare them, and that both were read stands in the journal; `HEAD` records nothing.',
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
      text: 'Takes a document out of the bin: back into its folder or, where that is gone, out of any. It is for the owner of the document, and for owner, administrators and API clients of the whole team. Where it lay behind a barrier that is in the bin too, that one is restored first.',
      records: ['document.restored'],
      problems: ['folder_barred', 'legal_hold_active'],
      answer: document,
    },
    getRetentionRule: {
      text: 'Shows for how long what lies in a folder is kept, to whoever may read what is in it. Rules of folders above it, which cover it too, are read there; without one of its own it is 404.',
      answer: retention,
    },
    putRetentionRule: {
      text: 'Sets for how long what lies in a folder is kept, and what comes then: `delete` moves documents to the bin, `review` gives their owner a task, `keep` does nothing. It is for the owner of the folder and for owner and administrators of the team, and covers all below it, as far as no barrier stands between. Of several rules the longest wins, and of those that end on the same day the milder. A rule that is new, or may let something go earlier, waits seven days, in which nothing that it covers goes, and its owner gets a mail unless a barrier excludes them. Where rules would move more than a tenth of the documents of a team to the bin in one day, none goes before `confirmRetention`. What a legal hold stands on stays, and so does what is in review.',
      records: ['folder.retention_set'],
      problems: ['retention_rule_invalid', 'retention_rule_limit'],
      body: { action: 'delete', after: 'P10Y', from: 'expires' },
      answer: retention,
    },
    removeRetentionRule: {
      text: 'Removes the rule of a folder. For seven days nothing goes that it covers, by rules of folders above it neither, and its owner gets a mail unless a barrier excludes them. A repetition is 404.',
      records: ['folder.retention_removed'],
    },
    previewRetention: {
      text: 'Lists the documents in a folder and below it that rules cover, with what becomes of each and from which day on, by the rules as they are or, with `action`, `after` and `from`, as if the folder had that one. It is for whoever may set the rule. What a legal hold stands on is listed too. What lies behind a barrier within is not. A page may hold fewer than `limit` while `Link` leads on.',
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
      text: 'Lets what waits go by the rule of a folder: the documents that it has come for until today. What comes later may have to be confirmed again. It is for owner and administrators of the team, inside of the barrier where there is one.',
      records: ['folder.retention_confirmed'],
      problems: ['retention_not_pending'],
      answer: { ...retention, confirmedBy: desk.olivia.id },
    },
    getDocumentDates: {
      text: 'Shows the key dates of a document: from when to when it holds, what comes after, and the days that follow: `noticeAt`, the last day to give notice of the end that comes next, and `endsAt`. Days are days of the team’s zone. Months are counted by the calendar and clamp to their end: three months before 31 May is 28 February, or 29. What renews itself goes on to the next term as soon as notice comes too late. Dates that nobody has set are there with nothing but `renewal: none`.',
      answer: dates,
    },
    putDocumentDates: {
      text: 'Sets the key dates of a document, whole: what is left out, or `null`, is not set any more. It is for whoever may change the document. What follows may be sent back as it was read, and is worked out anew. `remindBefore` says how long before a date it is announced, at seven in the morning of the team’s zone: by `document.date_approaching`, by a mail to the owner of the document and, with `startsTemplate`, by a workflow for the document from that template, started by the right that whoever named it has on that day; for programs it takes `workflows:write`. Each date is announced once, late rather than never.',
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
      text: 'Lists the days to give notice and the days on which documents expire, of the documents that the caller may read, by day: those from today on before the day that `before` names, or of the next 90 days. Of what renews itself it is the next day for notice, or the end of the term where no notice is agreed. A page looks at 1 000 dates of the team at most; it may hold fewer than `limit`, or none, while `Link` leads on. What is in the bin is not listed.',
      answer: [{ documentId: desk.document, title: document.title, folderId: desk.folder, kind: 'notice', date: '2027-02-28' }],
    },
    listLegalHolds: {
      text: 'Lists the legal holds of the team, those that stand and those that were lifted, in the order in which they were placed. A barrier hides the holds on what is behind it from callers outside.',
      answer: [hold],
    },
    placeLegalHold: {
      text: 'Places a legal hold on a document, or on a folder with all in it, also what comes there later and what is in the bin. While it stands nobody deletes any of it, by hand, by night or with the team; nothing is moved out from under it; and what is about a document, such as a workflow or the submission that it was made of, is not deleted or erased. Several may stand on one thing: it is free when all are lifted. Placing one opens nothing to anybody. It is for owner and administrators of the team; a repetition without an `Idempotency-Key` places another.',
      records: ['legal_hold.placed'],
      problems: ['not_found', 'hold_limit'],
      body: { folderId: desk.folder, reason: hold.reason },
      answer: hold,
    },
    getLegalHold: {
      text: 'Shows a legal hold: what it stands on, who placed it and why, and who lifted it.',
      answer: hold,
    },
    liftLegalHold: {
      text: 'Lifts a legal hold with a reason. What no other hold stands on may be deleted from then on; what was in the bin for 30 days goes the next night. It is for owner and administrators of the team.',
      records: ['legal_hold.lifted'],
      problems: ['hold_lifted'],
      body: { reason: 'Settled out of court' },
      answer: { ...hold, status: 'lifted', liftedBy: desk.olivia.id, liftedAt: desk.wednesday, liftReason: 'Settled out of court' },
    },
    listDocumentAccess: {
      text: 'Tells the owner of the document, and owner and administrators of the team, who may see it, for which reason, who let them and since when. `privilegedAccess` names what administrators opened or changed by their role alone.',
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
      text: 'Shares a single document with a member, a group or the whole team, to read or to write, without its folder. It is for the owner of the document, and for owner and administrators of the team. A second share with the same principal replaces the first.',
      records: ['access.granted', 'document.shared'],
      problems: ['self_share_not_allowed', 'member_not_found', 'group_not_found'],
      body: { userId: desk.jonas.id, access: 'read' },
      answer: grant,
    },
    revokeDocumentGrant: {
      text: 'Revokes a share of the document, or the access that a task gives to its assignee, from the next request on. An open task whose access is revoked has no assignee from then on, and an administrator assigns it. Access that the principal of a share gave to others by tasks stays: `dependentGrants` names it. With `cascade=true` it ends too, except for what the owner of the document gave. A repetition is 404.',
      records: ['access.ended'],
      answer: revoked,
    },
  },
  members: {
    currentVersion: 'The newest version; absent while it has no file',
    file: 'The file, with its name',
    reference: 'The reference under which the team files it, such as a file number',
    'Document.userId': 'Whose tree it lies in, or who made it outside of any folder: the owner of the document',
    'Document.status':
      '`draft`; `in_review` while a workflow on it is under way; `approved` or `signed` by what came of that; `archived` by hand',
    'UpdateDocumentRequest.status': 'By hand a document is `draft` or `archived`',
    'DocumentVersion.number': 'Counts from 1',
    'DocumentVersion.fileName': 'The name that it was uploaded with',
    'DocumentVersion.mediaType': 'The media type that it was uploaded with',
    'MoveDocumentsRequest.documentIds': 'Each once, in any order',
    'ShareDocumentRequest.userId': 'Who is to have it',
    'listDocuments.status': 'Only documents in this state',
    'ComingDate.title': 'The document’s',
    'ComingDate.date': 'The day, in the zone of the team',
    'listLegalHolds.status': 'Only those that stand, or were lifted',
    'listLegalHolds.folderId': 'Only those that were placed on this folder itself',
    'listLegalHolds.documentId': 'Only those that were placed on this document itself',
    'downloadDocument.version': 'The number of a version, instead of the newest',
    'previewDocument.version': 'The number of a version, instead of the newest',
  },
};
