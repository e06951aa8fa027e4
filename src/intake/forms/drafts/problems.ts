import { defineProblems } from '../../../platform/problems.ts';

export const draftProblems = defineProblems({
  drafts_disabled: {
    status: 404,
    title: 'Drafts not enabled',
    help: 'This form stores answers only when you submit them. The owner of the form can enable drafts.',
  },
  draft_not_found: {
    status: 404,
    title: 'Draft not found',
    help: 'The session has no draft, a later email replaced the link, 7 days passed, or the answers were submitted. Start again.',
  },
  draft_superseded: {
    status: 409,
    title: 'Saved draft changed',
    help: 'The draft was saved again, such as in another window; `revision` is the current one. Read it again and send your answers with that `revision`.',
  },
  draft_limit: {
    status: 409,
    title: 'Draft limit reached',
    help: 'The form has the maximum number of drafts. Submit the answers, or come back later: drafts expire after 7 days.',
  },
});
