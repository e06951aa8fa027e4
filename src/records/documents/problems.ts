import { defineProblems } from '../../platform/problems.ts';

export const documentProblems = defineProblems({
  signature_pending: {
    status: 409,
    title: 'The document is being signed',
    help: 'The document has an open signature request, or it is being sealed. Until the request ends, the document accepts no new version and no second signature request. It cannot be archived or moved to the bin. Wait until the request has ended, or void it.',
  },
  document_has_no_file: {
    status: 404,
    title: 'The document has no file yet',
    help: 'The document was created without a file. Upload one as its first version.',
  },
  document_access_denied: {
    status: 403,
    title: 'You cannot share this document',
    help: 'A task or workflow about a document gives its assignees read access. You can give this access if you own the document, have a share of it, or are the owner or an administrator of the team. Read access from a task is not enough. Ask the owner of the document to share it with you, or to create the task.',
  },
  preview_pending: {
    status: 409,
    title: 'The preview is not ready yet',
    help: 'A job creates the image of the first page within seconds of the upload. Send the request again after the number of seconds in `Retry-After`.',
  },
  preview_failed: {
    status: 422,
    title: 'Preview failed',
    help: '`detail` gives the reason: the file has a password, is broken, or is too large to render. The file itself is unchanged: download it, or upload a version that can be drawn.',
  },
  no_preview: {
    status: 422,
    title: 'Files of this type have no preview',
    help: 'Previews exist for PDF, PNG and JPEG, by the media type of the upload. Word and OpenDocument files, texts and other types have none. Download the file, or upload it as a PDF.',
  },
  no_text_to_compare: {
    status: 422,
    title: 'A version has no text to compare',
    help: 'The comparison reads PDF, Word and OpenDocument files up to 32 MiB, and plain text, Markdown, CSV, JSON and XML. Images, scans without a text layer, locked files and broken files have no text. Download both versions and compare them yourself.',
  },
  versions_too_different: {
    status: 422,
    title: 'The versions differ too much',
    help: 'Chancery compares versions by words, then by lines, and stops after a few seconds. These versions have too little in common. Download and read both versions.',
  },
  document_not_text: {
    status: 422,
    title: 'The document is not a text file',
    help: 'Tools read text files, such as plain text, Markdown, CSV, JSON and XML, in UTF-8 or UTF-16. They do not read the text of PDF files, Word files and images. Ask a person to open the document, or upload its text as a version or a separate document.',
  },
  download_too_large: {
    status: 422,
    title: 'The archive is too large',
    help: 'An archive has at most 1 000 files of 5 GiB in all, and 5 000 folders. Request fewer documents at a time, or request the subfolders separately.',
  },
  downloads_in_progress: {
    status: 429,
    title: 'Too many archives in progress',
    help: 'A team can download only a few archives of documents at a time from each node. Wait until one has ended, then send the request again.',
  },
  hold_lifted: {
    status: 409,
    title: 'The legal hold is already lifted',
    help: 'A hold can be lifted once. The hold shows who lifted it and why. To hold the resource again, place another hold.',
  },
  hold_limit: {
    status: 409,
    title: 'Too many active legal holds',
    help: 'A team has at most 1 000 active legal holds. Place one on a folder instead of one on each document in it, and lift holds that are no longer needed.',
  },
  dates_invalid: {
    status: 422,
    title: 'The key dates are inconsistent',
    help: 'A document that renews itself needs `renewalPeriod`. A notice period or a renewal needs `expiresAt`. A document cannot expire before it is effective, and a period must be longer than zero. `errors` names the broken rule.',
  },
  retention_rule_invalid: {
    status: 422,
    title: 'The retention rule is invalid',
    help: '`after` must be a retention period in whole days, weeks, months or years, longer than zero.',
  },
  retention_rule_limit: {
    status: 409,
    title: 'Too many retention rules',
    help: 'A team has at most 200 retention rules. A rule covers everything in its folder. Set one on a folder above, and remove those of its subfolders.',
  },
  retention_not_pending: {
    status: 409,
    title: 'No confirmation is pending',
    help: 'A retention rule waits for an administrator if it would move more than a tenth of the team’s documents to the bin in one day. No documents of this rule are waiting. `waitingDocuments` of the rule has their number.',
  },
});
