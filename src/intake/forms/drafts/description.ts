import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const gone = ['interface_not_found', 'interface_closed', 'interface_full', 'drafts_disabled'];
const data = { what: 'A pallet of solvent blocks' };
const kept = {
  data,
  version: 1,
  revision: 1,
  updatedAt: '2026-03-16T09:00:00.000Z',
  expiresAt: '2026-03-23T09:00:00.000Z',
};

export const draftText: DomainText['operations'] = {
  saveDraft: {
    text: 'Saves the answers for 7 days, if the form allows drafts (`config.drafts`). A session has one draft, and saving replaces it. With `revision`, only that revision is replaced. Chancery checks only that the fields exist. The team cannot see the draft. Without a session it starts one, with a proof of work if the form requires it. A submission in the session deletes the draft. Uploads of a draft stay as long as the draft.',
    records: ['draft.kept'],
    problems: [
      ...gone,
      'draft_superseded',
      'draft_limit',
      'version_superseded',
      'submission_invalid',
      'altcha_required',
      'altcha_invalid',
      'altcha_expired',
      'altcha_already_used',
    ],
    never: ['not_found'],
    body: { data, version: 1 },
    answer: kept,
  },
  getDraft: {
    text: 'Returns the saved answers of the caller’s session. Responds 404 if the draft was resumed in another session, submitted or deleted.',
    problems: [...gone, 'draft_not_found'],
    never: ['not_found'],
    answer: kept,
  },
  deleteDraft: {
    text: 'Deletes the draft of the caller’s session; its emailed link stops working.',
    records: ['draft.dropped'],
    problems: ['interface_not_found', 'draft_not_found'],
    never: ['not_found'],
  },
  mailDraftLink: {
    text: 'Emails a link to resume the draft of the caller’s session on another device, until the draft ends. The link opens a page with a button, because programs that check mails follow links. Its secret is the input of `resumeDraft`. A previous link stops working. An address gets at most 3 mails an hour and 10 a day from all forms of the service. After that, or after 5 mails for this draft, Chancery sends nothing, and the response says so.',
    records: ['draft.mailed'],
    problems: [...gone, 'draft_not_found', 'submission_invalid'],
    never: ['not_found'],
    body: { email: 'worker@example.org' },
    answer: { mail: 'queued' },
  },
  resumeDraft: {
    text: 'Resumes a draft with the secret of its emailed link, in a new session. The previous session loses access to the draft. A wrong, expired or used secret gets 404.',
    records: ['draft.resumed'],
    problems: [...gone, 'draft_not_found'],
    never: ['not_found'],
    body: { draft: 'Jb0…' },
    answer: { ...kept, revision: 3 },
  },
};
