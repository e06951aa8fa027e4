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
    help: 'The session has no draft, the link was replaced by a later email, the draft expired after 7 days, or its answers were submitted. Start again.',
  },
  draft_superseded: {
    status: 409,
    title: 'Saved draft changed',
    help: 'The draft was saved again, for example in another window. Read the draft, and send your answers with its current `revision`.',
  },
  draft_limit: {
    status: 409,
    title: 'Draft limit reached',
    help: 'The form has the maximum number of drafts. Submit the answers, or come back later: drafts expire after 7 days.',
  },
});
