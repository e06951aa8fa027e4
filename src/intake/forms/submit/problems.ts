import { defineProblems } from '../../../platform/problems.ts';

export const submissionProblems = defineProblems({
  submission_invalid: {
    status: 422,
    title: 'Some answers cannot be taken',
    help: 'Answers are missing or do not keep to the form; `errors` names each with a JSON pointer, in the language of the form. Correct them and send all answers again.',
  },
  version_superseded: {
    status: 409,
    title: 'The form was changed meanwhile',
    help: 'The answers are to a version of the form that is not taken any more. Read the form again, look at the answers once more, and send them with its `version`.',
  },
  no_submission_session: {
    status: 404,
    title: 'Nothing was submitted in this session',
    help: 'The operation shows what became of a submission to whoever sent it, for a day. Send the cookie `submission` or the header `x-submission-session` of the answer to the submission.',
  },
  submission_not_pending: {
    status: 404,
    title: 'Nothing waits to be confirmed',
    help: 'The link was used before, its day is over, or it is not whole. Fill in the form again.',
  },
});
