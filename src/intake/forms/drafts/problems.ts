import { defineProblems } from '../../../platform/problems.ts';

export const draftProblems = defineProblems({
  drafts_disabled: {
    status: 404,
    title: 'The form keeps no drafts',
    help: 'Answers to this form are kept once they are submitted, and not before. Whose the form is may let drafts be kept.',
  },
  draft_not_found: {
    status: 404,
    title: 'There is no draft',
    help: 'Nothing was kept in this session, the link of the mail was replaced by a later one, a week has gone by, or the answers were submitted meanwhile. Begin anew.',
  },
  draft_superseded: {
    status: 409,
    title: 'The draft was changed meanwhile',
    help: 'The draft was kept once more, such as in another window; `revision` says how far it is. Read it again and send what is to be kept with that `revision`.',
  },
  draft_limit: {
    status: 409,
    title: 'The form keeps as many drafts as it may',
    help: 'A form keeps a limited number of drafts. Submit the answers, or come back later: drafts end after a week.',
  },
});
