import { defineProblems } from '../../../platform/problems.ts';

export const submissionProblems = defineProblems({
  submission_invalid: {
    status: 422,
    title: 'Invalid answers',
    help: 'Answers are missing or invalid; `errors` lists each with a JSON pointer, in the language of the form. Correct them and send all answers again.',
  },
  version_superseded: {
    status: 409,
    title: 'Form version superseded',
    help: 'The form no longer accepts answers to this version. Read the form again, check the answers, and send them with the new `version`.',
  },
  no_submission_session: {
    status: 404,
    title: 'No submission in this session',
    help: 'This operation returns the result of a submission for one day, only to its sender. Send the session that the response to the submission set: the cookie `submission`, or the header `x-submission-session`.',
  },
  submission_not_pending: {
    status: 404,
    title: 'Submission not pending',
    help: 'The link was used before, expired after a day, or is incomplete. Fill in the form again.',
  },
});
