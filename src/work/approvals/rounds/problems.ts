import { defineProblems } from '../../../platform/problems.ts';

export const roundProblems = defineProblems({
  policy_input_missing: {
    status: 422,
    title: 'An answer for the approval rules is missing',
    help: 'A condition of the rules needs an answer that is missing or erased, so no rule applies. Add the answer, or set `onMissing` to the id of a rule.',
  },
  too_many_candidates: {
    status: 422,
    title: 'Too many candidates',
    help: 'An approval round has at most 50 candidates. Name smaller groups in the rules.',
  },
  candidate_not_found: {
    status: 404,
    title: 'Candidate not found',
    help: '`userId` must name a candidate of the round who has not voted. `GET /api/v1/approvals/{id}` lists `candidates` and `votes`.',
  },
});
