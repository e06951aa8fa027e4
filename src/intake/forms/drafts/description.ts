import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const gone = ['interface_not_found', 'interface_closed', 'interface_full', 'drafts_disabled'];
const data = { what: 'A pallet of solvent stands' };
const kept = {
  data,
  version: 1,
  revision: 1,
  updatedAt: '2026-03-16T09:00:00.000Z',
  expiresAt: '2026-03-23T09:00:00.000Z',
};

export const draftText: DomainText['operations'] = {
  saveDraft: {
    text: 'Keeps answers as they are so far, for a week, where the form lets drafts be kept (`config.drafts`). A session has one draft, which is replaced; with `revision` only the one that was read is. Nothing is asked of the answers but that the form has such fields, and the team does not see them. Without a session one begins, which takes a proof of work where the form asks for one. Submitting in the session ends the draft. Uploads that it names are kept as long as it is.',
    records: ['draft.kept'],
    problems: [
      ...gone,
      'draft_superseded',
      'draft_limit',
      'version_superseded',
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
    text: 'Shows the answers that the caller’s session has kept, and no others: one that was gone on with elsewhere, submitted or dropped is not there any more.',
    problems: [...gone, 'draft_not_found'],
    never: ['not_found'],
    answer: kept,
  },
  deleteDraft: {
    text: 'Drops the draft of the caller’s session; its mailed link leads nowhere then.',
    records: ['draft.dropped'],
    problems: ['interface_not_found', 'draft_not_found'],
    never: ['not_found'],
  },
  mailDraftLink: {
    text: 'Mails a link by which the draft of the caller’s session is gone on with on another device, until the draft ends. The link leads to a page with a button, since programs that look at mails follow links; the secret in it is what `resumeDraft` takes. A link that was mailed before leads nowhere from then on. One address gets 3 mails an hour and 10 a day from all forms of the service; past that, or where the link to this draft was mailed 5 times, nothing is sent, and the answer says so.',
    records: ['draft.mailed'],
    problems: [...gone, 'draft_not_found', 'submission_invalid'],
    never: ['not_found'],
    body: { email: 'worker@example.org' },
    answer: { mail: 'queued' },
  },
  resumeDraft: {
    text: 'Goes on with a draft by the secret of its mailed link, in a session of its own, which the answer begins: the session that had the draft sees it no more. A secret that is wrong, old or used up is the same 404.',
    records: ['draft.resumed'],
    problems: [...gone, 'draft_not_found'],
    never: ['not_found'],
    body: { draft: 'Jb0…' },
    answer: { ...kept, revision: 3 },
  },
};
