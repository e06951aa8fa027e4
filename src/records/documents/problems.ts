import { defineProblems } from '../../platform/problems.ts';

export const documentProblems = defineProblems({
  signature_pending: {
    status: 409,
    title: 'The document is being signed',
    help: 'People are asked to sign the document, or it is being sealed. One request at a time asks for signatures, and meanwhile the document takes no version, is not archived and not moved to the bin. Wait until the request has ended, or void it.',
  },
  document_has_no_file: {
    status: 404,
    title: 'The document has no file yet',
    help: 'The document was created without a file. Upload one as its first version.',
  },
  document_access_denied: {
    status: 403,
    title: 'The document is not yours to open to others',
    help: 'A task or workflow about a document gives its assignees read access. To give it, you need to own the document, a share of it or its folder, or the role of an owner or administrator. A task gives its assignee read access alone. Ask its owner for a share, or to give the task.',
  },
  preview_pending: {
    status: 409,
    title: 'The preview is being made',
    help: 'The picture of the first page is made by a job, within seconds of the upload. Ask again after the seconds that `Retry-After` names.',
  },
  preview_failed: {
    status: 422,
    title: 'No preview could be made',
    help: '`detail` says why: the file is locked by a password, broken, or too large to draw. It is kept as it was uploaded: download it, or upload a version that can be drawn.',
  },
  no_preview: {
    status: 422,
    title: 'Files of this type have no preview',
    help: 'There are previews of PDF, PNG and JPEG, by the media type that they were uploaded with. Word and OpenDocument files, texts and others have none: download the file, or upload it as a PDF.',
  },
  no_text_to_compare: {
    status: 422,
    title: 'A version has no text to compare',
    help: 'Texts are taken of PDF, Word and OpenDocument files up to 32 MiB, and of plain text, Markdown, CSV, JSON and XML. Pictures have none, and neither do scans that nobody has made searchable, locked files and broken ones. Download both versions and look at them.',
  },
  versions_too_different: {
    status: 422,
    title: 'The versions differ too much',
    help: 'What differs is looked for within a few seconds, word by word and then line by line. These two have too little in common for that: read both.',
  },
  document_not_text: {
    status: 422,
    title: 'The document is no text',
    help: 'Tools read files that are text, such as plain text, Markdown, CSV, JSON and XML, in UTF-8 or UTF-16. The text of PDF files, of Word files and of images is not read. Have a person open the document, or upload its text as a version or a document of its own.',
  },
  download_too_large: {
    status: 422,
    title: 'Too much for one archive',
    help: 'An archive has at most 1 000 files of 5 GiB in all, and 5 000 folders. Ask for fewer documents at a time, or for the folders in the one that was named by themselves.',
  },
  downloads_in_progress: {
    status: 429,
    title: 'Too many archives are read at once',
    help: 'A team reads a few archives of documents at a time on each node, since each may last as long as whoever reads it likes. Wait until one has ended, then ask again.',
  },
  hold_lifted: {
    status: 409,
    title: 'The legal hold is lifted already',
    help: 'A hold is lifted once, and keeps who did and why. Read it. Where something is to be held again, place another one.',
  },
  hold_limit: {
    status: 409,
    title: 'Too many legal holds stand',
    help: 'A team has at most 1 000 legal holds that stand. Place one on a folder instead of one on each document in it, and lift those whose matter is over.',
  },
  dates_invalid: {
    status: 422,
    title: 'The key dates do not fit together',
    help: 'A document that renews itself needs `renewalPeriod`; a notice period or a renewal needs `expiresAt`; nothing expires before it is effective; and a span is longer than nothing. `errors` says which it is.',
  },
  retention_rule_invalid: {
    status: 422,
    title: 'The retention rule cannot be used as it is',
    help: '`after` says for how long documents are kept, in whole days, weeks, months or years, and is longer than nothing.',
  },
  retention_rule_limit: {
    status: 409,
    title: 'Too many folders have retention rules',
    help: 'A team has at most 200 retention rules. A rule covers all that lies in its folder: set one on a folder above, and remove those of folders in it.',
  },
  retention_not_pending: {
    status: 409,
    title: 'Nothing waits for a confirmation',
    help: 'Where a retention rule would move more than a tenth of the documents of a team to the bin in one day, it waits until an administrator confirms it. Read the rule: `waitingDocuments` says how many do.',
  },
});
